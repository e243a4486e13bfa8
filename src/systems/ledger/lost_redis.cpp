#include "systems/ledger/lost_redis.hpp"

namespace larder::ledger {

Task<bool> is_lost(redis::Redis& redis, Journal& journal, Keys const& keys) {
  bool has_flows = false;
  for (std::int64_t table = 0; table < journal.flow_tables() && !has_flows; ++table) {
    has_flows = !(co_await journal.page(table, std::nullopt, 1)).empty();
  }
  if (!has_flows) co_return false;
  // Outboxes are emptied, but they are never deleted.
  for (auto const& shard : keys.shards()) {
    auto const reply = co_await redis.command(redis::Use::read, shard.outbox, {"EXISTS", shard.outbox});
    if (reply.integer() == 1) co_return false;
  }
  co_return true;
}

}  // namespace larder::ledger
