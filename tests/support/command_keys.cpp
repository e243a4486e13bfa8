#include "support/command_keys.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace larder::test {

namespace {

std::span<redisReply* const> parts_of(redisReply const& reply) { return {reply.element, reply.elements}; }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

std::vector<std::string> asked(MonitorLine command, RedisSocket& server) {
  std::vector<std::string> question = {"COMMAND", "GETKEYS"};
  while (auto word = command.next_word()) question.push_back(std::move(*word));
  auto const answer = server.ask(question);
  std::vector<std::string> keys;
  if (!answer || answer->type != REDIS_REPLY_ARRAY) return keys;  // an error: it has no keys
  for (auto const* const key : parts_of(*answer)) keys.emplace_back(key->str, key->len);
  return keys;
}

}  // namespace

CommandKeys::CommandKeys(RedisSocket& server) {
  auto const answer = server.ask({"COMMAND"});
  if (!answer || answer->elements == 0) throw std::runtime_error("redis-server does not tell its commands");
  for (auto const* const command : parts_of(*answer)) {
    places_[lower(command->element[0]->str)] = places_in(*command);
  }
}

// Name, arity, flags, first key, last key, step, categories, tips, key specifications, subcommands.
CommandKeys::Places CommandKeys::places_in(redisReply const& command) {
  auto const parts = parts_of(command);
  bool const moves = std::ranges::any_of(
      parts_of(*parts[2]), [](auto const* flag) { return std::string_view(flag->str) == "movablekeys"; });
  return {.first = int(parts[3]->integer),
          .last = int(parts[4]->integer),
          .step = int(parts[5]->integer),
          .fixed = !moves && parts[9]->elements == 0};
}

std::vector<std::string> CommandKeys::in(MonitorLine command, RedisSocket* server) const {
  auto const whole = command;
  auto const found = places_.find(lower(command.next_word().value_or("")));
  std::vector<std::string> keys;
  if (found == places_.end()) return keys;
  auto const& places = found->second;
  if (!places.fixed) return server == nullptr ? keys : asked(whole, *server);
  if (places.first == 0) return keys;
  std::vector<std::string> words = {found->first};
  auto const is_last = [&] { return places.last > 0 && int(words.size()) > places.last; };
  while (auto word = is_last() ? std::nullopt : command.next_word()) words.push_back(std::move(*word));
  auto const end = int(words.size()) + (places.last < 0 ? places.last + 1 : 0);
  for (int i = places.first; i < end; i += places.step) keys.push_back(std::move(words[std::size_t(i)]));
  return keys;
}

}  // namespace larder::test
