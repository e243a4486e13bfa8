// Measures more of the ledger: transfers, lots, memory, the journal, and how the cost grows
// with the number of accounts.
#include "bench_ledger.hpp"
#include "support/sql_servers.hpp"

#include <boost/asio/detached.hpp>

namespace larder::bench {

namespace {

double transfers(Embedded& embedded, Settings const& settings) {
  Entries random(embedded.type());
  int count = 0;
  auto const rate = run_ledger(embedded, clients, settings.time, [&](ledger::Ledger& ledger) -> Task<void> {
    auto const from = random.below(1000);
    (co_await ledger.transfer({.order_id = OrderId::from(fmt::format("t{}", ++count)).value(),
                               .type = embedded.type(),
                               .domain = Domain::from("main").value(),
                               .from = Entries::user(from),
                               .to = Entries::user((from + 1) % 1000),
                               .amount = Amount::from(1).value(),
                               .remark = ""}))
        .value();
  });
  return rate.per_second;
}

// Alternates adds and deductions for users that have `lots` lots each.
double with_lots(Embedded& embedded, Settings const& settings, int lots, std::string_view prefix) {
  constexpr int accounts = 1000;
  auto const account = [&](std::uint64_t number) {
    return ledger::Account{.type = embedded.type(),
                           .domain = Domain::from("main").value(),
                           .uid = UserId::from(fmt::format("{}{}", prefix, number)).value()};
  };
  auto const order = [&](int number) { return OrderId::from(fmt::format("{}-{}", prefix, number)).value(); };
  int count = 0;
  auto const now = SystemClock{}.now();
  int prepared = 0;
  auto const wanted = accounts * (lots + 1);
  // Prepares all of them, however long it takes.
  while (prepared < wanted) {
    run_ledger(embedded, clients, std::chrono::milliseconds(200), [&](ledger::Ledger& ledger) -> Task<void> {
      if (prepared >= wanted) co_return;
      auto const number = prepared++;
      ledger::Entry entry{.order_id = order(++count),
                          .op = ledger::Op::add,
                          .account = account(std::uint64_t(number % accounts)),
                          .amount = Amount::from(1000).value(),
                          .remark = ""};
      if (number >= accounts) entry.expires_at = now + day_ms + number;
      (co_await ledger.post(entry)).value();
    });
  }
  Entries random(embedded.type());
  auto const rate = run_ledger(embedded, clients, settings.time, [&](ledger::Ledger& ledger) -> Task<void> {
    auto const number = ++count;
    ledger::Entry const entry{.order_id = order(number),
                              .op = number % 2 == 0 ? ledger::Op::add : ledger::Op::deduct,
                              .account = account(random.below(accounts)),
                              .amount = Amount::from(1).value(),
                              .remark = ""};
    (co_await ledger.post(entry)).value();
  });
  return rate.per_second;
}

void fill(Embedded& embedded, int accounts) {
  Entries entries(embedded.type());
  int next = 0;
  while (next < accounts) {
    run_ledger(embedded, clients, std::chrono::milliseconds(200), [&](ledger::Ledger& ledger) -> Task<void> {
      if (next >= accounts) co_return;
      (co_await ledger.post(entries.of(std::uint64_t(next++)))).value();
    });
  }
  embedded.drain();
}

void print_memory(Settings const& settings) {
  Embedded embedded(settings.directory / "memory");
  constexpr int accounts = 100'000;
  fill(embedded, 1);
  auto const empty = embedded.memory();
  fill(embedded, accounts);
  auto const once = embedded.memory();
  fill(embedded, accounts);
  auto const twice = embedded.memory();
  auto const order = (twice - once) / accounts;
  print_figure("memory per remembered order", order, "bytes");
  print_figure("memory per account", (once - empty) / accounts - order, "bytes");
}

// Rows per second that the projector moves from a full outbox into SQL, with nothing else to do.
double projected(fs::path const& directory, std::string const& sql_url, std::int64_t rows) {
  asio::io_context io(1);
  SystemClock clock;
  Metrics metrics;
  redis::EmbeddedRedis server({.directory = directory / "redis"});
  sql::Database sql(sql_url, 2, metrics);
  redis::Redis redis(io, {.url = server.url()}, metrics);
  ledger::Background background(io, redis, sql, clock, {}, metrics);
  background.migrate_now();
  double seconds = 0;
  std::exception_ptr failure;
  asio::co_spawn(
      io,
      [&]() -> Task<void> {
        ledger::Ledger ledger(redis, background.shared());
        auto const type = (co_await ledger.create_type({.name = "points"})).value().id;
        Entries entries(type);
        for (std::int64_t row = 0; row < rows;) {
          std::vector<ledger::Entry> batch;
          for (int i = 0; i < 1000; ++i, ++row) batch.push_back(entries.next());
          co_await ledger.post_each(std::move(batch));
        }
        Stopwatch const watch;
        co_await background.start();
        for (auto const& stream : background.shared().keys.outboxes()) {
          co_await events::caught_up(redis, stream, std::chrono::minutes(10));
        }
        seconds = watch.seconds();
        co_await background.stop();
      },
      [&](std::exception_ptr const& thrown) {
        failure = thrown;
        io.stop();
      });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return double(rows) / seconds;
}

// Entries per second when Redis and the journal already have this many accounts.
double with_accounts(Settings const& settings, std::uint64_t accounts) {
  Embedded embedded(settings.directory / fmt::format("accounts{}", accounts));
  auto const script = fmt::format(
      "for i = ARGV[1], ARGV[2] do redis.call('SET', string.format('{{u%012d}}:main:{}:score', i), '5') end",
      embedded.type());
  constexpr std::uint64_t chunk = 10'000;
  for (std::uint64_t first = 0; first < accounts; first += chunk) {
    output_of(fmt::format("redis-cli -s {} EVAL \"{}\" 0 {} {}", embedded.socket(), script, first,
                          first + chunk - 1));
    embedded.sql().write_now([&](sql::Session& session) {
      std::map<std::string, std::vector<sql::Values>> tables;
      for (auto number = first; number < first + chunk; ++number) {
        auto const uid = Entries::user(number);
        tables[fmt::format("score_flow_{}", ledger::partition_of(uid) % 2)].push_back(
            {uid.str(), std::int64_t(1), std::int64_t(0), "first", embedded.type(), "main", "add", "ok",
             std::int64_t(5), std::int64_t(0), std::int64_t(5), std::int64_t(5), "", std::int64_t(1)});
      }
      for (auto const& [table, rows] : tables) {
        session.bulk_insert(table,
                            {"uid", "event_ms", "event_seq", "order_id", "type_id", "domain", "op", "status",
                             "amount", "old_balance", "change_amount", "balance", "remark", "at_ms"},
                            rows);
      }
    });
  }
  Entries entries(embedded.type(), accounts);
  auto const once = [&](ledger::Ledger& ledger) -> Task<void> {
    (co_await ledger.post(entries.next())).value();
  };
  run_ledger(embedded, clients, settings.time / 4, once);
  auto const rate = run_ledger(embedded, clients, settings.time, once).per_second;
  embedded.drain();
  return rate;
}

}  // namespace

void measure_more(Settings const& settings, double library_rate) {
  std::vector<double> moved, plain, rich, few, many;
  for (int round = 0; round < settings.rounds; ++round) {
    fmt::print(stderr, "more, round {} of {}\n", round + 1, settings.rounds);
    {
      Embedded embedded(settings.directory / fmt::format("more{}", round));
      fill(embedded, 1000);
      moved.push_back(transfers(embedded, settings));
      embedded.drain();
      plain.push_back(with_lots(embedded, settings, 0, "p"));
      embedded.drain();
      rich.push_back(with_lots(embedded, settings, 20, "l"));
      embedded.drain();
    }
    few.push_back(with_accounts(settings, 10'000));
    many.push_back(with_accounts(settings, 1'000'000));
    fs::remove_all(settings.directory / "accounts10000");
    fs::remove_all(settings.directory / "accounts1000000");
  }
  fmt::print("\nthe rest of the ledger; library, 64 clients, medians of {} rounds\n", settings.rounds);
  print_figure("transfers", median(moved), "transfers/s");
  print_figure("adds and deductions, accounts without lots", median(plain), "entries/s");
  print_figure("adds and deductions, accounts with 20 lots", median(rich), "entries/s");
  print_ratio("with lots / without", median(rich) / median(plain), 0.3);
  print_memory(settings);
  constexpr std::int64_t rows = 100'000;
  auto const lite = settings.directory / "projector-sqlite";
  fs::create_directories(lite);
  auto const sqlite = projected(lite, "sqlite:" + (lite / "larder.db").string(), rows);
  auto const postgresql =
      projected(settings.directory / "projector-postgresql", test::postgresql_server().new_database(), rows);
  print_figure("projector into SQLite", sqlite, "rows/s");
  print_figure("projector into PostgreSQL", postgresql, "rows/s");
  print_ratio("projector into SQLite / entries that arrive", sqlite / library_rate, 1);
  print_ratio("projector into PostgreSQL / entries that arrive", postgresql / library_rate, 1);
  print_figure("entries with 10^4 accounts", median(few), "entries/s");
  print_figure("entries with 10^6 accounts", median(many), "entries/s");
  print_ratio("10^6 accounts / 10^4 accounts", median(many) / median(few), 0.8);
}

}  // namespace larder::bench
