#include "app/economy_commands.hpp"

#include "app/command_tools.hpp"
#include "systems/economy/economy_verify.hpp"
#include "systems/economy/realm_catalogue.hpp"

#include <fstream>
#include <sstream>

namespace larder {

namespace {

// The one that was named, or all there are.
Task<std::vector<economy::RealmId>> realms_of(redis::Redis& redis, std::string name) {
  if (name.empty()) co_return co_await economy::all_realms(redis);
  auto const id = economy::RealmId::from(name);
  if (!id) throw SetupError(fmt::format("--realm {}", economy::RealmId::expectation()));
  co_return std::vector{*id};
}

Task<std::size_t> load_into(redis::Redis& redis, std::string realm, economy::CataloguePtr catalogue) {
  auto const realms = co_await realms_of(redis, std::move(realm));
  for (auto const& id : realms) {
    if (redis.is_cluster() && id.str() == economy::default_realm) {
      throw SetupError("a cluster cannot have the default realm; give --realm a name");
    }
    co_await economy::register_realm(redis, id);
    co_await economy::load_catalogue(redis, economy::RealmKeys(id), catalogue,
                                     economy::CatalogueSource::command);
    fmt::print("realm {} has catalogue {} with {} items\n", id.str(), catalogue->version,
               catalogue->items.size());
  }
  co_return realms.size();
}

Task<economy::VerifyReport> verify_realms(redis::Redis& redis, economy::EconomyJournal& journal,
                                          std::string realm, economy::VerifyOptions options) {
  auto realms = co_await realms_of(redis, std::move(realm));
  co_return co_await economy::verify(redis, journal, std::move(realms), std::move(options));
}

}  // namespace

economy::CataloguePtr read_catalogue_file(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw SetupError(fmt::format("cannot read the catalogue {}", file));
  auto catalogue = economy::parse_catalogue(text.str());
  if (!catalogue) throw SetupError(fmt::format("{}: {}", file, catalogue.error().detail));
  return std::make_shared<economy::Catalogue const>(std::move(*catalogue));
}

int check_items(std::string const& file) {
  auto const catalogue = read_catalogue_file(file);
  fmt::print("{} is right: version {}, {} items, {} rewards\n", file, catalogue->version,
             catalogue->items.size(), catalogue->rewards.size());
  return 0;
}

int load_items(Config const& config, std::string const& file, std::string const& realm, Metrics& metrics) {
  auto const catalogue = read_catalogue_file(file);
  TheRedis redis(config, metrics, TheRedis::If::it_runs_use_it);
  if (run_here(redis.io, load_into(*redis, realm, catalogue)) == 0) {
    throw SetupError("there is no realm yet; give --realm the name of one to make (default has no prefix)");
  }
  return 0;
}

int verify_economy(Config const& config, Sql& sql, std::string const& realm, Metrics& metrics) {
  TheRedis redis(config, metrics, TheRedis::If::it_runs_use_it);
  economy::EconomyJournal journal(sql);
  ProgressLine line;
  economy::VerifyOptions const options{.difference =
                                           [&](std::string const& difference) {
                                             line.clear();
                                             fmt::print("{}\n", difference);
                                           },
                                       .progress =
                                           [&](economy::VerifyReport const& so_far) {
                                             line.show([&](double seconds) {
                                               return fmt::format(
                                                   "{} players ({}), {} differences", so_far.players,
                                                   per_second(so_far.players, seconds), so_far.differences);
                                             });
                                           }};
  auto const report = run_here(redis.io, verify_realms(*redis, journal, realm, options));
  line.clear();
  fmt::print("{} difference{}: compared {} players of {} realm{} with their events\n",
             report.differences == 0 ? "no" : fmt::to_string(report.differences),
             report.differences == 1 ? "" : "s", report.players, report.realms,
             report.realms == 1 ? "" : "s");
  return report.differences == 0 ? 0 : 1;
}

}  // namespace larder
