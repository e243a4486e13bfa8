// The settings that this server uses.
#include "edges/api/admin/admin_api.hpp"

namespace larder::api {

namespace {

struct NoQuery {};

json::value to_json(SettingValue const& value) {
  return std::visit([](auto const& one) { return json::value(one); }, value);
}

Answering get_settings(AdminDesk& desk, NoQuery) {
  json::array items;
  for (auto const& setting : desk.operators.settings)
    items.push_back({{"name", setting.name}, {"value", to_json(shown_value(setting))}});
  co_return json_response({{"items", std::move(items)}});
}

}  // namespace

std::span<Route const> admin_setting_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/settings",
       Scope::admin,
       handle(Schema<NoQuery>(), &get_settings),
       {.id = "get_settings",
        .summary = "Shows the settings that this server uses; passwords in URLs are hidden",
        .answer = {required(
            "items",
            type::array(
                type::object({required("name", type::text(), "the section and the key, such as redis.url"),
                              required("value", type::one_of({type::text(), type::integer(), type::boolean}),
                                       "as `larder config dump` prints it")})
                    .named("Setting")),
            "every setting, in the order of `larder config dump`")}}},
  };
  return routes;
}

}  // namespace larder::api
