// Compressed answers, for clients that ask for them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace larder::http {

// Whether an Accept-Encoding value allows gzip: named, or covered by `*`, and not with q=0.
bool accepts_gzip(std::string_view accept_encoding);

// Keeps zlib's quarter of a megabyte of working memory from one call to the next: one per thread.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  std::string compress(std::string_view text);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace larder::http
