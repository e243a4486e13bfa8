// Measures deliveries of webhooks: how many a server makes per second, to one and to several webhooks, while
// entries are posted and their events reach SQL. Everything runs on one machine, so the receiver takes a part
// of it.
#include "measure.hpp"
#include "server.hpp"
#include "webhook_receiver.hpp"

#include <fmt/format.h>

#include <deque>
#include <thread>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;

constexpr int users = 1000;
constexpr int entries_per_batch = 100;

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::int64_t events = 10'000;
};

// The body of the answer to a POST.
std::string post(Server const& server, std::string_view path, std::string_view body) {
  return output_of(
      fmt::format("curl -sf -H 'Authorization: Bearer {}' -H 'Content-Type: application/json' "
                  "http://127.0.0.1:{}{} -d '{}'",
                  server.token(), server.port(), path, body));
}

std::string batch(std::int64_t first, int of_users) {
  std::string body = R"({"mode":"continue","entries":[)";
  for (int i = 0; i < entries_per_batch; ++i) {
    auto const number = first + i;
    fmt::format_to(std::back_inserter(body),
                   R"({}{{"order_id":"o{}","op":"add","type":1,"domain":"main","uid":"u{}","amount":1}})",
                   i == 0 ? "" : ",", number, number % of_users);
  }
  return body + "]}";
}

// Posts the events, and waits until all receivers have all of them. Returns the deliveries per second.
double deliver(Settings const& settings, int webhooks, int of_users, int round) {
  auto const directory = settings.directory / fmt::format("webhooks-{}-{}-{}", webhooks, of_users, round);
  Server const server(
      settings.larder, directory,
      {"webhooks.allow=127.0.0.1", "webhooks.waiting_max=1000000", "server.access_log=false"});
  post(server, "/v1/ledger/types", R"({"name":"bench"})");
  std::deque<WebhookReceiver> receivers;
  for (int i = 0; i < webhooks; ++i) {
    post(server, "/v1/webhooks",
         fmt::format(R"({{"url":"{}","systems":["ledger"]}})", receivers.emplace_back().url()));
  }
  auto const begin = std::chrono::steady_clock::now();
  for (std::int64_t first = 0; first < settings.events; first += entries_per_batch) {
    post(server, "/v1/ledger/entries/batch", batch(first, of_users));
  }
  for (auto const& receiver : receivers) {
    while (receiver.count() < settings.events) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  auto const time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return double(settings.events * webhooks) / time;
}

void run(Settings const& settings) {
  struct Case {
    std::string_view name;
    int webhooks;
    int users;
  };
  for (auto const& [name, webhooks, of_users] :
       {Case{"one webhook, 1000 users", 1, users}, Case{"four webhooks, 1000 users", 4, users},
        Case{"one webhook, one user (one lane)", 1, 1}}) {
    std::vector<double> figures;
    for (int round = 0; round < settings.rounds; ++round)
      figures.push_back(deliver(settings, webhooks, of_users, round));
    print_figure(name, median(figures), "deliveries/s");
  }
}

}  // namespace

}  // namespace larder::bench

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc < 3) {
    fmt::print(stderr, "usage: webhooks_bench DIRECTORY LARDER [ROUNDS [EVENTS]]\n");
    return 2;
  }
  larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
  if (argc > 3) settings.rounds = std::stoi(argv[3]);
  if (argc > 4) settings.events = std::stoll(argv[4]);
  settings.events -= settings.events % larder::bench::entries_per_batch;
  fs::remove_all(settings.directory);
  fs::create_directories(settings.directory);
  larder::bench::run(settings);
  fs::remove_all(settings.directory);
}
