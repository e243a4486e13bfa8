// The realms themselves.
#include "edges/api/economy/economy_api.hpp"
#include "edges/api/economy/economy_json.hpp"

namespace larder::api {

namespace {

struct OneRealm {
  economy::RealmId realm;
};

Answering put_realm(EconomyPart& part, OneRealm one) {
  auto const name = one.realm.str();
  CO_TRY(auto const made, co_await part.economy.create(std::move(one.realm)));
  co_return json_response({{"realm", name}, {"version", made.catalogue->version}, {"created", made.created}});
}

Answering delete_realm(EconomyPart& part, OneRealm one) {
  CO_TRY_DO(co_await part.economy.remove(std::move(one.realm)));
  co_return no_content();
}

struct RealmList {
  std::int64_t limit = limits::page_default;
  std::string after;
};

bool read_realm_cursor(std::string const& cursor, RealmList& list) {
  list.after = cursor;
  return bool(economy::RealmId::from(cursor));
}

Answering list_realms(EconomyPart& part, RealmList asked) {
  auto realms = co_await part.economy.realms();
  std::erase_if(realms, [&](economy::RealmId const& id) { return id.str() <= asked.after; });
  if (realms.size() > std::size_t(asked.limit)) realms.resize(std::size_t(asked.limit));
  co_return page_response(
      realms, asked.limit, [](economy::RealmId const& id) { return json::object{{"realm", id.str()}}; },
      [](economy::RealmId const& id) { return id.str(); });
}

Schema<OneRealm> one_realm() {
  return Schema<OneRealm>().path("realm", realm_kind, &OneRealm::realm, realm_says);
}

}  // namespace

std::span<Route const> economy_realm_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::put,
       "/v1/economy/{realm}",
       Scope::admin,
       handle(one_realm(), &put_realm),
       {.id = "create_realm",
        .summary = "Creates a realm, if it does not exist; the first move that succeeds does so, too",
        .answer = {required("realm", type::text(), "the name of the realm"),
                   required("version", type::text(), "the version of its catalogue"),
                   required("created", type::boolean, "false: the realm existed")},
        .refusals = {errors::realm_needs_name, errors::realm_closed, errors::realm_lost}}},
      {Method::delete_,
       "/v1/economy/{realm}",
       Scope::admin,
       handle(one_realm(), &delete_realm),
       {.id = "delete_realm",
        .summary = "Closes a realm at once, then deletes all its players and events",
        .status = 204,
        .refusals = {errors::realm_needs_name, errors::realm_not_found}}},
      {Method::get,
       "/v1/economy",
       Scope::economy,
       handle(Schema<RealmList>().page(&RealmList::limit, read_realm_cursor), &list_realms),
       {.id = "list_realms",
        .summary = "Lists the realms by name",
        .answer = {required("realm", type::text(), "the name of the realm")}}},
  };
  return routes;
}

}  // namespace larder::api
