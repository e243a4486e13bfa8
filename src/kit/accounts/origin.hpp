// Tells whether a page of this server or another site's page made a browser send a request.
#pragma once

#include <string_view>

namespace larder::accounts {

enum class Origin { missing, own, foreign };

// Compares the header fields Origin and Host. Only browsers send an Origin, and a page cannot choose it. The
// scheme is ignored, because a proxy that ends TLS changes the scheme but keeps the host.
Origin compare_origin(std::string_view origin, std::string_view host);

}  // namespace larder::accounts
