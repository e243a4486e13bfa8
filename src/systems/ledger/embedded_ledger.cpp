#include "systems/ledger/embedded_ledger.hpp"

#include "kit/events/unsaved_events.hpp"

namespace larder::ledger {

EmbeddedLedger::EmbeddedLedger(EmbeddedLedgerOptions const& options)
    : host_({.data = options.data,
             .redis = options.redis,
             .sql = options.sql,
             .replicas_min = options.replicas_min}),
      work_(host_.background_io(), host_.background_redis(), host_.sql(), host_.clock(),
            {.key_format = options.key_format,
             .cluster = host_.redis_options().url.cluster,
             .order_shards = options.order_shards,
             .flow_tables = options.flow_tables},
            host_.metrics()),
      ledger_(host_.redis(), work_.shared()) {
  work_.migrate_now();
  host_.start([this] { return work_.load_types(); },
              [this] { return events::start_or_save(work_.start(), work_.save_events()); });
}

EmbeddedLedger::~EmbeddedLedger() { host_.stop(work_.stop()); }

}  // namespace larder::ledger
