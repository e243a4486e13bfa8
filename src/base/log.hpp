// Structured logs on standard error: JSON lines, or plain text on a terminal. Thread-safe. Never log a
// token or a password.
//
//   log::info("redis connected", {{"node", address}, {"attempt", attempt}});
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace larder::log {

enum class Level { debug, info, warn, error };

struct Field {
  std::string_view key;
  std::variant<std::int64_t, double, bool, std::string_view> value;

  Field(std::string_view k, std::string_view v) : key(k), value(v) {}
  Field(std::string_view k, char const* v) : key(k), value(std::string_view(v)) {}
  Field(std::string_view k, std::string const& v) : key(k), value(std::string_view(v)) {}
  Field(std::string_view k, bool v) : key(k), value(v) {}
  Field(std::string_view k, double v) : key(k), value(v) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Field(std::string_view k, T v) : key(k), value(std::int64_t(v)) {}
};

enum class Format { automatic, json, text };

// Until this is called, only warnings and errors are written, as text.
void configure(Level least, Format format);
bool enabled(Level level);
bool writes_json();
// JSON lines below `warn` may wait in a buffer for up to a second. This function writes them now.
void flush();

void write(Level level, std::string_view message, std::initializer_list<Field> fields = {});

inline void debug(std::string_view message, std::initializer_list<Field> fields = {}) {
  if (enabled(Level::debug)) write(Level::debug, message, fields);
}
inline void info(std::string_view message, std::initializer_list<Field> fields = {}) {
  if (enabled(Level::info)) write(Level::info, message, fields);
}
inline void warn(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::warn, message, fields);
}
inline void error(std::string_view message, std::initializer_list<Field> fields = {}) {
  write(Level::error, message, fields);
}

}  // namespace larder::log
