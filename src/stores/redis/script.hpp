// A Lua script and its SHA-1, which EVALSHA names it by.
#pragma once

#include <string>
#include <string_view>

namespace larder::redis {

class Script {
 public:
  // `text` must live as long as the Script: scripts are compiled into the binary.
  explicit Script(std::string_view text);
  std::string_view text() const { return text_; }
  std::string_view sha() const { return sha_; }

 private:
  std::string_view text_;
  std::string sha_;
};

}  // namespace larder::redis
