#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/limits.hpp"
#include "base/metrics.hpp"
#include "base/number.hpp"
#include "base/random.hpp"
#include "base/shares.hpp"
#include "base/time.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace larder {
namespace {

json::value parsed(std::string_view text) { return parse_json(text).value(); }

TEST(Json, accepts_one_value_of_valid_text) {
  for (std::string_view text : {"{}", "[1,2]", " null ", "\"\xF0\x9F\x8D\x95\"", "1e2", "1e308", "1e-400"})
    EXPECT_TRUE(parse_json(text)) << text;
}

TEST(Json, refuses_malformed_text) {
  for (std::string_view text : {"", "{", "{} {}", "{a:1}", "[1,]", "'a'", "nul", "\"\xC3\"", "\"\xFF\"", "01",
                                "// note\n{}", "{\"a\":1", "\"\\ud800\""}) {
    auto const result = parse_json(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, errors::invalid_request);
    EXPECT_TRUE(result.error().detail.starts_with("malformed JSON")) << result.error().detail;
  }
}

TEST(Json, says_that_bytes_are_not_utf8) {
  EXPECT_EQ(parse_json("{\"a\":\"\xC3\"}").error().detail, "malformed JSON: it is not UTF-8");
}

TEST(Json, says_where_it_stops_being_json) {
  std::vector<std::pair<std::string_view, std::string_view>> const table = {
      {"", "line 1, column 1: incomplete JSON"},
      {"{\"a\": 1,}", "line 1, column 9: syntax error"},
      {"{\n  \"ä\": 1\n  \"b\": 2\n}", "line 3, column 3: syntax error"},
      {"{\"ä\": nil}", "line 1, column 7: syntax error"},
      {"{}\n\nx", "line 3, column 1: extra data"},
  };
  for (auto const& [text, where] : table) {
    EXPECT_EQ(parse_json(text).error().detail, fmt::format("malformed JSON at {}", where)) << text;
  }
}

TEST(Json, nests_up_to_the_limit_and_no_deeper) {
  auto const nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json(nested(limits::json_depth_max)));
  EXPECT_TRUE(parse_json(nested(64), {}, {.depth_max = 64}));
  EXPECT_EQ(parse_json(nested(65), {}, {.depth_max = 64}).error().detail,
            "JSON nested deeper than 64 levels");
  EXPECT_EQ(parse_json("[\n;", {}, {.first_line = 7}).error().detail.substr(0, 36),
            "malformed JSON at line 8, column 1: ");
  auto const deeper = parse_json(nested(limits::json_depth_max + 1));
  ASSERT_FALSE(deeper);
  EXPECT_NE(deeper.error().detail.find("deeper than 16"), std::string::npos);
}

TEST(Json, refuses_a_name_that_one_object_has_twice) {
  for (std::string_view text : {R"({"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]})",
                                R"({"a":"a\":1,\"a","b":":{}"})", R"(["a:b","a:b"])"}) {
    EXPECT_TRUE(parse_json(text)) << text;
  }
  for (std::string_view text : {R"({"a":1,"a":1})", R"({"b":{"x":0,"a":1,"a":2}})", R"({"a":1,"\u0061":2})",
                                R"({"a":{"x":1},"a":{"x":1}})", R"([{"a":1},{"b":"\\","a":1,"a":null}])"}) {
    auto const result = parse_json(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().field, "a") << text;
  }
}

// Reads one field of each kind. All fields but `amount` are optional.
std::optional<Error> read_entry(std::string_view text, std::string path = {}) {
  static constexpr std::string_view ops[] = {"add", "deduct"};
  auto const value = parsed(text);
  ObjectReader in(value, std::move(path));
  in.required<Amount>("amount");
  in.optional<UserId>("uid");
  in.optional<TimeMs>("at");
  in.optional<bool>("flag");
  in.optional_text("remark", {.chars_min = 1, .chars_max = 4});
  in.optional_int("count", {.min = -5, .max = 5});
  if (value.is_object() && value.as_object().contains("op")) in.required_choice("op", ops);
  return in.finish();
}

TEST(ObjectReader, a_word_may_stand_in_place_of_a_number) {
  auto const read = [](std::string_view text) {
    auto const value = parsed(text);
    ObjectReader in(value);
    auto const stake = in.required_int_or("all", "stake", {.min = 1, .max = 9});
    auto const problem = in.finish();
    return problem ? problem->detail : stake ? fmt::to_string(*stake) : "all";
  };
  EXPECT_EQ(read(R"({"stake":"all"})"), "all");
  EXPECT_EQ(read(R"({"stake":9})"), "9");
  for (auto const* wrong : {"0", "10", "1.5", "true", R"("ALL")", R"("5")", "[]"}) {
    EXPECT_EQ(read(fmt::format(R"({{"stake":{}}})", wrong)),
              R"(stake must be a whole number from 1 to 9, or "all")")
        << wrong;
  }
  EXPECT_EQ(read("{}"), "stake is required");
}

TEST(ObjectReader, reads_what_is_as_it_should_be) {
  for (std::string_view text :
       {R"({"amount":0})", R"({"amount":9007199254740991})", R"({"amount":5.0})", R"({"amount":5e0})",
        R"({"amount":1,"uid":"a.b@c+d|e-f_1"})", R"({"amount":1,"at":"2026-01-31T12:00:00Z"})",
        R"({"amount":1,"flag":false})", R"({"amount":1,"remark":"éééé"})", R"({"amount":1,"count":-5})",
        R"({"amount":1,"op":"deduct"})", R"({"amount":1,"uid":null,"flag":null})"}) {
    auto const problem = read_entry(text);
    EXPECT_FALSE(problem) << text << ": " << problem->detail;
  }
}

TEST(ObjectReader, refuses_each_wrong_field_with_its_path) {
  struct Case {
    std::string_view text;
    std::string_view field;
    std::string_view detail;
  };
  for (auto const& [text, field, detail] : {
           Case{"[]", "", "must be a JSON object"},
           Case{"null", "", "must be a JSON object"},
           Case{"{}", "amount", "is required"},
           Case{R"({"amount":null})", "amount", "is required"},
           Case{R"({"amount":-1})", "amount", "from 0 to 9007199254740991"},
           Case{R"({"amount":9007199254740992})", "amount", "whole number"},
           Case{R"({"amount":18446744073709551615})", "amount", "whole number"},
           Case{R"({"amount":1.5})", "amount", "whole number"},
           Case{R"({"amount":1e300})", "amount", "whole number"},
           Case{R"({"amount":"1"})", "amount", "whole number"},
           Case{R"({"amount":true})", "amount", "whole number"},
           Case{R"({"amount":1,"uid":""})", "uid", "1 to 64 characters"},
           Case{R"({"amount":1,"uid":"a b"})", "uid", "1 to 64 characters"},
           Case{R"({"amount":1,"uid":"{x}"})", "uid", "1 to 64 characters"},
           Case{R"({"amount":1,"uid":7})", "uid", "as a string"},
           Case{R"({"amount":1,"at":"yesterday"})", "at", "RFC 3339"},
           Case{R"({"amount":1,"at":1})", "at", "RFC 3339"},
           Case{R"({"amount":1,"flag":0})", "flag", "true or false"},
           Case{R"({"amount":1,"remark":""})", "remark", "1 to 4 characters"},
           Case{R"({"amount":1,"remark":"ééééé"})", "remark", "1 to 4 characters"},
           Case{R"({"amount":1,"remark":"a\u0000b"})", "remark", "NUL"},
           Case{R"({"amount":1,"remark":1})", "remark", "must be a string"},
           Case{R"({"amount":1,"count":6})", "count", "from -5 to 5"},
           Case{R"({"amount":1,"op":"steal"})", "op", "one of add, deduct"},
           Case{R"({"amount":1,"bonus":2})", "bonus", "not a known field"},
       }) {
    auto const problem = read_entry(text);
    ASSERT_TRUE(problem) << text;
    EXPECT_EQ(problem->code, errors::invalid_request);
    EXPECT_EQ(problem->field, field) << text;
    EXPECT_NE(problem->detail.find(detail), std::string::npos) << text << ": " << problem->detail;
  }
}

TEST(ObjectReader, puts_the_path_before_the_field) {
  EXPECT_EQ(read_entry("{}", "entries[3]")->field, "entries[3].amount");
  EXPECT_EQ(read_entry("7", "entries[3]")->field, "entries[3]");
}

TEST(ObjectReader, keeps_the_first_problem) {
  auto const value = parsed(R"({"b":1,"unknown":1})");
  ObjectReader in(value);
  in.required<Amount>("a");
  in.required<bool>("b");
  EXPECT_EQ(in.finish()->field, "a");
}

TEST(ObjectReader, cuts_an_endless_unknown_name) {
  auto const value = parsed("{\"" + std::string(1000, 'x') + "\":1}");
  ObjectReader in(value);
  EXPECT_EQ(in.finish()->field, std::string(64, 'x'));
}

TEST(Text, counts_and_clips_whole_characters) {
  EXPECT_EQ(count_chars(""), 0u);
  EXPECT_EQ(count_chars("a\xC3\xA9\xF0\x9F\x8D\x95"), 3u);
  EXPECT_EQ(clip("a\xC3\xA9", 2), "a");
  EXPECT_EQ(clip("a\xC3\xA9", 3), "a\xC3\xA9");
  EXPECT_EQ(clip("\xF0\x9F\x8D\x95", 3), "");
}

TEST(Text, is_utf8_or_not) {
  for (std::string_view const text : {"", "plain \n\"text\\", "a\xC3\xA9\xF0\x9F\x8D\x95"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (std::string_view const text :
       {"\xE9", "caf\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Time, is_written_with_milliseconds_in_utc) {
  EXPECT_EQ(to_rfc3339({0}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339({1'767'323'045'678}), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(to_rfc3339({1'709'164'800'000}), "2024-02-29T00:00:00.000Z");
}

TEST(Time, reads_any_offset_and_cuts_off_what_is_below_milliseconds) {
  struct Case {
    std::string_view text;
    std::int64_t ms;
  };
  for (auto const& [text, ms] :
       {Case{"1970-01-01T00:00:00Z", 0}, Case{"2026-01-02T03:04:05.678Z", 1'767'323'045'678},
        Case{"2026-01-02t03:04:05.6789999z", 1'767'323'045'678},
        Case{"2026-01-02T05:04:05.678+02:00", 1'767'323'045'678},
        Case{"2026-01-01T21:34:05.678-05:30", 1'767'323'045'678},
        Case{"2026-01-02T03:04:05.6Z", 1'767'323'045'600}}) {
    ASSERT_TRUE(parse_rfc3339(text)) << text;
    EXPECT_EQ(parse_rfc3339(text)->value, ms) << text;
  }
  EXPECT_EQ(to_rfc3339(*parse_rfc3339("9999-12-31T23:59:59.999Z")), "9999-12-31T23:59:59.999Z");
}

TEST(Time, refuses_what_is_no_moment) {
  for (std::string_view text :
       {"", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-02-30T00:00:00Z",
        "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z",
        "2026-01-02T03:04:60Z", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+0200",
        "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05Zx", "1969-12-31T23:59:59Z", "-026-01-02T03:04:05Z",
        "26-01-02T03:04:05Z"}) {
    EXPECT_FALSE(parse_rfc3339(text)) << text;
  }
}

TEST(Ids, have_a_charset_and_a_length) {
  EXPECT_TRUE(UserId::from("123456789012345678"));
  EXPECT_TRUE(OrderId::from("shop:2026.01-7_a"));
  EXPECT_TRUE(UserId::from(std::string(64, 'a')));
  for (std::string const& text :
       {std::string(), std::string(65, 'a'), std::string("a b"), std::string("a{b}"), std::string("a:b"),
        std::string("a\0b", 3), std::string("\xC3\xA9")}) {
    EXPECT_FALSE(UserId::from(text)) << text;
  }
  EXPECT_FALSE(OrderId::from("a@b"));
  EXPECT_EQ(UserId::from("a"), UserId::from("a"));
  EXPECT_LT(UserId::from("a"), UserId::from("b"));
}

TEST(Random, the_same_seed_draws_the_same_numbers) {
  Random a(Seed{42});
  Random b(Seed{42});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, below_stays_below_and_reaches_every_value_evenly) {
  for (std::uint64_t bound : {1ull, 2ull, 7ull, 1000ull, 1ull << 63, ~0ull}) {
    Random random(Seed{bound});
    for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(bound), bound);
  }
  Random random(Seed{1});
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) ++seen[random.below(6)];
  for (int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, tokens_differ_and_have_the_length_asked_for) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_hex(16));
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(tokens.begin()->size(), 32u);
  EXPECT_NE(random_seed().value, random_seed().value);
}

TEST(ParseInt, takes_a_whole_decimal_number_that_fits_and_nothing_else) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_int<std::uint16_t>("65535"), 65535);
  for (std::string_view const text : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808"}) {
    EXPECT_EQ(parse_int(text), std::nullopt) << text;
  }
  for (std::string_view const text : {"-1", "65536"}) {
    EXPECT_EQ(parse_int<std::uint16_t>(text), std::nullopt) << text;
  }
}

TEST(Metrics, tells_the_gauges_of_a_name) {
  Metrics metrics;
  EXPECT_TRUE(metrics.gauges("larder_lag").empty());
  metrics.gauge("larder_lag", "how late", {{"of", "a"}}).Set(3);
  metrics.gauge("larder_lag", "how late", {{"of", "b"}}).Set(4);
  metrics.gauge("larder_other", "something else").Set(5);
  auto found = metrics.gauges("larder_lag");
  std::ranges::sort(found);
  EXPECT_EQ(found, (decltype(found){{{{"of", "a"}}, 3.0}, {{{"of", "b"}}, 4.0}}));
}

TEST(Metrics, tells_the_counters_and_the_buckets_of_a_name) {
  Metrics metrics;
  EXPECT_TRUE(metrics.counters("larder_done_total").empty());
  EXPECT_TRUE(metrics.buckets("larder_took_seconds").empty());
  metrics.counter("larder_done_total", "what was done", {{"of", "a"}}).Increment(2);
  EXPECT_EQ(metrics.counters("larder_done_total"),
            (std::vector<std::pair<Metrics::Labels, double>>{{{{"of", "a"}}, 2.0}}));
  metrics.seconds("larder_took_seconds", "how long", {{"of", "a"}}).Observe(0.3);
  metrics.seconds("larder_took_seconds", "how long", {{"of", "b"}}).Observe(0.4);
  metrics.seconds("larder_took_seconds", "how long", {{"of", "b"}}).Observe(99);
  auto const buckets = metrics.buckets("larder_took_seconds");
  EXPECT_EQ(buckets.at(0.25), 0);
  EXPECT_EQ(buckets.at(0.5), 2);
  EXPECT_EQ(buckets.at(1), 0);
  EXPECT_EQ(buckets.rbegin()->second, 1) << "beyond the last bound";
}

TEST(Shares, takes_many_places_or_none) {
  Shares shares(10);
  EXPECT_TRUE(shares.take("ann", 6));
  EXPECT_FALSE(shares.take("ann", 5));
  EXPECT_TRUE(shares.take("ann", 4));
  EXPECT_FALSE(shares.take("ann"));
  EXPECT_TRUE(shares.take("bob", 10));
  shares.give_back("ann", 4);
  EXPECT_TRUE(shares.take("ann"));
  EXPECT_FALSE(shares.take("carl", 11));
  EXPECT_TRUE(Shares(0).take("ann", 11));
}

TEST(Shares, nobody_holds_more_than_a_share) {
  auto shares = std::make_unique<Shares>(2);
  auto first = shares->take("ann");
  auto copy = first;
  auto const second = shares->take("ann");
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(shares->take("ann"));
  EXPECT_TRUE(shares->take("bob"));
  first.reset();
  EXPECT_FALSE(shares->take("ann")) << "the copy still holds the place";
  copy.reset();
  EXPECT_TRUE(shares->take("ann"));
  EXPECT_TRUE(Shares(0).take("ann"));
  shares.reset();  // the second place outlives the shares
}

}  // namespace
}  // namespace larder
