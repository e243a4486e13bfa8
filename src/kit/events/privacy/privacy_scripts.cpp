#include "kit/events/privacy/privacy_scripts.hpp"

#include "larder_privacy_scripts.hpp"

namespace larder::privacy::scripts {

redis::ScriptCall erase_entries(std::string_view stream, std::span<events::Event const> gone) {
  auto call = redis::ScriptCall(lua::erase_entries).keys(stream);
  for (auto const& event : gone) call.args(event.id);
  return call;
}

redis::ScriptCall move_key(std::string_view from, std::string_view to) {
  return redis::ScriptCall(lua::move_key).keys(from, to);
}

redis::ScriptCall replace_text(std::string_view key, std::string_view before, std::string_view after) {
  return redis::ScriptCall(lua::replace_text).keys(key).args(before, after);
}

redis::ScriptCall replace_field(std::string_view key, std::string_view field, std::string_view before,
                                std::string_view after) {
  return redis::ScriptCall(lua::replace_field).keys(key).args(field, before, after);
}

redis::ScriptCall replace_entry(std::string_view stream, events::Event const& entry) {
  auto call = redis::ScriptCall(lua::replace_entry).keys(stream).args(entry.id);
  for (auto const& [name, value] : entry.fields) call.args(name, value);
  return call;
}

}  // namespace larder::privacy::scripts
