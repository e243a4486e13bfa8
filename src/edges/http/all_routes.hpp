// Every route of the server.
#pragma once

#include "edges/http/route.hpp"

namespace larder {

RouteTables all_routes();

}  // namespace larder
