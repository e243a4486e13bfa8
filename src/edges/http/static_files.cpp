#include "edges/http/static_files.hpp"

#include "edges/http/gzip.hpp"
#include "edges/http/problem.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

constexpr std::pair<std::string_view, std::string_view> content_types[] = {
    {"html", "text/html; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"txt", "text/plain; charset=utf-8"},
    {"json", "application/json"},
    {"map", "application/json"},
    {"webmanifest", "application/manifest+json"},
    {"svg", "image/svg+xml"},
    {"png", "image/png"},
    {"jpg", "image/jpeg"},
    {"webp", "image/webp"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
};

constexpr std::string_view keep_forever = "public, max-age=31536000, immutable";
constexpr std::string_view ask_again = "no-cache";

// RFC 9110, 13.1.2: a weak comparison, because a cache on the way may have weakened the tag.
bool client_has(Headers const& headers, std::string const& etag) {
  constexpr std::string_view field = "if-none-match";
  return headers.count(field) > 0 &&
         (headers.lists(field, etag) || headers.lists(field, "W/" + etag) || headers.lists(field, "*"));
}

// The bytes that a client gets, and their Content-Encoding; empty: none.
struct Form {
  std::string_view bytes;
  std::string_view coding;
};

Form form_for(EmbeddedFile const& file, std::string_view accept_encoding) {
  if (!file.brotli.empty() && accepts_brotli(accept_encoding)) return {file.brotli, "br"};
  if (!file.gzip.empty() && accepts_gzip(accept_encoding)) return {file.gzip, "gzip"};
  return {file.content, ""};
}

}  // namespace

std::string_view content_type_of(std::string_view name) {
  auto const dot = name.rfind('.');
  auto const extension = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  auto const* const found = std::ranges::find_if(
      content_types, [&](auto const& type) { return equals_ignoring_case(type.first, extension); });
  return found == std::end(content_types) ? "application/octet-stream" : found->second;
}

StaticFiles::StaticFiles(std::span<EmbeddedFile const> files, StaticOptions options) {
  for (auto const& file : files) {
    bool const hashed = !options.hashed.empty() && file.name.starts_with(options.hashed);
    files_.emplace(file.name, File{.embedded = file,
                                   .content_type = content_type_of(file.name),
                                   .cache_control = hashed ? keep_forever : ask_again});
  }
}

Result<Response> StaticFiles::answer(std::string_view name, Request const& request) const {
  auto const found = files_.find(name);
  if (found == files_.end()) return refuse(errors::route_not_found, "there is no file at this path");
  auto const& [embedded, content_type, cache_control] = found->second;
  auto const form = form_for(embedded, request.header("accept-encoding"));
  // A strong tag names bytes, and the compressed bytes differ.
  auto etag = fmt::format("\"{}{}{}\"", embedded.hash, form.coding.empty() ? "" : "-", form.coding);

  Response response{.content_type = content_type};
  if (client_has(request.headers, etag)) {
    response.status = 304;
  } else {
    response.fixed_body = form.bytes;
    if (!form.coding.empty()) response.headers.emplace_back("Content-Encoding", form.coding);
  }
  response.headers.emplace_back("ETag", std::move(etag));
  response.headers.emplace_back("Cache-Control", cache_control);
  if (!embedded.gzip.empty() || !embedded.brotli.empty())
    response.headers.emplace_back("Vary", "Accept-Encoding");
  return response;
}

}  // namespace larder::http
