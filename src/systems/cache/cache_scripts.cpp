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
  // The texts come first, so that the script reads them with one command.
  auto const add_texts = [&](std::string_view kind) {
    std::vector<Check const*> found;
    for (auto const* const check : checks) {
      if (check->kind == kind) found.push_back(check);
    }
    for (auto const* const check : found) number_of_key(check->key);
    return found;
  };
  auto const with_text = add_texts("text");
  auto const without_text = add_texts("no_text");
  call.args(with_text.size());
  for (auto const* const check : with_text) call.args(check->value);
  call.args(without_text.size(), checks.size() - with_text.size() - without_text.size());
  for (auto const* const check : checks) {
    if (check->kind == "text" || check->kind == "no_text") continue;
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
