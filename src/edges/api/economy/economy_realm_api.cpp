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

}  // namespace

std::span<Route const> economy_realm_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::put,
       "/v1/economy/{realm}",
       Scope::admin,
       handle(Schema<OneRealm>().path("realm", realm_kind, &OneRealm::realm, realm_says), &put_realm),
       {.id = "create_realm",
        .summary = "Creates a realm, if it does not exist; the first move that succeeds does so, too",
        .answer = {required("realm", type::text(), "the name of the realm"),
                   required("version", type::text(), "the version of its catalogue"),
                   required("created", type::boolean, "false: the realm existed")},
        .refusals = {errors::realm_needs_name}}},
  };
  return routes;
}

}  // namespace larder::api
