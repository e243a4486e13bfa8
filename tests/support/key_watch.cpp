#include "support/key_watch.hpp"

#include "support/watched_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace larder::test {

namespace {

// How long a server that should answer may take. After that, what it has sent counts as everything.
constexpr auto patience_ms = std::chrono::milliseconds(10'000);

std::string sha_of(std::string const& text) {
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

// All servers of a test have the same version.
CommandKeys const& commands_of(RedisSocket& server) {
  static CommandKeys const commands(server);
  return commands;
}

// What the script says about itself: the line that begins the comment with its KEYS. The text may begin with
// files that the script includes.
std::string title_of(std::string const& text) {
  auto begin = text.rfind("-- KEYS");
  if (begin == text.npos) begin = 0;
  while (begin > 0) {
    auto const before = begin < 2 ? text.npos : text.rfind('\n', begin - 2);
    auto const line = before == text.npos ? 0 : before + 1;
    if (!std::string_view(text).substr(line).starts_with("--")) break;
    begin = line;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

bool calls_a_script(std::string const& command) {
  static std::set<std::string> const calls = {"EVAL",       "EVAL_RO", "EVALSHA",
                                              "EVALSHA_RO", "FCALL",   "FCALL_RO"};
  return calls.contains(command);
}

}  // namespace

KeyWatch::KeyWatch(std::string const& socket, RedisLogin const& as, std::vector<DerivedKeys> const& derived)
    : monitor_(socket, as), questions_(socket, as), commands_(commands_of(questions_)) {
  for (auto const& [script, ending] : derived) derived_.emplace_back(script, ending);
  monitor_.set_patience(patience_ms);
  questions_.set_patience(patience_ms);
  auto const answer = monitor_.ask({"MONITOR"});
  if (!answer || answer->type != REDIS_REPLY_STATUS) throw std::runtime_error("no MONITOR of " + socket);
}

std::set<std::string> KeyWatch::finish(bool answers) {
  answers_ = answers;
  monitor_.set_patience(answers ? patience_ms : std::chrono::milliseconds(0));
  // RESET ends MONITOR, even while clients are paused. Its answer comes after all lines.
  if (answers) monitor_.send({"RESET"});
  while (auto const line = monitor_.receive()) {
    std::string_view const text(line->str, line->len);
    if (text == "RESET") break;
    see(MonitorLine(text));
  }
  return std::move(found_);
}

void KeyWatch::see(MonitorLine line) {
  if (line.from_script()) {
    if (!call_.keys.empty()) check(line);
    return;
  }
  auto command = line.next_word().value_or("");
  std::ranges::transform(command, command.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  if (calls_a_script(command)) begin_call(line, command);
}

void KeyWatch::begin_call(MonitorLine line, std::string const& command) {
  auto const script = line.next_word().value_or("");
  bool const is_text = command.starts_with("EVAL") && !command.starts_with("EVALSHA");
  call_ = {.script = is_text ? sha_of(script) : script, .keys = {}};
  if (is_text) titles_[call_.script] = title_of(script);
  auto const count = std::atoi(line.next_word().value_or("0").c_str());
  for (int i = 0; i < count; ++i) call_.keys.push_back(line.next_word().value_or(""));
}

void KeyWatch::check(MonitorLine command) {
  note_watched(call_.script);
  for (auto const& key : commands_.in(command, answers_ ? &questions_ : nullptr)) {
    if (std::ranges::find(call_.keys, key) == call_.keys.end() && !may_name(key))
      found_.insert(described(command, key));
  }
}

bool KeyWatch::may_name(std::string const& key) const {
  auto const& first = call_.keys.front();
  return key.starts_with(first) && std::ranges::any_of(derived_, [&](auto const& derived) {
           return derived.first == call_.script && std::regex_match(key.substr(first.size()), derived.second);
         });
}

std::string KeyWatch::described(MonitorLine command, std::string const& key) const {
  auto const title = titles_.find(call_.script);
  return fmt::format("a script was not given the key {} of its {}\n  script: {} {}\n  its keys: {}", key,
                     command.next_word().value_or(""), call_.script,
                     title == titles_.end() ? "" : title->second, fmt::join(call_.keys, ", "));
}

}  // namespace larder::test
