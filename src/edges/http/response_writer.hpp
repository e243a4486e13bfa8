// Writes responses as HTTP/1.1 text, into one string for all responses of a pipeline.
#pragma once

#include "edges/http/gzip.hpp"
#include "edges/http/http_types.hpp"

namespace larder::http {

struct ResponseContext {
  bool head = false;      // for HEAD: writes the length, but not the body
  bool streamed = false;  // writes neither: the takeover writes the body, which ends with the connection
  bool keep_alive = true;
  bool http_1_0 = false;  // then the connection stays open only if the response says so
  bool accepts_gzip = false;
  std::string_view origin = {};  // of the page that asks, for CORS
  std::string_view request_id = {};
};

// Thread-compatible: one per io thread.
class ResponseWriter {
 public:
  explicit ResponseWriter(std::vector<std::string> cors_origins) : cors_origins_(std::move(cors_origins)) {}

  // Appends the response to `out`. Returns the number of bytes of its body, as sent.
  std::size_t write(std::string& out, Response const& response, ResponseContext const& context);
  // Appends the head of a 101 response. It has only the header fields that the response names.
  static void write_upgrade(std::string& out, Response const& response, std::string_view request_id);

 private:
  std::string_view date();

  void write_cors(std::string& out, std::string_view origin) const;

  std::vector<std::string> cors_origins_;
  Gzip gzip_;
  std::string date_;
  std::int64_t date_s_ = -1;
};

}  // namespace larder::http
