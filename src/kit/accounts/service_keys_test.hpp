// Service keys on each database.
#pragma once

#include "kit/accounts/accounts_schema.hpp"
#include "kit/accounts/service_keys.hpp"
#include "support/run.hpp"
#include "support/sql_databases.hpp"

namespace larder::accounts {

class ServiceKeysCase : public test::OnEachDatabase {
 protected:
  ServiceKeysCase() { migrate_accounts(sql); }

  Result<NewServiceKey> create(KeyTerms const& terms) {
    return sql.write_now(
        [&](sql::Session& session) { return create_service_key(session, terms, clock.now()); });
  }
  Result<NewServiceKey> create(std::string_view name, ScopeSet scopes) {
    return create({.name = std::string(name), .scopes = scopes});
  }
  Result<ServiceKey> change(std::string_view id, KeyChange const& change) {
    return sql.write_now(
        [&](sql::Session& session) { return change_service_key(session, id, change, clock.now()); });
  }
  Result<NewServiceKey> rotate(std::string_view id, std::int64_t overlap_s) {
    return sql.write_now(
        [&](sql::Session& session) { return rotate_service_key(session, id, overlap_s, clock.now()); });
  }
  Result<ServiceKey> revoke(std::string_view id) {
    return sql.write_now([&](sql::Session& session) { return revoke_service_key(session, id, clock.now()); });
  }
  std::vector<ServiceKey> list() {
    return sql.read_now([](sql::Session& session) { return list_service_keys(session); });
  }
  template <class T>
  static T run(Task<T> task) {
    asio::io_context io;
    return test::run(io, std::move(task));
  }
  Result<Caller> authenticate(std::string const& header) {
    return run(keys.authenticate({.authorization = header}));
  }
  std::string stored_scopes_of(std::string const& id) {
    return sql.read_now([&](sql::Session& session) {
      return session.query("SELECT scopes FROM service_key WHERE id = ?", {id}).at(0).text(0);
    });
  }
  // The name of the key, or the name of the refusal.
  std::string who(std::string const& header) {
    auto const caller = authenticate(header);
    return caller ? caller->name : std::string(caller.error().code.name);
  }

  TestClock clock{{1'767'225'600'000}};
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  ServiceKeys keys{sql, clock};
};
}  // namespace larder::accounts
