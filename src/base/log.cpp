#include "base/log.hpp"

#include "base/time.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cerrno>
#include <unistd.h>

namespace larder::log {

namespace {

// Collects lines and writes many with one call: a line of the access log must not cost a system call.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  ~StderrSink() override { write_out(); }
  StderrSink() = default;
  StderrSink(StderrSink const&) = delete;
  StderrSink& operator=(StderrSink const&) = delete;

 private:
  void sink_it_(spdlog::details::log_msg const& message) override {
    buffer_.append(message.payload.data(), message.payload.size());
    buffer_.push_back('\n');
    if (buffer_.size() > 64 * 1024) write_out();
  }
  void flush_() override { write_out(); }

  void write_out() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
      auto const written = ::write(STDERR_FILENO, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;  // the log cannot be written; the server must keep running
      rest.remove_prefix(std::size_t(written));
    }
    buffer_.clear();
  }

  std::string buffer_;
};

std::atomic<Level> least_level{Level::warn};
std::atomic<bool> as_json{false};

spdlog::logger& logger() {
  static auto const instance = [] {
    auto made = std::make_shared<spdlog::logger>("larder", std::make_shared<StderrSink>());
    made->set_level(spdlog::level::trace);
    made->flush_on(spdlog::level::warn);
    spdlog::register_logger(made);
    spdlog::flush_every(std::chrono::seconds(1));
    return made;
  }();
  return *instance;
}

constexpr std::string_view level_names[] = {"debug", "info", "warn", "error"};
constexpr spdlog::level::level_enum spdlog_levels[] = {spdlog::level::debug, spdlog::level::info,
                                                       spdlog::level::warn, spdlog::level::err};

void append_json_string(fmt::memory_buffer& out, std::string_view text) {
  out.push_back('"');
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void append_value(fmt::memory_buffer& out, Field const& field, bool quote) {
  if (auto const* text = std::get_if<std::string_view>(&field.value)) {
    if (quote) return append_json_string(out, *text);
    out.append(*text);
    return;
  }
  std::visit(
      [&]<class T>(T const& value) {
        if constexpr (!std::same_as<T, std::string_view>)
          fmt::format_to(std::back_inserter(out), "{}", value);
      },
      field.value);
}

}  // namespace

void configure(Level least, Format format) {
  least_level = least;
  as_json = format == Format::json || (format == Format::automatic && ::isatty(STDERR_FILENO) == 0);
}

bool enabled(Level level) { return level >= least_level.load(std::memory_order_relaxed); }

bool writes_json() { return as_json; }

void flush() { logger().flush(); }

void write(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (!enabled(level)) return;
  fmt::memory_buffer out;
  auto const now = to_rfc3339(SystemClock{}.now());
  auto const name = level_names[std::size_t(level)];
  if (as_json.load(std::memory_order_relaxed)) {
    fmt::format_to(std::back_inserter(out), R"({{"at":"{}","level":"{}","message":)", now, name);
    append_json_string(out, message);
    for (auto const& field : fields) {
      fmt::format_to(std::back_inserter(out), R"(,"{}":)", field.key);
      append_value(out, field, true);
    }
    out.push_back('}');
  } else {
    fmt::format_to(std::back_inserter(out), "{} {:5} {}", now, name, message);
    for (auto const& field : fields) {
      fmt::format_to(std::back_inserter(out), " {}=", field.key);
      append_value(out, field, false);
    }
  }
  logger().log(spdlog_levels[std::size_t(level)], spdlog::string_view_t(out.data(), out.size()));
  // Text is for a person at a terminal, who wants to see the line now.
  if (!as_json.load(std::memory_order_relaxed)) logger().flush();
}

}  // namespace larder::log
