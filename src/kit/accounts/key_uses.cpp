#include "kit/accounts/key_uses.hpp"

namespace larder::accounts {

std::shared_ptr<KeyUses::Use> KeyUses::of(std::string const& id) {
  std::scoped_lock const lock(mutex_);
  auto& use = uses_[id];
  if (!use) use = std::make_shared<Use>();
  return use;
}

KeyUses::Uses KeyUses::unwritten() {
  std::scoped_lock const lock(mutex_);
  Uses found;
  for (auto const& [id, use] : uses_) {
    auto const at = use->at_.load(std::memory_order_relaxed);
    if (at != use->written_) found.emplace_back(id, TimeMs{at});
  }
  return found;
}

void KeyUses::written(Uses const& uses) {
  std::scoped_lock const lock(mutex_);
  for (auto const& [id, at] : uses) uses_.at(id)->written_ = at.value;
}

}  // namespace larder::accounts
