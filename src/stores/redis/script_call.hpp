// Keys and arguments of one call of a script, in the order in which they are added.
#pragma once

#include "base/time.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace larder::redis {

class ScriptCall {
 public:
  ScriptCall() {  // room for most of them
    keys_.reserve(16);
    args_.reserve(24);
  }

  void key(std::string key) { keys_.push_back(std::move(key)); }
  void arg(std::string text) { args_.push_back(std::move(text)); }
  void arg(std::int64_t number) { args_.push_back(fmt::to_string(number)); }
  void arg(TimeMs time) { arg(time.value); }
  void arg(bool yes) { args_.emplace_back(yes ? "1" : "0"); }
  void arg(char const* word) { args_.emplace_back(word); }

  std::vector<std::string> const& keys() const { return keys_; }
  std::vector<std::string> const& args() const { return args_; }

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> args_;
};

}  // namespace larder::redis
