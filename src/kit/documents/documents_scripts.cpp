#include "kit/documents/documents_scripts.hpp"

#include "base/error.hpp"
#include "larder_documents_scripts.hpp"

#include <algorithm>

namespace larder::documents::scripts {

redis::ScriptCall read_documents(std::span<std::string const> keys) {
  LARDER_ASSERT(!keys.empty());
  redis::ScriptCall call(lua::read_documents);
  for (auto const& key : keys) call.keys(key, revision_key(key));
  return call;
}

redis::ScriptCall commit_documents(std::span<Change const> changes) {
  LARDER_ASSERT(!changes.empty());
  redis::ScriptCall call(lua::commit_documents);
  for (auto const& [key, revision, text] : changes) {
    LARDER_ASSERT(std::ranges::count(changes, key, &Change::key) == 1);
    LARDER_ASSERT(!text || !text->empty());
    call.keys(key, revision_key(key));
    revision ? call.args(*revision) : call.args("absent");
    call.args(text ? std::string_view(*text) : "");
  }
  return call;
}

}  // namespace larder::documents::scripts
