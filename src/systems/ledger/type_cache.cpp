#include "systems/ledger/type_cache.hpp"

namespace larder::ledger {

std::shared_ptr<ScoreType const> TypeCache::find(TypeId id) const {
  std::lock_guard const lock(mutex_);
  auto const found = types_->find(id);
  return found == types_->end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<ScoreType const>> TypeCache::all() const {
  std::lock_guard const lock(mutex_);
  std::vector<std::shared_ptr<ScoreType const>> types;
  for (auto const& [id, type] : *types_) types.push_back(type);
  return types;
}

Task<void> TypeCache::refresh(Journal& journal) {
  auto fresh = std::make_shared<Types>();
  for (auto& type : co_await journal.types()) {
    auto const id = type.id;
    fresh->emplace(id, std::make_shared<ScoreType const>(std::move(type)));
  }
  std::lock_guard const lock(mutex_);
  // Types are never deleted. So a type that SQL did not return was added while SQL was being read. For the
  // same reason, a known type may be newer.
  for (auto const& [id, known] : *types_) {
    auto& type = fresh->try_emplace(id, known).first->second;
    if (type->ends_revision < known->ends_revision) type = known;
  }
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
