#include "stores/redis/reply_reader.hpp"

#include "stores/redis/redis.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

namespace larder::redis {
namespace {

class ReplyReaderTest : public testing::Test {
 protected:
  Reply returned(std::string_view lua) {
    Script const script("shape", lua);
    return test::run(io, redis.run(Use::read, ScriptCall(script).keys("k")));
  }
  static std::string error_of(auto read) {
    try {
      read();
      return "nothing";
    } catch (ReplyError const& error) {
      return error.what();
    }
  }

  asio::io_context io;
  Metrics metrics;
  test::RedisServer server;
  Redis redis{
      io, {.url = parse_url(server.url()), .timeout = std::chrono::seconds(5), .tls_ca = {}}, metrics};
};

TEST_F(ReplyReaderTest, values_come_in_their_order) {
  auto const reply =
      returned("return {7, '8', 'nine', false, 'ten', 1, 0, '', '1700000000000', '', 4, {'in', {5}}, {}}");
  ReplyReader in(reply);
  EXPECT_EQ(in.left(), 13u);
  EXPECT_EQ(in.integer(), 7);
  EXPECT_EQ(in.integer(), 8);
  EXPECT_EQ(in.text(), "nine");
  EXPECT_TRUE(in.is_nil());
  EXPECT_EQ(in.optional_text(), std::nullopt);
  EXPECT_EQ(in.optional_text(), "ten");
  EXPECT_TRUE(in.flag());
  EXPECT_FALSE(in.flag());
  EXPECT_EQ(in.optional_time(), std::nullopt);
  EXPECT_EQ(in.optional_time(), TimeMs{1'700'000'000'000});
  EXPECT_EQ(in.optional_integer(), std::nullopt);
  EXPECT_EQ(in.optional_integer(), 4);
  EXPECT_TRUE(in.is_array());
  auto inner = in.array();
  EXPECT_EQ(inner.text(), "in");
  EXPECT_EQ(inner.array().time(), TimeMs{5});
  inner.end();
  EXPECT_TRUE(in.array().at_end());
  in.end();
}

TEST_F(ReplyReaderTest, a_reply_that_is_no_array_is_one_value) {
  auto const number = returned("return 3");
  ReplyReader in(number);
  EXPECT_EQ(in.integer(), 3);
  in.end();
  auto const nothing = returned("return false");
  EXPECT_EQ(ReplyReader(nothing).optional_text(), std::nullopt);
}

TEST_F(ReplyReaderTest, a_reply_of_another_shape_is_told_with_the_script_and_the_position) {
  auto const reply = returned("return {1, 'text', {'in', 2}}");
  auto const at_second = [&] {
    ReplyReader in(reply);
    in.integer();
    return in;
  };
  EXPECT_EQ(error_of([&] { at_second().integer(); }),
            "shape: value 2 of the reply: Redis answered with a string where an integer was expected");
  EXPECT_EQ(error_of([&] { at_second().flag(); }),
            "shape: value 2 of the reply: Redis answered with a string where an integer was expected");
  EXPECT_EQ(error_of([&] { at_second().array(); }),
            "shape: value 2 of the reply: it is a string, not an array");
  EXPECT_EQ(error_of([&] { at_second().end(); }),
            "shape: value 2 of the reply: the reply should have ended before a string");
  EXPECT_EQ(error_of([&] {
              auto in = at_second();
              in.text();
              auto inner = in.array();
              inner.text();
              inner.flag();
            }),
            "shape: value 2 of array 3 of the reply: it is neither 0 nor 1");
  auto const nothing = returned("return {}");
  EXPECT_EQ(error_of([&] { ReplyReader(nothing).text(); }), "shape: value 1 of the reply: it is missing");
  EXPECT_EQ(error_of([&] { returned("return redis.call('NONSENSE')"); }).substr(0, 7), "shape: ");
}

}  // namespace
}  // namespace larder::redis
