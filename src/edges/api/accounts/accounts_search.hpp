// What a search of an operator finds among the accounts of players.
#pragma once

#include "edges/api/system.hpp"

namespace larder::api {

SearchOf accounts_search(sql::Database& sql);

}  // namespace larder::api
