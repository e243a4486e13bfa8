#include "base/shares.hpp"

#include <mutex>
#include <unordered_map>

namespace larder {

struct Shares::Held {
  std::mutex mutex;
  std::unordered_map<std::string, std::size_t> places;

  bool take(std::string const& name, std::size_t max) {
    std::scoped_lock const lock(mutex);
    auto& count = places[name];
    if (count == max) return false;
    ++count;
    return true;
  }
  void give_back(std::string const& name) {
    std::scoped_lock const lock(mutex);
    auto const found = places.find(name);
    if (--found->second == 0) places.erase(found);
  }
};

Shares::Shares(std::size_t max) : max_(max), held_(std::make_shared<Held>()) {}

Shares::Place Shares::take(std::string const& name) {
  static Place const unlimited = std::make_shared<int>();
  if (!limited()) return unlimited;
  if (!held_->take(name, max_)) return nullptr;
  return {held_.get(), [held = held_, name](Held const*) { held->give_back(name); }};
}

}  // namespace larder
