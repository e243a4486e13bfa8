// A connection over which requests go to one receiver, one after the other.
#pragma once

#include "base/task.hpp"
#include "systems/webhooks/addresses.hpp"
#include "systems/webhooks/target.hpp"

#include <boost/asio/ssl/context.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace larder::webhooks {

// How a request ended.
struct Answer {
  int status = 0;        // 0: no answer
  std::string why = {};  // then: why not
  bool is_success() const { return status >= 200 && status < 300; }
};

// Thread-compatible: belongs to one io_context. Follows no redirect, and reads no more of an answer than it
// must.
class HttpLink {
 public:
  // Connects to these addresses only, in this order. `tls` may be null if the target does not need it.
  HttpLink(asio::io_context& io, Target target, std::vector<Address> addresses, asio::ssl::context* tls);
  ~HttpLink();
  HttpLink(HttpLink const&) = delete;
  HttpLink& operator=(HttpLink const&) = delete;

  using Fields = std::vector<std::pair<std::string_view, std::string>>;
  // Sends a POST, and connects first if necessary. Ends after `patience` at the latest.
  Task<Answer> post(Fields fields, std::string body, std::chrono::milliseconds patience);
  // Whether the next request can use the same connection.
  bool is_open() const;
  // Ends what is under way.
  void cancel();

 private:
  struct State;
  Target target_;
  std::vector<Address> addresses_;
  std::shared_ptr<State> state_;  // shared with the timer, which may end later
};

}  // namespace larder::webhooks
