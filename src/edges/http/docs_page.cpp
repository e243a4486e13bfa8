#include "edges/http/docs_page.hpp"

#include "edges/http/gzip.hpp"
#include "larder_http_files.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace larder::http {

namespace {

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  auto const start = text.find(open);
  LARDER_ASSERT(start != std::string_view::npos);
  auto const inside = text.substr(start + open.size());
  return inside.substr(0, inside.find(close));
}

std::string base64_sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest = {};
  SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> encoded = {};
  auto const size = EVP_EncodeBlock(encoded.data(), digest.data(), digest.size());
  return {encoded.begin(), encoded.begin() + size};
}

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src 'self'; base-uri "
      "'none'; "
      "form-action 'none'; frame-ancestors 'none'",
      base64_sha256(between(files::docs_html, "<script>", "</script>")),
      base64_sha256(between(files::docs_html, "<style>", "</style>")));
}

}  // namespace

Response docs_page() {
  static std::string const policy = content_security_policy();
  static FixedText const page{std::string(files::docs_html)};
  return Response{
      .content_type = "text/html; charset=utf-8", .fixed_body = page.plain, .fixed_gzip = page.gzip}
      .with("Content-Security-Policy", policy)
      .with("Referrer-Policy", "no-referrer");
}

}  // namespace larder::http
