#include "kit/documents/documents.hpp"

#include "base/error.hpp"
#include "larder_documents_scripts.hpp"

#include <algorithm>

namespace larder::documents {

namespace {

redis::Script const read_documents{lua::read_documents};
redis::Script const commit_documents{lua::commit_documents};

void add_keys(redis::ScriptCall& call, std::string const& key) {
  call.key(key);
  call.key(revision_key(key));
}

}  // namespace

std::string revision_key(std::string_view key) { return std::string(key) + ":revision"; }

Task<Document> Documents::read(std::string key) {
  std::vector<std::string> keys{std::move(key)};
  auto found = co_await read(std::move(keys));
  co_return std::move(found.at(0));
}

Task<std::vector<Document>> Documents::read(std::vector<std::string> keys) {
  LARDER_ASSERT(!keys.empty());
  redis::ScriptCall call;
  for (auto const& key : keys) add_keys(call, key);
  auto const reply = co_await redis_.run(redis::Use::read, read_documents, call);
  std::vector<Document> found;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    Document document{.text = std::nullopt, .revision = reply.at(i + 1).integer()};
    if (auto const text = reply.at(i).text(); !text.empty()) document.text = text;
    found.push_back(std::move(document));
  }
  co_return found;
}

Task<Committed> Documents::commit(std::vector<Change> changes) {
  LARDER_ASSERT(!changes.empty());
  redis::ScriptCall call;
  for (auto const& change : changes) {
    LARDER_ASSERT(std::ranges::count(changes, change.key, &Change::key) == 1);
    LARDER_ASSERT(!change.text || !change.text->empty());
    add_keys(call, change.key);
    call.arg(change.revision ? std::to_string(*change.revision) : "absent");
    call.arg(change.text.value_or(""));
  }
  auto const reply = co_await redis_.run(redis::Use::write, commit_documents, call);
  Committed committed{.committed = reply.at(0).integer() == 1};
  for (std::size_t i = 1; i < reply.size(); ++i) committed.revisions.push_back(reply.at(i).integer());
  co_return committed;
}

}  // namespace larder::documents
