// JSON of requests: whatever is accepted can be written and read again, and the two readers of JSON agree.
#include "base/json.hpp"
#include "edges/http/ndjson.hpp"
#include "edges/http/uri.hpp"
#include "fuzz/fuzz.hpp"
#include "systems/cache/raw_json.hpp"

namespace larder {

namespace {

void read_fields(json::value const& value) {
  static constexpr std::string_view choices[] = {"add", "deduct"};
  ObjectReader in(value, "body");
  auto const uid = in.required<UserId>("uid");
  auto const amount = in.required<Amount>("amount");
  auto const time = in.optional<TimeMs>("time");
  auto const text = in.optional_text("text", {.chars_min = 1, .chars_max = 8});
  in.optional_choice("op", choices);
  auto const number = in.required_int("number", {.min = -5, .max = 5});
  auto const elements = in.required_array("list", 1, 3).size();
  auto const id = in.required_number_id("id");
  in.required_int_or("all", "count", {.min = 1, .max = 9});
  auto const problem = in.finish();
  if (problem) {
    LARDER_ASSERT(is_utf8(problem->detail) && problem->detail.size() < 400);
    return;
  }
  LARDER_ASSERT(!uid.str().empty() && amount.value() >= 0 && number >= -5 && number <= 5 && elements >= 1 &&
                id >= 1);
  LARDER_ASSERT(!text || count_chars(*text) <= 8);
  if (time) LARDER_ASSERT(parse_rfc3339(to_rfc3339(*time)) == time);
}

void check_value(std::string_view text, json::value const& value) {
  LARDER_ASSERT(is_utf8(text) && http::is_valid_utf8(text));
  auto const written = json::serialize(value);
  // Boost.JSON reads 1e999 as infinity and 0e999 as NaN, and cannot write them. No reader of fields takes
  // them.
  bool const has_numbers =
      written.find("Infinity") == std::string::npos && written.find("NaN") == std::string::npos;
  if (has_numbers) {
    auto const again = parse_json(written);
    // Boost.JSON writes a double with all its digits, but reads the last of them only nearly right.
    LARDER_ASSERT(again && (written.find_first_of("eE.") != std::string::npos || *again == value));
  }
  read_fields(value);
  auto const compacted = cache::compact(text, limits::json_depth_max);
  LARDER_ASSERT(compacted.has_value());
  LARDER_ASSERT(cache::compact(*compacted, limits::json_depth_max) == *compacted);
}

}  // namespace

}  // namespace larder

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto const text = fuzz::text_of(data, size);
  LARDER_ASSERT(is_utf8(text) == http::is_valid_utf8(text));
  if (auto const value = parse_json(text)) {
    check_value(text, *value);
  } else {
    LARDER_ASSERT(is_utf8(value.error().detail));
  }
  for (http::NdjsonReader lines(text); auto line = lines.next();) {
    if (!line->value) LARDER_ASSERT(!line->value.error().detail.empty());
  }
  return 0;
}
