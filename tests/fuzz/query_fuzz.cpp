// What a client puts into a URL, and the URLs of stores that an operator writes.
#include "base/settings.hpp"
#include "edges/http/query.hpp"
#include "edges/http/uri.hpp"
#include "fuzz/fuzz.hpp"
#include "stores/redis/url.hpp"
#include "stores/sql/url.hpp"

namespace larder {

namespace {

void read_query(std::string_view text) {
  http::Request request;
  request.query = text;
  request.parameters = {{.name = "uid", .value = http::percent_decode(text).value_or("?")}};
  static constexpr std::string_view choices[] = {"name", "time"};
  http::QueryReader in(request);
  auto const uid = in.path<UserId>("uid");
  auto const page = in.page();
  auto const amount = in.optional<Amount>("amount");
  auto const time = in.optional<TimeMs>("time");
  auto const verbose = in.flag("verbose");
  auto const by = in.optional_choice("by", choices);
  auto const problem = in.finish();
  LARDER_ASSERT(page.limit >= 1 && page.limit <= limits::page_max && (verbose || !verbose));
  if (problem) LARDER_ASSERT(http::is_valid_utf8(problem->detail) && problem->detail.size() < 400);
  if (!problem) LARDER_ASSERT(!uid.str().empty() && (!amount || amount->value() >= 0) && (!by || *by < 2));
  if (!problem && time) LARDER_ASSERT(parse_rfc3339(to_rfc3339(*time)) == time);
}

void read_urls(std::string_view text) {
  try {
    // A dump must not show the password.
    auto const url = redis::parse_url(text);
    if (!url.password.empty()) LARDER_ASSERT(redact_url(text).find("***") != std::string::npos);
  } catch (SetupError const&) {}
  try {
    sql::parse_url(text);
  } catch (SetupError const&) {}
  auto const redacted = redact_url(text);
  LARDER_ASSERT(redact_url(redacted) == redacted);
}

}  // namespace

}  // namespace larder

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto const text = fuzz::text_of(data, size);
  for (auto const plus : {http::Plus::literal, http::Plus::space}) {
    if (auto const decoded = http::percent_decode(text, plus)) {
      LARDER_ASSERT(http::is_valid_utf8(*decoded) && decoded->find('\0') == std::string::npos);
    }
  }
  read_query(text);
  read_urls(text);
  return 0;
}
