#include "systems/messages/messages_scripts.hpp"

#include "larder_messages_scripts.hpp"

namespace larder::messages::scripts {

namespace {

constexpr std::int64_t empty_index_s = 3600;

}  // namespace

redis::ScriptCall select_message(IndexKeys const& keys, TimeMs now, std::int64_t now_us, std::uint32_t seed) {
  return redis::ScriptCall(lua::select_message)
      .keys(keys.history, keys.line, keys.waiting, keys.index)
      .args(now, now_us, messages_max, seed);
}

redis::ScriptCall put_messages(IndexKeys const& keys, std::string_view before, std::string_view after,
                               TimeMs now, std::span<IndexEntry const> entries) {
  static constexpr std::string_view state_names[] = {"active", "inactive", "gone"};
  redis::ScriptCall call(lua::put_messages);
  call.keys(keys.history, keys.line, keys.waiting, keys.index);
  call.args(before, after, now, empty_index_s);
  for (auto const& [id, state, message] : entries) {
    auto const rule = message ? message->rule : limiter::Rule{};
    call.keys(keys.last_reset(id), keys.tokens(id));
    call.args(id, state_names[std::size_t(state)], rule.tokens, rule.seconds * 1000,
              rule.refill == limiter::Refill::continuous, message ? message->version : 0);
  }
  return call;
}

redis::ScriptCall begin_index(IndexKeys const& keys, Beginning const& beginning) {
  return redis::ScriptCall(lua::begin_index)
      .keys(keys.line, keys.waiting, keys.index)
      .args(beginning.version, beginning.mark, beginning.dead_mark, beginning.where_none, empty_index_s);
}

redis::ScriptCall give_up_index(IndexKeys const& keys, std::string_view mark) {
  return redis::ScriptCall(lua::give_up_index).keys(keys.index).args(mark);
}

}  // namespace larder::messages::scripts
