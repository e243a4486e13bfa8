#include "edges/http/ndjson.hpp"

namespace larder::http {

bool is_ndjson(Request const& request) {
  return equals_ignoring_case(request.media_type(), "application/x-ndjson");
}

std::optional<NdjsonReader::Line> NdjsonReader::next(json::storage_ptr storage) {
  while (!rest_.empty()) {
    auto const end = std::min(rest_.find('\n'), rest_.size());
    auto const text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_number_;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    JsonOptions const options{.depth_max = depth_max_, .first_line = line_number_};
    return Line{.index = index_++, .value = parse_json(text, std::move(storage), options)};
  }
  return std::nullopt;
}

}  // namespace larder::http
