// Measures what an idle WebSocket costs the server, and how fast messages go back and forth. The server is a
// separate process, so that its memory can be told apart from the memory of the clients.
#include "edges/http/server.hpp"
#include "edges/http/web_socket.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace larder::http {

namespace {

using Steady = std::chrono::steady_clock;

Task<void> echo(std::shared_ptr<WebSocket> socket, Request const&) {
  while (auto text = co_await socket->read()) socket->send(*text);
}

Answering get_echo(Request const& request) { co_return accept_web_socket(request, &echo); }

std::span<Route const> routes() {
  static Route const all[] = {
      {Method::get, "/echo", Access::everyone(), &get_echo, {.id = "echo", .summary = "Says it again"}}};
  return all;
}

// Never returns. Writes its address to `pipe`.
[[noreturn]] void serve(int pipe, std::size_t sockets) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  asio::io_context io(1);
  Metrics metrics;
  accounts::Authenticator authenticator({});
  HttpServer server(
      {.listen = parse_listen("127.0.0.1:0"), .connections_max = sockets + 100, .access_log = false},
      {Api{.tables = {routes()}}}, metrics, {{.io = io, .parts = {Part()}, .authenticator = authenticator}});
  server.start();
  auto const endpoint = server.endpoint();
  LARDER_ASSERT(::write(pipe, endpoint.data(), endpoint.size()) == ssize_t(endpoint.size()));
  io.run();
  std::abort();
}

std::string receive(int fd, std::size_t bytes) {
  std::string text(bytes, '\0');
  LARDER_ASSERT(::recv(fd, text.data(), bytes, MSG_WAITALL) == ssize_t(bytes));
  return text;
}

int open_socket(sockaddr_storage const& address) {
  static constexpr std::string_view request =
      "GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nUser-Agent: "
      "Mozilla/5.0 "
      "(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr address_start = {};
  std::memcpy(&address_start, &address, sizeof address_start);
  LARDER_ASSERT(fd >= 0 && ::connect(fd, &address_start, sizeof(sockaddr)) == 0);
  LARDER_ASSERT(::send(fd, request.data(), request.size(), 0) == ssize_t(request.size()));
  std::string reply;
  while (!reply.ends_with("\r\n\r\n")) reply += receive(fd, 1);
  LARDER_ASSERT(reply.starts_with("HTTP/1.1 101"));
  return fd;
}

// A text of 20 bytes, masked with zeros.
constexpr std::string_view message("\x81\x94\0\0\0\0{\"type\":\"tap\",\"i\":1}", 26);
constexpr std::size_t answer_bytes = 22;

void say(int fd) { LARDER_ASSERT(::send(fd, message.data(), message.size(), 0) == ssize_t(message.size())); }

std::size_t memory_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * std::size_t(::sysconf(_SC_PAGESIZE));
}

// All clients send, then all clients receive.
double messages_per_second(std::span<int const> sockets) {
  auto const begin = Steady::now();
  std::size_t count = 0;
  std::chrono::duration<double> taken{};
  while (taken < std::chrono::seconds(3)) {
    for (int const fd : sockets) say(fd);
    for (int const fd : sockets) receive(fd, answer_bytes);
    count += sockets.size();
    taken = Steady::now() - begin;
  }
  return double(count) / taken.count();
}

void measure(std::size_t count) {
  int pipe[2] = {};
  LARDER_ASSERT(::pipe(pipe) == 0);
  pid_t const server = ::fork();
  if (server == 0) serve(pipe[1], count);
  sockaddr_storage address = {};
  LARDER_ASSERT(::read(pipe[0], &address, sizeof address) > 0);

  std::vector<int> sockets;
  auto const open = [&](std::size_t how_many) {
    while (sockets.size() < how_many) {
      sockets.push_back(open_socket(address));
      say(sockets.back());
      receive(sockets.back(), answer_bytes);
    }
  };
  open(100);  // the first sockets cost memory only once
  auto const before = memory_of(server);
  auto const begin = Steady::now();
  open(count + 100);
  std::chrono::duration<double> const taken = Steady::now() - begin;
  fmt::print("{} idle sockets, each after one message: {:.1f} KiB each, opened at {:.0f}/s\n", count,
             double(memory_of(server) - before) / double(count) / 1024, double(count) / taken.count());
  std::span<int const> const all(sockets);
  fmt::print("messages to and fro while they are open: {:.0f}/s with 1 socket, {:.0f}/s with 64\n",
             messages_per_second(all.first(1)), messages_per_second(all.first(64)));
}

}  // namespace

}  // namespace larder::http

int main(int argc, char** argv) {
  std::size_t const count = argc > 1 ? std::stoul(argv[1]) : 10'000;
  rlimit files = {};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  larder::http::measure(count);
}
