#include "kit/documents/documents.hpp"

#include "kit/documents/documents_scripts.hpp"
#include "stores/redis/reply_reader.hpp"

namespace larder::documents {

std::string revision_key(std::string_view key) { return std::string(key) + ":revision"; }

Task<Document> Documents::read(std::string key) {
  std::vector<std::string> keys{std::move(key)};
  auto found = co_await read(std::move(keys));
  co_return std::move(found.at(0));
}

Task<std::vector<Document>> Documents::read(std::vector<std::string> keys) {
  auto const reply = co_await redis_.run(redis::Use::read, scripts::read_documents(keys));
  redis::ReplyReader in(reply);
  std::vector<Document> found;
  while (!in.at_end()) {
    auto const text = in.text();
    Document document{.text = std::nullopt, .revision = in.integer()};
    if (!text.empty()) document.text = text;
    found.push_back(std::move(document));
  }
  co_return found;
}

Task<Committed> Documents::commit(std::vector<Change> changes) {
  auto const reply = co_await redis_.run(redis::Use::write, scripts::commit_documents(changes));
  redis::ReplyReader in(reply);
  Committed committed{.committed = in.flag()};
  while (!in.at_end()) committed.revisions.push_back(in.integer());
  co_return committed;
}

}  // namespace larder::documents
