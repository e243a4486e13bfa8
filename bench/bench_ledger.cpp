#include "bench_ledger.hpp"

namespace larder::bench {

Embedded::Embedded(fs::path const& directory) : ledger_({.data = directory}) {
  sql().write_now([](sql::Session& session) {
    session.execute(
        "CREATE TABLE original_flow (id INTEGER PRIMARY KEY AUTOINCREMENT, order_id VARCHAR(128) UNIQUE, uid "
        "VARCHAR(64), type_id BIGINT, domain VARCHAR(64), op INT, status INT, old_balance BIGINT, "
        "change_amount BIGINT, balance BIGINT, remark VARCHAR(256), at_ms BIGINT)");
  });
  type_ = ledger_.run(ledger_.ledger().create_type({.name = "points"})).value().id;
}

double Embedded::drain() {
  Stopwatch const watch;
  auto& io = new_io();
  redis::Redis redis(io, redis_options(), metrics());
  asio::co_spawn(
      io,
      [&]() -> Task<void> {
        for (auto const& stream : shared().keys.outboxes()) {
          co_await events::caught_up(redis, stream, std::chrono::minutes(10));
        }
        io.stop();
      },
      asio::detached);
  io.run();
  return watch.seconds();
}

double Embedded::memory() {
  auto const text = output_of(fmt::format("redis-cli -s {} INFO memory", socket()));
  constexpr std::string_view mark = "used_memory:";
  return std::stod(text.substr(text.find(mark) + mark.size()));
}

ledger::Entry Entries::of(std::uint64_t number) {
  return {.order_id = OrderId::from(fmt::format("o{:012}", random_.below(1'000'000'000'000))).value(),
          .op = ledger::Op::add,
          .account = {.type = type_, .domain = Domain::from("main").value(), .uid = user(number)},
          .amount = Amount::from(5).value(),
          .remark = ""};
}

Rate run_ledger(Embedded& embedded, int in_flight, std::chrono::milliseconds time,
                std::function<Task<void>(ledger::Ledger&)> const& once) {
  auto& io = embedded.new_io();
  redis::Redis redis(io, embedded.redis_options(), embedded.metrics());
  ledger::Ledger ledger(redis, embedded.shared());
  return run_clients(io, in_flight, time, [&](int) { return once(ledger); });
}

}  // namespace larder::bench
