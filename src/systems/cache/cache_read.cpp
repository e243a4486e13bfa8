// Reads single objects.
#include "base/try.hpp"
#include "systems/cache/assemble.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/permissions.hpp"

namespace larder::cache {

Task<std::optional<std::string>> Cache::get(ObjectKey key, Form form) {
  Reads reads;
  std::optional<std::string> object;
  do {
    object = assemble(reads, shared_.setup.keys, key, form);
  } while (co_await load(redis_, reads));
  co_return object;
}

Task<std::vector<std::optional<std::string>>> Cache::lookup(std::span<ObjectKey const> keys, Form form) {
  Reads reads;
  std::vector<std::optional<std::string>> objects(keys.size());
  std::vector<bool> final(keys.size(), false);
  do {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (final[i]) continue;
      auto const missed = reads.missed();
      objects[i] = assemble(reads, shared_.setup.keys, keys[i], form);
      final[i] = reads.missed() == missed;
    }
  } while (co_await load(redis_, reads));
  co_return objects;
}

Task<Result<Permissions>> Cache::permissions(std::string guild, std::string user,
                                             std::optional<std::string> channel) {
  Reads reads;
  Result<PermissionInput> input;
  do {
    input = collect_permissions(reads, shared_.setup.keys, guild, user, channel, shared_.clock.now());
  } while (co_await load(redis_, reads));
  if (!input) co_return std::unexpected(std::move(input).error());
  co_return calculate(*input);
}

}  // namespace larder::cache
