#include "systems/cache/cache_scripts.hpp"

#include "larder_cache_scripts.hpp"

#include <unordered_map>

namespace larder::cache::scripts {

redis::ScriptCall write_changes(std::span<Check const* const> checks,
                                std::span<Change const* const> changes) {
  redis::ScriptCall call(lua::write_changes);
  std::unordered_map<std::string_view, std::size_t> numbers;
  auto const number_of_key = [&](std::string_view key) {
    auto const [found, is_new] = numbers.try_emplace(key, numbers.size() + 1);
    if (is_new) call.keys(key);
    return found->second;
  };
  call.args(checks.size());
  for (auto const* const check : checks) {
    call.args(check->kind, number_of_key(check->key), check->name, check->value);
  }
  for (auto const* const change : changes) {
    call.args(change->command, change->keys.size());
    for (auto const key : change->keys) call.args(number_of_key(key));
    call.args(change->words.size());
    for (auto const word : change->words) call.args(word);
  }
  return call;
}

}  // namespace larder::cache::scripts
