// The webhooks in memory, as the background thread of a server knows them.
#pragma once

#include "base/task.hpp"
#include "stores/sql/database.hpp"
#include "systems/webhooks/webhook_types.hpp"

#include <memory>
#include <string>
#include <vector>

namespace larder::webhooks {

// Thread-compatible. Redis has a revision that grows with every change of a webhook, after SQL has the
// change. So a list that was read after its revision was seen has every change up to that revision.
class WebhookList {
 public:
  using Pointer = std::shared_ptr<Webhook const>;

  explicit WebhookList(sql::Database& sql) : sql_(sql) {}

  // Empty until the first read().
  std::vector<Pointer> const& all() const { return all_; }
  bool is_as_of(std::string_view revision) const { return read_ && revision == revision_; }
  // Throws StoreError.
  Task<void> read(std::string revision);
  // Looks in memory, then in SQL. Null: there is no such webhook. Throws StoreError.
  Task<Pointer> find(std::string id);

 private:
  sql::Database& sql_;
  bool read_ = false;
  std::string revision_;
  std::vector<Pointer> all_;
};

}  // namespace larder::webhooks
