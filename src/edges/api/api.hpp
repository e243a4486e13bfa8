// The names with which the routes of every system are written.
#pragma once

#include "base/try.hpp"
#include "edges/http/route.hpp"
#include "edges/http/schema.hpp"

namespace larder::api {

using namespace http;  // NOLINT: everything in this namespace is about routes

}  // namespace larder::api
