#include "edges/api/webhooks/webhooks_system.hpp"

#include "edges/api/webhooks/webhooks_api.hpp"
#include "stores/redis/stream.hpp"
#include "systems/webhooks/webhook_table.hpp"
#include "systems/webhooks/webhooks_privacy.hpp"

namespace larder::api {

namespace {

constexpr std::int64_t waiting_min = 10;
constexpr std::int64_t waiting_most = 1'000'000;
constexpr std::string_view tls_ca_setting = "webhooks.tls_ca";

}  // namespace

Settings WebhooksSystem::settings() {
  return {text_setting("webhooks.allow", allow_), text_setting(std::string(tls_ca_setting), tls_ca_),
          number_setting("webhooks.waiting_max", waiting_max_, waiting_min, waiting_most)};
}

void WebhooksSystem::check(Config const& /*config*/) const {
  if (!webhooks::AllowList::parse(allow_)) {
    throw SetupError(
        "webhooks.allow must be hosts, addresses or blocks such as 10.0.0.0/8, separated by commas");
  }
  redis::make_client_tls(tls_ca_, tls_ca_setting);
}

void WebhooksSystem::migrate(sql::Database& sql) { webhooks::migrate_webhooks(sql); }

Task<void> WebhooksSystem::load(Process const& process) {
  background_ = std::make_unique<webhooks::Background>(
      process.io, process.redis, process.sql, process.clock, process.metrics,
      webhooks::Options{.allow = webhooks::AllowList::parse(allow_).value(),
                        .waiting_max = waiting_max_,
                        .tls = redis::make_client_tls(tls_ca_, tls_ca_setting)});
  co_return;
}

Api WebhooksSystem::api() const {
  return {.tables = {webhooks_routes()},
          .tags = {{"webhooks", "Events as they happen, sent to the URLs of others"}}};
}

Part WebhooksSystem::part(IoThread const& thread) {
  return Part(std::shared_ptr<WebhookDesk>(
      new WebhookDesk{.webhooks = webhooks::Webhooks(thread.redis, background_->shared()), .types = types_}));
}

Task<void> WebhooksSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  return webhooks::export_user(at.redis, at.sql, std::move(user), std::move(to));
}

Task<std::string> WebhooksSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  co_await webhooks::forget_user(at.redis, at.sql, std::move(subject.user));
  co_return std::string();
}

Task<void> WebhooksSystem::start() {
  background_->start();
  co_return;
}

}  // namespace larder::api
