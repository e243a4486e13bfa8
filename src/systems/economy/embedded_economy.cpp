#include "systems/economy/embedded_economy.hpp"

#include "kit/events/unsaved_events.hpp"

namespace larder::economy {

EmbeddedEconomy::EmbeddedEconomy(EmbeddedEconomyOptions const& options)
    : host_({.data = options.data,
             .redis = options.redis,
             .sql = options.sql,
             .replicas_min = options.replicas_min}),
      work_(host_.background_io(), host_.background_redis(), host_.sql(), host_.clock(),
            {.catalogue = options.catalogue, .stream_events = options.stream_events}, host_.metrics()),
      economy_(host_.redis(), work_.shared()) {
  work_.migrate_now();
  host_.start([this] { return events::start_or_save(work_.refuse_lost_redis(), work_.save_events()); },
              [this] { return work_.start(); });
}

EmbeddedEconomy::~EmbeddedEconomy() { host_.stop(work_.stop()); }

}  // namespace larder::economy
