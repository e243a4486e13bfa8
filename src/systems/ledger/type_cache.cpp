#include "systems/ledger/type_cache.hpp"

namespace larder::ledger {

std::shared_ptr<ScoreType const> TypeCache::find(TypeId id) const {
  std::lock_guard const lock(mutex_);
  auto const found = types_->find(id);
  return found == types_->end() ? nullptr : found->second;
}

Task<void> TypeCache::refresh(Journal& journal) {
  auto fresh = std::make_shared<Types>();
  for (auto& type : co_await journal.types()) {
    auto const id = type.id;
    fresh->emplace(id, std::make_shared<ScoreType const>(std::move(type)));
  }
  std::lock_guard const lock(mutex_);
  // Types are never deleted. So a type that SQL did not return was added while SQL was being read.
  fresh->insert(types_->begin(), types_->end());
  types_ = std::move(fresh);
}

void TypeCache::put(ScoreType type) {
  std::lock_guard const lock(mutex_);
  auto changed = std::make_shared<Types>(*types_);
  auto const id = type.id;
  (*changed)[id] = std::make_shared<ScoreType const>(std::move(type));
  types_ = std::move(changed);
}

}  // namespace larder::ledger
