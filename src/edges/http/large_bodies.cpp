#include "edges/http/large_bodies.hpp"

namespace larder::http {

std::size_t LargeBodies::bytes_max(Request const& request) const {
  std::vector<PathParameter> ignored;
  auto const match = router_.match(request.method, request.path, ignored);
  return match.entry ? match.entry->route->doc.body_bytes_max : limits::body_bytes_max;
}

LargeBodies::Share LargeBodies::begin() {
  if (++held_ <= limits::bulk_bodies_max) return Share(this);
  --held_;
  return nullptr;
}

}  // namespace larder::http
