#include "edges/http/bodies.hpp"

#include <fmt/format.h>

namespace larder::http {

Bodies::Bodies(Router const& router, std::size_t memory_bytes_max)
    : router_(router),
      digits_of_least_(fmt::formatted_size("{}", router.body_bytes_least())),
      all_(memory_bytes_max, nullptr),
      of_strangers_(memory_bytes_max / part_of_strangers, &all_) {}

std::size_t Bodies::bytes_max(Request const& request) const {
  std::vector<PathParameter> ignored;
  auto const match = router_.match(request.method, request.path, ignored);
  return match.entry ? match.entry->route->doc.body_bytes_max : limits::body_bytes_max;
}

bool Bodies::Pool::has_room(std::size_t more, bool small) const {
  return used_bytes_ + more <= limit(small) && (!whole_ || whole_->has_room(more, small));
}

bool Bodies::Pool::take(std::size_t more, bool small) {
  if (whole_ && !whole_->take(more, small)) return false;
  if (used_bytes_.fetch_add(more) + more <= limit(small)) return true;
  give_back(more);
  return false;
}

void Bodies::Pool::give_back(std::size_t bytes) {
  used_bytes_ -= bytes;
  if (whole_) whole_->give_back(bytes);
}

bool Bodies::Share::finds_room(std::size_t bytes) const {
  return bodies_.pool_of(sender_).has_room(bytes, bytes <= small_body_bytes_max);
}

bool Bodies::Share::grow_to(std::size_t bytes) {
  if (bytes <= bytes_) return true;
  auto const more = bytes - bytes_;
  auto& pool = bodies_.pool_of(sender_);
  if (!pool.shares().take(sender_.name, more)) return false;
  if (!pool.take(more, bytes <= small_body_bytes_max)) {
    pool.shares().give_back(sender_.name, more);
    return false;
  }
  bytes_ = bytes;
  return true;
}

void Bodies::Share::give_back() {
  auto& pool = bodies_.pool_of(sender_);
  pool.give_back(bytes_);
  pool.shares().give_back(sender_.name, bytes_);
  bytes_ = 0;
}

std::string size_text(std::size_t bytes) {
  return bytes < 1UL << 20U ? fmt::format("{} KiB", bytes >> 10U) : fmt::format("{} MiB", bytes >> 20U);
}

}  // namespace larder::http
