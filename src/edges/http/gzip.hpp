// Compresses answers for clients that accept gzip.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace larder::http {

// Whether an Accept-Encoding value allows gzip: by name or by `*`, and not with q=0.
bool accepts_gzip(std::string_view accept_encoding);
// The same for brotli, only by its name, `br`.
bool accepts_brotli(std::string_view accept_encoding);

// Thread-compatible: one per thread. Keeps zlib's working memory (a quarter of a megabyte) between calls.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  std::string compress(std::string_view text);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// A text that never changes, with its compressed form.
struct FixedText {
  FixedText() = default;
  explicit FixedText(std::string text);
  std::string plain;
  std::string gzip;
};

}  // namespace larder::http
