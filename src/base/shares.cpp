#include "base/shares.hpp"

#include <mutex>
#include <unordered_map>

namespace larder {

struct Shares::Held {
  std::mutex mutex;
  std::unordered_map<std::string, std::size_t> places;

  bool take(std::string const& name, std::size_t more, std::size_t max) {
    std::scoped_lock const lock(mutex);
    auto const found = places.try_emplace(name).first;
    bool const fits = more <= max - found->second;
    if (fits) found->second += more;
    if (found->second == 0) places.erase(found);
    return fits;
  }
  void give_back(std::string const& name, std::size_t less) {
    std::scoped_lock const lock(mutex);
    auto const found = places.find(name);
    found->second -= less;
    if (found->second == 0) places.erase(found);
  }
};

Shares::Shares(std::size_t max) : max_(max), held_(std::make_shared<Held>()) {}

Shares::Place Shares::take(std::string const& name) {
  static Place const unlimited = std::make_shared<int>();
  if (!limited()) return unlimited;
  if (!held_->take(name, 1, max_)) return nullptr;
  return {held_.get(), [held = held_, name](Held const*) { held->give_back(name, 1); }};
}

bool Shares::take(std::string const& name, std::size_t places) {
  return !limited() || held_->take(name, places, max_);
}

void Shares::give_back(std::string const& name, std::size_t places) {
  if (limited() && places > 0) held_->give_back(name, places);
}

}  // namespace larder
