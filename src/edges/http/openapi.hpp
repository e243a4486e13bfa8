// Makes the OpenAPI 3.1 document from the route tables.
#pragma once

#include "edges/http/route.hpp"

namespace larder::http {

struct ApiInfo {
  std::string_view title = "Larder";
  std::string_view version = "0.1.0";
  std::string_view description =
      "The backend of community games: points, items, game states, messages, Discord. In a body, a member "
      "that is null counts as absent, unless its route gives null a meaning. A body that "
      "is not marked as required may be left out.";
};

json::object make_openapi(std::vector<Api> const& systems, ApiInfo const& info = {});

// The description of a path parameter: from the route's own schema, or from the `path_words` of its system.
Field path_field(Api const& system, Route const& route, std::string_view name);

}  // namespace larder::http
