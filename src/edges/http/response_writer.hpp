// Writes responses as HTTP/1.1 text: by hand, into one string for all responses of a pipeline.
#pragma once

#include "edges/http/gzip.hpp"
#include "edges/http/http_types.hpp"

namespace larder::http {

struct ResponseContext {
  bool head = false;      // the length, but not the body
  bool streamed = false;  // neither: the body follows from elsewhere and ends with the connection
  bool keep_alive = true;
  bool http_1_0 = false;  // where staying open is what must be said
  bool accepts_gzip = false;
  std::string_view request_id = {};
};

// One per io thread.
class ResponseWriter {
 public:
  explicit ResponseWriter(std::string cors_origin) : cors_origin_(std::move(cors_origin)) {}

  // Appends the response to `out`; returns the bytes of its body as sent.
  std::size_t write(std::string& out, Response const& response, ResponseContext const& context);
  // Appends the head of a 101, which has nothing but what the response names.
  static void write_upgrade(std::string& out, Response const& response, std::string_view request_id);

 private:
  std::string_view date();

  std::string cors_origin_;
  Gzip gzip_;
  std::string date_;
  std::int64_t date_s_ = -1;
};

}  // namespace larder::http
