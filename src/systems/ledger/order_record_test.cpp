#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::ledger {
namespace {

TEST(OrderRecord, is_read_as_the_script_writes_it) {
  auto const outcome = parse_record("balance_limit deduct 7 a:b.c 9007199254740991 3 4 1700000000000");
  EXPECT_EQ(outcome.status, Status::balance_limit);
  EXPECT_EQ(outcome.op, Op::deduct);
  EXPECT_EQ(outcome.type, 7);
  EXPECT_EQ(outcome.domain.str(), "a:b.c");
  EXPECT_EQ(outcome.amount.value(), limits::amount_max);
  EXPECT_EQ(outcome.old_balance.value(), 3);
  EXPECT_EQ(outcome.balance.value(), 4);
  EXPECT_EQ(outcome.change(), 1);
  EXPECT_EQ(outcome.at, TimeMs{1'700'000'000'000});
  auto const lot = parse_record("ok add 1 main 5 0 5 1 eff=7 exp=12");
  EXPECT_EQ(lot.number("eff"), 7);
  EXPECT_EQ(lot.word("exp"), "12");
  EXPECT_EQ(lot.word("ex"), "");
}

TEST(OrderRecord, anything_else_is_an_error_that_shows_it) {
  for (std::string const record : {
           "",
           "ok",
           "ok add 1 main 5 0 5",
           "ok add 1 main 5 0 5 1 1",
           "ok add 1 main 5 0 5 1 ",
           " ok add 1 main 5 0 5 1",
           "ok  add 1 main 5 0 5 1",
           "fine add 1 main 5 0 5 1",
           "ok give 1 main 5 0 5 1",
           "ok add x main 5 0 5 1",
           "ok add 1 ma/in 5 0 5 1",
           "ok add 1 main -5 0 5 1",
           "ok add 1 main 5.0 0 5 1",
           "ok add 1 main 1e5 0 5 1",
           "ok add 1 main 9007199254740992 0 5 1",
           "ok add 1 main 5 0 5 1x",
       }) {
    try {
      parse_record(record);
      ADD_FAILURE() << record;
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string_view(error.what()).find(fmt::format("'{}'", record)), std::string_view::npos);
    }
  }
}

TEST(OrderRecord, is_written_as_it_was_read) {
  for (std::string const record : {
           "ok add 1 main 5 0 5 1700000000000",
           "ok add 1 main 5 0 0 1 eff=7 exp=12",
           "insufficient_balance deduct 12 a:b.c 9007199254740991 3 3 1",
           "type_not_active transfer_in 1 main 5 0 0 1 from=bob",
           "ok hold 1 main 5 9 4 1 exp=0 state=captured captured=3 after=6",
       }) {
    EXPECT_EQ(to_record(parse_record(record)), record);
  }
}

TEST(OrderRecord, in_the_outbox_has_user_order_and_remark_behind_it) {
  struct Case {
    std::string_view behind;
    std::string_view uid;
    std::string_view order_id;
    std::string_view remark;
  };
  for (auto const& [behind, uid, order_id, remark] : {
           Case{"bob 7:x ", "bob", "7:x", ""},
           Case{"bob 7:x prize", "bob", "7:x", "prize"},
           Case{"bob 7:x for the  show ", "bob", "7:x", "for the  show "},
       }) {
    SCOPED_TRACE(behind);
    auto const text = fmt::format("ok deduct 1 main 5 9 4 1 {}", behind);
    auto const entry = parse_entry(text);
    EXPECT_EQ(to_record(entry.outcome), "ok deduct 1 main 5 9 4 1");
    EXPECT_EQ(entry.uid.str(), uid);
    EXPECT_EQ(entry.order_id, order_id);
    EXPECT_EQ(entry.remark, remark);
    EXPECT_EQ(op_name_of(text), "deduct");
  }
  for (std::string_view const text :
       {"", "ok", "ok add 1 main 5 0 5 1", "ok add 1 main 5 0 5 1 bob", "ok add 1 main 5 0 5 1 bob 7:x",
        "ok add 1 main 5 0 5 x bob 7:x remark"}) {
    EXPECT_THROW(parse_entry(text), std::runtime_error) << text;
  }
}

TEST(OrderRecord, of_a_transfer_under_way_has_its_remark_last) {
  auto const intent = parse_intent("5 bob 1700000000000 12:2,0:3 for the  show");
  EXPECT_EQ(intent.amount.value(), 5);
  EXPECT_EQ(intent.to.str(), "bob");
  EXPECT_EQ(intent.sent_at, TimeMs{1'700'000'000'000});
  EXPECT_EQ(intent.parts, "12:2,0:3");
  EXPECT_EQ(intent.remark, "for the  show");
  EXPECT_EQ(parse_intent("5 bob 1 0:5 ").remark, "");
  for (std::string_view const text :
       {"", "5", "x bob 1 0:5 ", "5 b/b 1 0:5 ", "5 bob x 0:5 ", "-5 bob 1 0:5 "}) {
    EXPECT_THROW(parse_intent(text), std::runtime_error) << text;
  }
}

TEST(OrderRecord, of_the_original_service_lacks_type_domain_and_time) {
  auto const added = read_original_record("1_1_2_5_7").value();
  EXPECT_EQ(to_record(added), "ok add 0  5 2 7 0");
  EXPECT_EQ(read_original_record("2_2_3_5_3")->status, Status::insufficient_balance);
  EXPECT_EQ(read_original_record("3_1_7_0_0")->op, Op::reset);
  for (std::string_view const text :
       {"", "_", "1_1_2_5", "1_1_2_5_", "1_1_2_5_7_", "1_1_2_5_7_1", "0_1_2_5_7", "4_1_2_5_7", "1_0_2_5_7",
        "1_3_2_5_7", "1_1_-2_5_7", "1_1_2_5_1e+14", "1_1_2_5_9007199254740992", "ok add 1 main 5 2 7 1",
        " 1_1_2_5_7"}) {
    EXPECT_FALSE(read_original_record(text)) << text;
    EXPECT_EQ(is_record(text), text.starts_with("ok")) << text;
  }
}

TEST(OrderRecord, has_a_detail_of_named_words) {
  std::string_view detail = "to=bob state= nothing";
  for (auto const& [name, value] : {std::pair("to", "bob"), {"state", ""}, {"", "nothing"}, {"", ""}}) {
    auto const word = take_word(detail);
    EXPECT_EQ(word.name, name);
    EXPECT_EQ(word.value, value);
  }
  EXPECT_EQ(status_of("balance_limit"), Status::balance_limit);
  EXPECT_EQ(status_of("fine"), std::nullopt);
}

}  // namespace
}  // namespace larder::ledger
