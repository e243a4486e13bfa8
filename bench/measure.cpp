#include "measure.hpp"

#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace larder::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Progress {
  Clock::time_point end;
  std::int64_t done = 0;
};

Task<void> client(Progress& progress, int number, std::function<Task<void>(int)> const& once) {
  while (Clock::now() < progress.end) {
    co_await once(number);
    if (Clock::now() < progress.end) ++progress.done;
  }
}

}  // namespace

void run_each(asio::io_context& io, int clients, std::function<Task<void>(int)> const& task) {
  int running = clients;
  std::exception_ptr failure;
  for (int i = 0; i < clients; ++i) {
    asio::co_spawn(io, task(i), [&](std::exception_ptr const& error) {
      if (error) failure = error;
      if (--running == 0) io.stop();
    });
  }
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
}

Rate run_clients(asio::io_context& io, int clients, std::chrono::milliseconds time,
                 std::function<Task<void>(int)> const& once) {
  Progress progress{.end = Clock::now() + time};
  run_each(io, clients, [&](int number) { return client(progress, number, once); });
  return {.per_second = double(progress.done) / std::chrono::duration<double>(time).count(),
          .count = progress.done};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  auto const middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, std::size_t(double(values.size()) * percent / 100))];
}

double median_ratio(std::vector<double> const& figures, std::vector<double> const& others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < figures.size(); ++i) ratios.push_back(figures[i] / others.at(i));
  return median(std::move(ratios));
}

void print_figure(std::string_view name, double value, std::string_view unit) {
  fmt::print("  {:<62} {:>10.{}f} {}\n", name, value, value < 100 ? 2 : 0, unit);
}

void print_limited(std::string_view name, double value, std::string_view unit, double limit) {
  fmt::print("  {:<62} {:>10.2f} {}, at most {:.0f}  {}\n", name, value, unit, limit,
             value <= limit ? "reached" : "MISSED");
}

void print_ratio(std::string_view name, double ratio, double goal) {
  fmt::print("  {:<62} {:>10.2f} goal {:.1f}  {}\n", name, ratio, goal, ratio >= goal ? "reached" : "MISSED");
}

double cpu_seconds(int pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string const text{std::istreambuf_iterator<char>(in), {}};
  std::istringstream fields(text.substr(text.rfind(')') + 2));  // the name may contain any character
  std::vector<std::string> const words{std::istream_iterator<std::string>(fields), {}};
  return (std::stod(words.at(11)) + std::stod(words.at(12))) / double(::sysconf(_SC_CLK_TCK));
}

int child_of(int pid) {
  for (auto const& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid))) {
    std::ifstream in(task.path() / "children");
    if (int child = 0; in >> child) return child;
  }
  return 0;
}

std::string output_of(std::string const& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string output;
  std::array<char, 4096> chunk{};
  while (auto const bytes = std::fread(chunk.data(), 1, chunk.size(), pipe.get()))
    output.append(chunk.data(), bytes);
  if (::pclose(pipe.release()) != 0) throw std::runtime_error(command + " failed: " + output);
  return output;
}

RedisBenchmark::RedisBenchmark(redis::ScriptCall const& call)
    : script(call.script().text()), key_count(call.key_count()) {
  std::vector<std::string_view> views;
  call.append_words(views);
  words.assign(views.begin(), views.end());
}

double redis_benchmark(RedisBenchmark const& of) {
  auto const sha = output_of(
      fmt::format("redis-cli -s {} SCRIPT LOAD \"$(cat <<'EOF'\n{}\nEOF\n)\"", of.socket, of.script));
  // Only whole pipelines: with a remainder, redis-benchmark sometimes loses all its clients before the end.
  auto const count = (of.count + of.in_flight - 1) / of.in_flight * of.in_flight;
  auto command = fmt::to_string(of.key_count);
  for (auto const& word : of.words) command += fmt::format(" '{}'", word);
  return requests_per_second(
      output_of(fmt::format("redis-benchmark -s {} -n {} -c 1 -P {} -r {} --csv EVALSHA {} {} 2>/dev/null",
                            of.socket, count, of.in_flight, of.random_below, sha.substr(0, 40), command)));
}

double requests_per_second(std::string const& csv) {
  // A line "test","rps",... and then one line of figures. The name of the test may contain commas and
  // quotes, so parse from the right.
  auto const line = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  std::vector<std::string> figures;
  for (std::size_t at = line.size(); figures.size() < 7 && at != std::string::npos;) {
    auto const start = line.rfind(',', at - 1);
    figures.push_back(line.substr(start + 2, line.find('"', start + 2) - start - 2));
    at = start;
  }
  return std::stod(figures.back());
}

}  // namespace larder::bench
