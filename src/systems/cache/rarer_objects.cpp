// Applications, invites and webhooks.
#include "base/try.hpp"
#include "systems/cache/objects.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::cache {

Result<Id> Objects::put_application(std::string_view value) {
  TRY(auto application, object_in(value, "application"));
  TRY(auto const id, id_of(application, "id"));
  TRY_DO(take_out(application, "owner", &Objects::put_user));
  TRY_DO(take_out(application, "bot", &Objects::put_user));
  if (is_object(application.find("team"))) {
    TRY(auto team, object_in(application.find("team"), "team"));
    std::vector<std::string> members;
    for (auto const element : elements_of(team.find("members"))) {
      TRY(auto member, object_in(element, "team member"));
      TRY_DO(take_out(member, "user", &Objects::put_user));
      members.push_back(member.text());
    }
    if (is_array(team.find("members"))) team.set("members", array_of({members.begin(), members.end()}));
    application.set("team", team.text());
  }
  if (keeps(Resource::applications)) {
    merge_text(keys().application(id), application, Resource::applications);
  }
  return id;
}

Result<std::string_view> Objects::put_invite(std::string_view value) {
  TRY(auto invite, object_in(value, "invite"));
  auto const text = invite.find("code");
  auto const code = is_string(text) ? text.substr(1, text.size() - 2) : std::string_view();
  if (!is_code(code)) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = "code must be 1 to 64 letters, digits and hyphens",
                                 .field = "code"});
  }
  TRY(auto const guild, optional_id_of(invite, "guild_id"));
  TRY(auto const channel, optional_id_of(invite, "channel_id"));
  TRY_DO(take_out(invite, "inviter", &Objects::put_user));
  TRY_DO(take_out(invite, "target_user", &Objects::put_user));
  if (!keeps(Resource::invites)) return code;
  auto ttl = this->ttl(Resource::invites);
  if (auto const age_s = int_in(invite.find("max_age")); age_s && *age_s > 0) {
    constexpr std::int64_t age_s_max = 10LL * 366 * 86'400;
    Workspace::Ttl const left = std::chrono::seconds(std::min(*age_s, age_s_max));
    ttl = ttl.count() > 0 ? std::min(ttl, left) : left;
  }
  workspace_.set_text(keys().invite(code), invite.text(), ttl);
  if (guild)
    workspace_.set_field(keys().invites_of(*guild), code, std::string(channel.value_or("0")), {},
                         Role::index);
  return code;
}

Result<Id> Objects::put_webhook(std::string_view value) {
  TRY(auto webhook, object_in(value, "webhook"));
  TRY(auto const id, id_of(webhook, "id"));
  TRY(auto const guild, optional_id_of(webhook, "guild_id"));
  TRY(auto const channel, optional_id_of(webhook, "channel_id"));
  TRY(auto const application, optional_id_of(webhook, "application_id"));
  TRY_DO(take_out(webhook, "user", &Objects::put_user));
  if (!keeps(Resource::webhooks)) return id;
  workspace_.set_text(keys().webhook(id), webhook.text(), ttl(Resource::webhooks));
  if (guild) {
    workspace_.set_field(keys().webhooks_of(*guild), id,
                         fmt::format("{}:{}", channel.value_or("0"), application.value_or("0")), {},
                         Role::index);
  }
  return id;
}

}  // namespace larder::cache
