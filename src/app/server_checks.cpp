#include "app/server_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace larder {

namespace {

// The gauges with this name that are above `most`, as text: "ledger: 7".
std::string above(Metrics const& metrics, std::string const& gauge, std::string const& label, double most,
                  std::string_view unit) {
  std::vector<std::string> found;
  for (auto const& [labels, value] : metrics.gauges(gauge)) {
    if (value > most) found.push_back(fmt::format("{}: {:.0f}{}", labels.at(label), value, unit));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

using Words = std::function<std::string()>;

http::ReadyCheck check(std::string name, Words words, bool only_degrades = false) {
  return {.name = std::move(name),
          .ask = [words = std::move(words)]() -> Task<std::string> { co_return words(); },
          .only_degrades = only_degrades};
}

}  // namespace

std::vector<http::ReadyCheck> server_checks(Config const& config, Clock const& clock,
                                            Metrics const& metrics) {
  auto const late = [&metrics](std::string const& gauge, std::string const& label, std::int64_t most_s,
                               std::string_view what) {
    auto const found = above(metrics, gauge, label, double(most_s), " s");
    return found.empty() ? found : fmt::format("{} ({}; {} s are allowed)", what, found, most_s);
  };
  auto const dead = [&metrics](std::string const& gauge, std::string const& label, std::string_view what) {
    auto const found = above(metrics, gauge, label, 0, "");
    return found.empty() ? found : fmt::format("{} ({})", what, found);
  };
  return {
      check("clock", [&clock] { return clock.problem(); }),
      check("outbox",
            [late, most_s = config.server.outbox_lag_max_s] {
              return late("larder_outbox_lag_seconds", "outbox", most_s,
                          "events wait too long to reach SQL: see whether SQL is slow or refuses writes; the "
                          "log says why they wait");
            }),
      check("schedule",
            [late, most_s = config.server.schedule_lag_max_s] {
              return late("larder_schedule_lag_seconds", "schedule", most_s,
                          "work that is due is not done: the log says why it waits; if it says nothing, "
                          "restart this server");
            }),
      check("lost",
            [lost = dead] {
              return lost(
                  "larder_outbox_lost", "outbox",
                  "Redis or SQL has lost data, so nothing may be written: the log names what is missing; "
                  "operating.md says how to repair it");
            }),
      check(
          "dead_events",
          [dead] {
            return dead("larder_outbox_dead", "outbox",
                        "SQL refuses events, so the journal lacks them: run `larder outbox dead list`");
          },
          true),
      check(
          "dead_work",
          [dead] {
            return dead("larder_scheduled_dead", "schedule",
                        "work failed too often and waits for a person: operating.md says how to requeue it");
          },
          true)};
}

}  // namespace larder
