// Makes the calls of the scripts of documents. The head of each script says what it does and what it returns.
#pragma once

#include "kit/documents/documents.hpp"
#include "stores/redis/script_call.hpp"

#include <span>

namespace larder::documents::scripts {

redis::ScriptCall read_documents(std::span<std::string const> keys);
redis::ScriptCall commit_documents(std::span<Change const> changes);

}  // namespace larder::documents::scripts
