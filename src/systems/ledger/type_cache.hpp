// All score types, in memory.
#pragma once

#include "base/task.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace larder::ledger {

// How often a server reads the types again.
inline constexpr auto types_refresh = std::chrono::milliseconds(1000);

// Thread-safe.
class TypeCache {
 public:
  std::shared_ptr<ScoreType const> find(TypeId id) const;
  std::vector<std::shared_ptr<ScoreType const>> all() const;
  Task<void> refresh(Journal& journal);
  void put(ScoreType type);

 private:
  using Types = std::map<TypeId, std::shared_ptr<ScoreType const>>;
  mutable std::mutex mutex_;  // guards the pointer; the maps themselves never change
  std::shared_ptr<Types const> types_ = std::make_shared<Types const>();
};

}  // namespace larder::ledger
