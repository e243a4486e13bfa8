// Bodies of newline-delimited JSON: one value per line.
//
//   for (NdjsonReader lines(request.body); auto line = lines.next();) {
//     if (line->value) apply(*line->value); else report(line->index, line->value.error());
//   }
#pragma once

#include "edges/http/http_types.hpp"

namespace larder::http {

// Whether the body is application/x-ndjson. A route must allow that with RouteDoc::ndjson.
bool is_ndjson(Request const& request);

// Reads the lines of `body`, which must outlive the reader. A line that is not JSON does
// not affect the other lines.
class NdjsonReader {
 public:
  explicit NdjsonReader(std::string_view body, std::size_t depth_max = limits::json_depth_max)
      : rest_(body), depth_max_(depth_max) {}

  struct Line {
    std::size_t index;  // from 0, without blank lines
    Result<json::value> value;
  };
  // The next line that is not blank; nothing at the end.
  std::optional<Line> next(json::storage_ptr storage = {});

 private:
  std::string_view rest_;
  std::size_t depth_max_;
  std::size_t index_ = 0;
  std::size_t line_number_ = 0;
};

}  // namespace larder::http
