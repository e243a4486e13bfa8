// The page at /docs: shows /openapi.json to a person.
#pragma once

#include "edges/http/http_types.hpp"

namespace larder::http {

// Complete in itself; its Content-Security-Policy names its script and style by hash and allows nothing else
// but asking this server.
Response docs_page();

}  // namespace larder::http
