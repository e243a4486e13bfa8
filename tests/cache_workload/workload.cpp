#include "cache_workload/workload.hpp"

#include "cache_workload/generator.hpp"

namespace larder::cache {

namespace {

constexpr std::size_t events_max = 100;     // of a request
constexpr std::size_t events_of_death = 5;  // of a request whose sender dies

struct Drawn {
  std::string text;
  json::value value;
};

void apply_all(Model& model, std::vector<Drawn> const& events) {
  for (auto const& event : events) model.apply(event.value);
}

// Whether a part of the events and then all of them give the same as all of them once. That is not true of,
// say, a message with a poll and then a vote: the poll comes without votes again, and the vote is known
// already.
bool may_come_again(Model const& before, std::vector<Drawn> const& events, Snapshot const& after) {
  Model part = before;
  for (auto const& event : events) {
    part.apply(event.value);
    Model again = part;
    apply_all(again, events);
    if (again.snapshot() != after) return false;
  }
  return true;
}

class Shard {
 public:
  Shard(PlanOptions const& options, std::uint64_t number)
      : options_(options),
        model_(options.shards),
        generator_({options.seed * 1'000'003 + number}, number, options.shards, model_) {}

  std::vector<Request> draw(std::size_t events) {
    std::vector<Request> requests;
    auto& random = generator_.random();
    while (drawn_ < events) {
      if (generator_.wants_webhook()) {
        auto const webhook = generator_.webhook();
        model_.put_webhook(webhook);
        requests.push_back({.dispatches = {written(webhook, random)}, .is_webhook = true});
        continue;
      }
      bool const dying = options_.deaths && random.chance(1, 4);
      auto const size = 1 + random.below(dying ? events_of_death : events_max);
      requests.push_back(draw_request(size, dying));
    }
    return requests;
  }
  Model const& model() const { return model_; }
  std::size_t deaths() const { return deaths_; }

 private:
  Request draw_request(std::size_t size, bool dying) {
    Request request;
    auto const before = dying ? std::optional(model_) : std::nullopt;
    std::vector<Drawn> events;
    for (std::size_t i = 0; i < size; ++i) {
      auto text = written(generator_.next(), generator_.random());
      auto value = json::parse(text);
      model_.apply(value);
      request.dispatches.push_back(text);
      if (++drawn_ % 10 == 0) request.dispatches.push_back(text);
      events.push_back({std::move(text), std::move(value)});
    }
    request.dies = dying && may_come_again(*before, events, model_.snapshot());
    deaths_ += request.dies ? 1 : 0;
    return request;
  }

  PlanOptions options_;
  Model model_;
  Generator generator_;
  std::size_t drawn_ = 0;
  std::size_t deaths_ = 0;
};

}  // namespace

Plan draw_plan(PlanOptions const& options) {
  Plan plan;
  Model all(options.shards);
  for (std::uint64_t number = 0; number < options.shards; ++number) {
    Shard shard(options, number);
    plan.shards.push_back(shard.draw(options.events / options.shards));
    all.add(shard.model());
    plan.deaths += shard.deaths();
    for (auto const& request : plan.shards.back()) plan.events += request.dispatches.size();
  }
  plan.expected = all.snapshot();
  return plan;
}

}  // namespace larder::cache
