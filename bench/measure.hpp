// Runs things for a while and counts them.
#pragma once

#include "base/task.hpp"
#include "stores/redis/script_call.hpp"

#include <functional>
#include <string>
#include <vector>

namespace larder::bench {

struct Rate {
  double per_second = 0;
  std::int64_t count = 0;
};

// Runs `clients` tasks to their end. Runs the io_context on the calling thread.
void run_each(asio::io_context& io, int clients, std::function<Task<void>(int client)> const& task);

// `clients` coroutines call `once` again and again until the time is over. The rate counts the calls that
// ended in time. Runs the io_context on the calling thread.
Rate run_clients(asio::io_context& io, int clients, std::chrono::milliseconds time,
                 std::function<Task<void>(int client)> const& once);

double median(std::vector<double> values);
double percentile(std::vector<double> values, double percent);
// The median of the ratios of figures that were measured side by side. A disturbance that slowed down both
// figures of a pair cancels out.
double median_ratio(std::vector<double> const& figures, std::vector<double> const& others);

// Print one line.
void print_figure(std::string_view name, double value, std::string_view unit);
void print_limited(std::string_view name, double value, std::string_view unit, double limit);
void print_ratio(std::string_view name, double ratio, double goal);

// User and system time of a process so far, in seconds.
double cpu_seconds(int pid);
// The first child of a process; 0 if it has none.
int child_of(int pid);

// The output of a shell command. Throws if the command fails.
std::string output_of(std::string const& command);

// Runs a script again and again over one connection. In the keys and arguments, __rand_int__ becomes a number
// of twelve digits, a new one for each call.
struct RedisBenchmark {
  explicit RedisBenchmark(redis::ScriptCall const& call);

  std::string_view script;
  std::size_t key_count;
  std::vector<std::string> words;  // keys, then arguments
  std::string socket;
  std::int64_t count = 0;
  int in_flight = 1;
  int random_below = 1;
};
double redis_benchmark(RedisBenchmark const& of);  // calls per second

// Reads the output of redis-benchmark --csv.
double requests_per_second(std::string const& csv);

}  // namespace larder::bench
