// The page at /docs, which shows /openapi.json to people.
#pragma once

#include "edges/http/http_types.hpp"

namespace larder::http {

// The page needs no other files. Its Content-Security-Policy names its script and style by hash, and allows
// nothing else except requests to this server.
Response docs_page();

}  // namespace larder::http
