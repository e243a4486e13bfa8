#include "edges/http/bodies.hpp"

namespace larder::http {

std::size_t Bodies::bytes_max(Request const& request) const {
  std::vector<PathParameter> ignored;
  auto const match = router_.match(request.method, request.path, ignored);
  return match.entry ? match.entry->route->doc.body_bytes_max : limits::body_bytes_max;
}

bool Bodies::Share::grow_to(std::size_t bytes, Sender sender) {
  if (bytes <= bytes_) return true;
  auto const more = bytes - bytes_;
  auto const limit = sender == Sender::caller ? bodies_.memory_bytes_max_
                                              : bodies_.memory_bytes_max_ / Bodies::part_of_strangers;
  if (bodies_.used_bytes_.fetch_add(more) + more > limit) {
    bodies_.used_bytes_ -= more;
    return false;
  }
  bytes_ = bytes;
  return true;
}

void Bodies::Share::give_back() {
  bodies_.used_bytes_ -= bytes_;
  bytes_ = 0;
}

}  // namespace larder::http
