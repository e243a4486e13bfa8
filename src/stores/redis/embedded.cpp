#include "stores/redis/embedded.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "stores/redis/rdb_copy.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <condition_variable>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace larder::redis {

namespace {

constexpr auto start_limit = std::chrono::minutes(10);  // loading a large file takes long
constexpr auto stop_limit = std::chrono::seconds(10);
constexpr auto restart_pause = std::chrono::milliseconds(200);
constexpr int exec_failed = 127;

std::string find_program(std::string const& name) {
  if (name.find('/') != std::string::npos) {
    // The child changes its directory before exec, so the path must be absolute.
    return ::access(name.c_str(), X_OK) == 0 ? std::filesystem::absolute(name).string() : "";
  }
  char const* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    auto const colon = std::min(rest.find(':'), rest.size());
    auto const candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return "";
}

bool answers(std::string const& socket) {
  std::unique_ptr<redisContext, decltype(&redisFree)> const context(
      redisConnectUnixWithTimeout(socket.c_str(), timeval{.tv_sec = 1, .tv_usec = 0}), &redisFree);
  if (!context || context->err) return false;
  redisSetTimeout(context.get(), timeval{.tv_sec = 1, .tv_usec = 0});
  auto* const reply = static_cast<redisReply*>(redisCommand(context.get(), "PING"));
  bool const pong = reply && reply->type == REDIS_REPLY_STATUS;
  freeReplyObject(reply);
  return pong;
}

std::string last_line(std::filesystem::path const& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

class EmbeddedRedis::Supervisor {
 public:
  explicit Supervisor(EmbeddedOptions options) : options_(std::move(options)) {
    namespace fs = std::filesystem;
    fs::create_directories(options_.directory);
    directory_ = fs::canonical(options_.directory);
    fs::permissions(directory_, fs::perms::owner_all);
    socket_ = directory_ / "redis.sock";
    if (socket_.string().size() >= sizeof(sockaddr_un{}.sun_path)) {
      throw SetupError(
          fmt::format("{} is too long for a unix socket (107 characters at most); "
                      "choose a shorter data directory with --data",
                      socket_.string()));
    }
    program_ = find_program(options_.binary);
    if (program_.empty()) {
      throw SetupError(
          fmt::format("{} was not found; install it (Debian: apt install redis-server), name it with "
                      "--set redis.binary=PATH, or use another Redis with --redis URL",
                      options_.binary));
    }
    write_config();
    // PR_SET_PDEATHSIG sends its signal when the forking thread ends, so only this long-lived thread forks.
    thread_ = std::thread([this] { supervise(); });
    try {
      wait_until_ready();
    } catch (...) {
      stop();
      throw;
    }
  }

  Supervisor(Supervisor const&) = delete;
  Supervisor& operator=(Supervisor const&) = delete;
  ~Supervisor() { stop(); }

  std::string socket() const { return socket_.string(); }

  void stop() {
    {
      std::unique_lock lock(mutex_);
      stopping_ = true;
      if (child_ > 0) ::kill(child_, SIGTERM);
      changed_.notify_all();
      if (!changed_.wait_for(lock, stop_limit, [&] { return ended_; }) && child_ > 0) ::kill(child_, SIGKILL);
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  void write_config() const {
    namespace fs = std::filesystem;
    std::ofstream out(directory_ / "redis.conf", std::ios::trunc);
    std::error_code ignored;  // if this fails, the directory still keeps others out
    fs::permissions(directory_ / "redis.conf", fs::perms::owner_read | fs::perms::owner_write, ignored);
    out << "# Written by larder at each start.\n"
           "port 0\n"
           "unixsocket redis.sock\n"  // relative to dir
           "unixsocketperm 700\n"
           "daemonize no\n"
           "logfile redis.log\n"
           "save \"\"\n"
        << "dbfilename " << copy_name
        << '\n'  // only for copies: what Redis needs is in the append-only files
        << "appendonly yes\n"
        << "appendfsync " << options_.fsync << '\n'
        << "aof-load-truncated yes\n"
           "auto-aof-rewrite-percentage 100\n"
           "auto-aof-rewrite-min-size 64mb\n"
           "maxmemory-policy noeviction\n"
           "zset-max-listpack-entries 32\n"  // writes to longer ones are slow, above all with decimals
           "timeout 0\n"
           "databases 1\n";
    if (options_.memory_mb > 0) out << "maxmemory " << options_.memory_mb << "mb\n";
    if (!out.flush()) throw SetupError(fmt::format("cannot write {}", (directory_ / "redis.conf").string()));
  }

  void supervise() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      remove_unfinished_copies(directory_);
      child_ = spawn();
      auto const child = child_;
      lock.unlock();
      int status = 0;
      while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
      lock.lock();
      child_ = -1;
      if (stopping_) break;
      if (!was_ready_) break;  // Redis cannot start; wait_until_ready() reports it
      log::error("redis-server died, starting it again",
                 {{"status", status}, {"log", (directory_ / "redis.log").string()}});
      changed_.wait_for(lock, restart_pause, [&] { return stopping_; });
    }
    ended_ = true;
    changed_.notify_all();
  }

  pid_t spawn() const {
    auto const directory = directory_.string();
    auto const parent = ::getpid();
    pid_t const child = ::fork();
    if (child != 0) return child;
    // This is the child of a process with threads: use only calls that are safe after fork.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(exec_failed);  // the parent died meanwhile
    ::umask(077);                                     // its files are for nobody else
    ::setpgid(0, 0);                                  // Ctrl-C is for Larder, which then stops Redis in order
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    // Redis must not inherit our listeners and the sockets of our clients, but it must inherit the lock.
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (options_.lock_fd >= 0) ::fcntl(options_.lock_fd, F_SETFD, 0);
    if (::chdir(directory.c_str()) != 0) ::_exit(exec_failed);
    int const null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    int const log =
        ::open("redis.log", O_WRONLY | O_CREAT | O_APPEND, 0600);  // for output before Redis opens its log
    ::dup2(log >= 0 ? log : null, STDERR_FILENO);
    ::execl(program_.c_str(), program_.c_str(), "redis.conf", nullptr);
    ::_exit(exec_failed);
  }

  void wait_until_ready() {
    auto const deadline = std::chrono::steady_clock::now() + start_limit;
    auto pause = std::chrono::milliseconds(1);
    for (;;) {
      if (answers(socket_.string())) break;
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, pause, [&] { return ended_; });
      pause = std::min(pause * 2, std::chrono::milliseconds(50));
      if (ended_ || std::chrono::steady_clock::now() > deadline) {
        auto const file = directory_ / "redis.log";
        throw SetupError(
            fmt::format("redis-server did not start; {} ends with: {}", file.string(), last_line(file)));
      }
    }
    std::lock_guard const lock(mutex_);
    was_ready_ = true;
  }

  EmbeddedOptions options_;
  std::filesystem::path directory_;
  std::filesystem::path socket_;
  std::string program_;
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  pid_t child_ = -1;
  bool was_ready_ = false;
  bool stopping_ = false;
  bool ended_ = false;
};

EmbeddedRedis::EmbeddedRedis(EmbeddedOptions options)
    : supervisor_(std::make_unique<Supervisor>(std::move(options))) {}
EmbeddedRedis::~EmbeddedRedis() = default;

Url EmbeddedRedis::url() const {
  Url url;
  url.endpoints.push_back({supervisor_->socket(), 0});
  return url;
}

void EmbeddedRedis::stop() { supervisor_->stop(); }

}  // namespace larder::redis
