#include "edges/http/gzip.hpp"

#include "base/error.hpp"
#include "edges/http/http_types.hpp"

#include <zlib.h>

namespace larder::http {

namespace {

std::string_view take_part(std::string_view& rest, char separator) {
  auto const end = std::min(rest.find(separator), rest.size());
  auto part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  while (part.starts_with(' ') || part.starts_with('\t')) part.remove_prefix(1);
  while (part.ends_with(' ') || part.ends_with('\t')) part.remove_suffix(1);
  return part;
}

// "q=0", "q=0.0", "q=0.000"
bool is_zero_weight(std::string_view parameter) {
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) return false;
  parameter.remove_prefix(2);
  return parameter.starts_with('0') && parameter.find_first_of("123456789") == std::string_view::npos;
}

}  // namespace

bool accepts_brotli(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    auto item = take_part(accept_encoding, ',');
    if (!equals_ignoring_case(take_part(item, ';'), "br")) continue;
    bool refused = false;
    while (!item.empty()) refused |= is_zero_weight(take_part(item, ';'));
    return !refused;
  }
  return false;
}

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    auto item = take_part(accept_encoding, ',');
    auto const coding = take_part(item, ';');
    bool refused = false;
    while (!item.empty()) refused |= is_zero_weight(take_part(item, ';'));
    if (equals_ignoring_case(coding, "gzip") || equals_ignoring_case(coding, "x-gzip")) return !refused;
    if (coding == "*") any = !refused;
  }
  return any;
}

struct Gzip::Stream {
  z_stream zlib = {};
};

Gzip::Gzip() : stream_(std::make_unique<Stream>()) {
  // Level 4: an answer is compressed once and read once, so time matters more than the last percent of size.
  // 16 asks for a gzip header.
  LARDER_ASSERT(deflateInit2(&stream_->zlib, 4, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
}

Gzip::~Gzip() { deflateEnd(&stream_->zlib); }

std::string Gzip::compress(std::string_view text) {
  auto& zlib = stream_->zlib;
  LARDER_ASSERT(deflateReset(&zlib) == Z_OK);
  std::string out(deflateBound(&zlib, text.size()), '\0');
  // zlib does not write to its input; its interface is older than const.
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = uInt(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = uInt(out.size());
  LARDER_ASSERT(deflate(&zlib, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - zlib.avail_out);
  return out;
}

FixedText::FixedText(std::string text) : plain(std::move(text)), gzip(Gzip().compress(plain)) {}

}  // namespace larder::http
