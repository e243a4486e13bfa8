#include "edges/api/economy/economy_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/read_file.hpp"
#include "edges/cli/words.hpp"
#include "systems/economy/catalogue_command.hpp"
#include "systems/economy/economy_rebuild.hpp"
#include "systems/economy/economy_verify.hpp"

#include <fmt/ranges.h>

#include <ranges>

namespace larder::api {

namespace {

economy::RealmId realm_named(redis::Redis& redis, std::string const& name) {
  auto const id = economy::RealmId::from(name);
  if (!id) throw SetupError(fmt::format("--realm {}", economy::RealmId::expectation()));
  if (redis.is_cluster() && name == economy::default_realm) {
    throw SetupError("a cluster cannot have the default realm; give --realm a name such as main");
  }
  return *id;
}

Task<std::size_t> load_into(redis::Redis& redis, economy::EconomyJournal& journal, std::string realm,
                            bool create, economy::CataloguePtr catalogue) {
  auto const known = co_await economy::all_realms(redis);
  auto const realms = realm.empty() ? known : std::vector{realm_named(redis, realm)};
  if (!realm.empty() && !create && std::ranges::find(known, realms[0]) == known.end()) {
    throw SetupError(fmt::format("there is no realm {}; the realms are: {}. Give --create to create it",
                                 realm,
                                 fmt::join(known | std::views::transform(&economy::RealmId::str), ", ")));
  }
  auto const if_missing = create && !realm.empty() ? economy::IfMissing::create : economy::IfMissing::leave;
  std::size_t loaded = 0;
  for (auto const& id : realms) {
    auto const given = co_await economy::give_catalogue(redis, journal, id, catalogue, if_missing);
    if (given == economy::Given::loaded) {
      ++loaded;
      fmt::print("realm {} has catalogue {} with {}\n", id.str(), catalogue->version,
                 cli::counted(catalogue->items.size(), "item"));
    } else if (!realm.empty()) {
      throw SetupError(given == economy::Given::closed
                           ? fmt::format("the realm {} is being deleted; try again when that is done, with "
                                         "--create if it shall begin anew",
                                         realm)
                           : fmt::format("there is no realm {}; give --create to create it", realm));
    } else if (given == economy::Given::closed) {
      fmt::print("realm {} is being deleted and was left out\n", id.str());
    }
  }
  co_return loaded;
}

Task<economy::VerifyReport> verify_realms(redis::Redis& redis, economy::EconomyJournal& journal,
                                          std::string realm, economy::VerifyOptions options) {
  auto realms = co_await economy::realms_to_verify(redis, journal);
  if (!realm.empty()) {
    auto const id = realm_named(redis, realm);
    if (std::ranges::find(realms, id) == realms.end()) {
      throw SetupError(fmt::format("there is no realm {}; the realms are: {}", realm,
                                   fmt::join(realms | std::views::transform(&economy::RealmId::str), ", ")));
    }
    realms = {id};
  }
  co_return co_await economy::verify(redis, journal, std::move(realms), std::move(options));
}

}  // namespace

economy::CataloguePtr read_catalogue_file(std::string const& file) {
  auto catalogue = economy::parse_catalogue(cli::read_file(file, "catalogue"));
  if (!catalogue) throw SetupError(fmt::format("{}: {}", file, catalogue.error().detail));
  return std::make_shared<economy::Catalogue const>(std::move(*catalogue));
}

namespace {

int check_items(cli::Context& context) {
  auto const file = context.value("file");
  auto const catalogue = read_catalogue_file(file);
  fmt::print("{} is valid: version {}, {}, {}\n", file, catalogue->version,
             cli::counted(catalogue->items.size(), "item"),
             cli::counted(catalogue->rewards.size(), "reward"));
  return 0;
}

int load_items(cli::Context& context) {
  economy::EconomyJournal journal(context.sql());
  auto const catalogue = read_catalogue_file(context.value("file"));
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it);
  if (cli::run_here(redis.io, load_into(*redis, journal, context.value("--realm"),
                                        !context.value("--create").empty(), catalogue)) == 0) {
    throw SetupError("there is no realm yet; give --realm the name of one, and --create");
  }
  return 0;
}

int verify_economy(cli::Context& context) {
  economy::EconomyJournal journal(context.sql());
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it);
  cli::ProgressLine line;
  economy::VerifyOptions const options{
      .difference =
          [&](std::string const& difference) {
            line.clear();
            fmt::print("{}\n", difference);
          },
      .progress =
          [&](economy::VerifyReport const& so_far) {
            line.show([&](double seconds) {
              return fmt::format("{} players ({}), {} differences", so_far.players,
                                 cli::per_second(so_far.players, seconds), so_far.differences);
            });
          }};
  auto const report =
      cli::run_here(redis.io, verify_realms(*redis, journal, context.value("--realm"), options));
  line.clear();
  fmt::print("{}: compared {} of {} with their events\n", cli::differences(report.differences),
             cli::counted(report.players, "player"), cli::counted(report.realms, "realm"));
  return report.differences == 0 ? 0 : 1;
}

int rebuild_economy(cli::Context& context, std::string const& catalogue_file) {
  economy::EconomyJournal journal(context.sql());
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_refuse);
  cli::ProgressLine line;
  economy::RebuildOptions options{
      .problem =
          [&](std::string const& problem) {
            line.clear();
            fmt::print(stderr, "{}\n", problem);
          },
      .progress =
          [&](economy::RebuildReport const& so_far) {
            line.show([&](double seconds) {
              return fmt::format("{} realms, {} players ({}), {} states", so_far.realms, so_far.players,
                                 cli::per_second(so_far.players, seconds), so_far.states);
            });
          }};
  if (!catalogue_file.empty()) options.catalogue = read_catalogue_file(catalogue_file);
  auto const report = cli::run_here(redis.io, economy::rebuild(*redis, journal, std::move(options)));
  line.clear();
  fmt::print("rebuilt {} with {}\n", cli::counted(report.realms, "realm"),
             cli::counted(report.players, "player"));
  if (report.problems > 0) {
    fmt::print("{} could not be read and left out\n", cli::counted(report.problems, "state"));
  }
  return 0;
}

}  // namespace

std::vector<cli::Command> economy_commands(std::string const& catalogue_file) {
  return {
      {.name = "economy",
       .summary = "Checks and loads catalogues, compares Redis with the events, and rebuilds it",
       .example = "larder economy items check my-game.json"},
      {.name = "economy items",
       .summary = "Checks a catalogue, or gives it to realms",
       .example = "larder economy items check my-game.json"},
      {.name = "economy items check",
       .summary = "Checks a catalogue and names the field that is wrong",
       .example = "larder economy items check my-game.json",
       .options = {{.name = "file", .help = "the catalogue, a JSON file", .required = true}},
       .takes_settings = false,
       .run = check_items},
      {.name = "economy items load",
       .summary = "Gives a catalogue to every realm, or to one. Running servers use it from their\n"
                  "next move on, and later starts leave it alone",
       .example = "larder economy items load my-game.json --realm main",
       .options = {{.name = "file", .help = "the catalogue, a JSON file", .required = true},
                   {.name = "--realm", .help = "only this realm"},
                   {.name = "--create", .help = "create the realm if it is new", .flag = true}},
       .run = load_items},
      {.name = "economy verify",
       .summary = "Compares every balance and inventory in Redis with the events. Prints a line\n"
                  "for each difference; the exit code is 1 if there is any. It may run\n"
                  "while servers are running",
       .example = "larder economy verify --data /var/lib/larder",
       .options = {{.name = "--realm", .help = "only this realm"}},
       .run = verify_economy},
      {.name = "economy rebuild",
       .summary = "Fills a Redis that was lost, or that has lost realms, from the events in SQL.\n"
                  "Realms that Redis still has are left alone. Refuses a Redis that a server\n"
                  "uses. If the command is cut off, run it again",
       .example = "larder economy rebuild --data /var/lib/larder",
       .run = [&catalogue_file](cli::Context& context) { return rebuild_economy(context, catalogue_file); }}};
}

}  // namespace larder::api
