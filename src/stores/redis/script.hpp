// A Lua script, its name, and the SHA-1 with which EVALSHA calls it.
#pragma once

#include <string>
#include <string_view>

namespace larder::redis {

class Script {
 public:
  // `name` and `text` must live as long as the Script: scripts are compiled into the binary.
  Script(std::string_view name, std::string_view text);
  std::string_view name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view sha() const { return sha_; }

 private:
  std::string_view name_;
  std::string_view text_;
  std::string sha_;
};

}  // namespace larder::redis
