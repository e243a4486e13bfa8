// One client connection. It reads what has arrived, answers every complete request in it, in order, and
// writes the answers together. A request with a body is admitted by its head before its body is read. Between
// two requests, the other connections of the thread get their turn. A connection has no timers: its worker
// calls expire() regularly.
#pragma once

#include "edges/http/request_parser.hpp"
#include "edges/http/worker.hpp"

namespace larder::http {

class Connection {
 public:
  // `place` is the place of the connection among those of its address.
  Connection(Worker& worker, Socket socket, Shares::Place place);
  ~Connection();
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  // Returns when the connection is closed.
  Task<void> run();

  using Moment = std::chrono::steady_clock::time_point;
  void expire(Moment now);
  void close_if_idle();  // also closes a stream, which has no end; a WebSocket sends a close frame first
  void cut();            // at once, and without what the client has not received yet

 private:
  enum class Phase { idle, reading, handling, writing, streaming, lingering };

  void enter(Phase phase, Moment expires);
  std::string_view unread() const { return {input_.data() + begin_, end_ - begin_}; }
  void make_room();
  void choose_request_id();
  Task<bool> decide_from_head();
  Task<Answer> decide();
  std::optional<Response> take_place();
  Sender sender() const;
  void reset();
  enum class After { stays_open, closes };
  bool finish(Answer const& answer, Moment start, After after = After::stays_open);
  Task<bool> let_others_act();
  Task<void> hand_over(Answer const& answer);
  Task<void> run_web_socket(Answer const& answer);
  Task<bool> read();
  bool write_at_once();
  Task<bool> write();
  Task<void> refuse(ProtocolProblem const& problem);
  Task<void> linger();
  bool goes_on_reading(std::size_t& left);
  void give_up();
  void record(Answer const& answer, int status, double seconds, std::size_t bytes);

  Worker& worker_;
  Socket socket_;
  RequestParser parser_;
  Request request_;
  std::optional<Admission> admission_;  // of a request whose body has not arrived yet
  bool waited_ = false;                 // for the body
  Shares::Place place_;
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string output_;
  std::size_t written_ = 0;
  Phase phase_ = Phase::idle;
  Moment expires_;
  Moment request_began_;
  bool expired_ = false;
  WebSocket* web_socket_ = nullptr;
};

}  // namespace larder::http
