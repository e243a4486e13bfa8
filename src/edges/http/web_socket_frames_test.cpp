#include "edges/http/web_socket_frames.hpp"

#include "base/random.hpp"
#include "edges/http/test_web_socket.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace larder::http::test {

namespace {

using namespace std::string_literals;
using Events = std::vector<std::string>;

constexpr std::size_t message_bytes_max = 70'000;

// Feeds `input` to the reader, and appends what the reader found to `events`.
void feed(FrameReader& reader, std::string_view input, Events& events) {
  for (;;) {
    auto const event = reader.next(input);
    switch (event) {
      case FrameReader::Event::need_more: EXPECT_TRUE(input.empty()); return;
      case FrameReader::Event::message: events.push_back("message " + reader.take_message()); break;
      case FrameReader::Event::ping: events.push_back(fmt::format("ping {}", reader.payload())); break;
      case FrameReader::Event::pong: events.push_back(fmt::format("pong {}", reader.payload())); break;
      case FrameReader::Event::close:
        events.push_back(fmt::format("close {}", int(reader.close_code())));
        break;
      case FrameReader::Event::failed: {
        auto const said = fmt::format("failed {}", int(reader.failure()));
        EXPECT_FALSE(reader.failure_reason().empty());
        if (events.empty() || events.back() != said) events.push_back(said);
        return;
      }
    }
  }
}

// Feeds the bytes in pieces of `piece` bytes.
Events events_of(std::string_view bytes, std::size_t piece) {
  FrameReader reader(message_bytes_max);
  Events events;
  for (std::size_t at = 0; at < bytes.size(); at += piece) feed(reader, bytes.substr(at, piece), events);
  return events;
}

std::string frame(unsigned first, std::string payload) {
  return ClientFrame{.first = first, .payload = std::move(payload)}.bytes();
}
std::string close_frame(unsigned code, std::string_view reason = "") {
  return frame(0x88, fmt::format("{}{}{}", char(code >> 8U), char(code & 0xFFU), reason));
}

struct Case {
  std::string what;
  std::string bytes;
  Events events;
};

void check(std::vector<Case> const& cases) {
  for (auto const& [what, bytes, expected] : cases) {
    for (std::size_t const piece : {std::max<std::size_t>(bytes.size(), 1), std::size_t(1), std::size_t(3)}) {
      EXPECT_EQ(events_of(bytes, piece), expected) << what << ", in pieces of " << piece;
    }
  }
}

TEST(FrameReader, reads_what_the_protocol_allows) {
  std::string const e_acute = "\xC3\xA9";
  check({
      {"the RFC's masked Hello", "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", {"message Hello"}},
      {"an empty text", frame(0x81, ""), {"message "}},
      {"two texts", frame(0x81, "a") + frame(0x81, "b"), {"message a", "message b"}},
      {"a mask of zeros", ClientFrame{.first = 0x81, .payload = "abc", .mask = {}}.bytes(), {"message abc"}},
      {"125 bytes", frame(0x81, std::string(125, 'x')), {"message " + std::string(125, 'x')}},
      {"126 bytes", frame(0x81, std::string(126, 'x')), {"message " + std::string(126, 'x')}},
      {"65535 bytes", frame(0x81, std::string(65'535, 'x')), {"message " + std::string(65'535, 'x')}},
      {"65536 bytes", frame(0x81, std::string(65'536, 'x')), {"message " + std::string(65'536, 'x')}},
      {"the largest text",
       frame(0x81, std::string(message_bytes_max, 'x')),
       {"message " + std::string(message_bytes_max, 'x')}},
      {"two fragments", frame(0x01, "Hel") + frame(0x80, "lo"), {"message Hello"}},
      {"empty fragments",
       frame(0x01, "") + frame(0x00, "") + frame(0x00, "a") + frame(0x80, ""),
       {"message a"}},
      {"a character over two fragments",
       frame(0x01, e_acute.substr(0, 1)) + frame(0x80, e_acute.substr(1)),
       {"message " + e_acute}},
      {"control frames between fragments",
       frame(0x01, "a") + frame(0x89, "p") + frame(0x00, "b") + frame(0x8A, "") + frame(0x80, "c"),
       {"ping p", "pong ", "message abc"}},
      {"the longest ping", frame(0x89, std::string(125, '\0')), {"ping " + std::string(125, '\0')}},
      {"a NUL in a text", frame(0x81, "a\0b"s), {"message a\0b"s}},
      {"a close between fragments", frame(0x01, "a") + close_frame(1001), {"close 1001"}},
      {"a close without a code", frame(0x88, ""), {"close 1005"}},
      {"a close with a reason", close_frame(1000, e_acute), {"close 1000"}},
      {"the longest reason", close_frame(4999, std::string(123, 'x')), {"close 4999"}},
      {"nothing", "", {}},
      {"half a header", "\x81", {}},
      {"half a payload", frame(0x81, "abc").substr(0, 8), {}},
  });
  for (unsigned const code :
       {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999}) {
    check({{"close code", close_frame(code), {fmt::format("close {}", code)}}});
  }
}

TEST(FrameReader, refuses_what_the_protocol_forbids) {
  auto const unmasked = [](std::string bytes) {
    bytes[1] = char(bytes[1] & 0x7F);
    return bytes;
  };
  auto const too_large = frame(0x81, std::string(message_bytes_max + 1, 'x'));
  std::vector<Case> cases = {
      {"a reserved bit", frame(0xC1, "a"), {"failed 1002"}},
      {"another", frame(0xA1, "a"), {"failed 1002"}},
      {"the last", frame(0x91, "a"), {"failed 1002"}},
      {"a reserved bit in a ping", frame(0xC9, ""), {"failed 1002"}},
      {"a reserved bit in a continuation", frame(0x01, "a") + frame(0xC0, "b"), {"failed 1002"}},
      {"no mask", unmasked(frame(0x81, "a")), {"failed 1002"}},
      {"a ping without a mask", unmasked(frame(0x89, "")), {"failed 1002"}},
      {"a continuation of nothing", frame(0x80, "a"), {"failed 1002"}},
      {"a first fragment that continues nothing", frame(0x00, "a"), {"failed 1002"}},
      {"a continuation behind a whole message",
       frame(0x81, "a") + frame(0x80, "b"),
       {"message a", "failed 1002"}},
      {"a text inside of a text", frame(0x01, "a") + frame(0x81, "b"), {"failed 1002"}},
      {"a binary message inside of a text", frame(0x01, "a") + frame(0x82, "b"), {"failed 1002"}},
      {"a binary message", frame(0x82, "a"), {"failed 1003"}},
      {"a fragment of a binary message", frame(0x02, "a"), {"failed 1003"}},
      {"a ping in fragments", frame(0x09, "a"), {"failed 1002"}},
      {"a close in fragments", frame(0x08, ""), {"failed 1002"}},
      {"a long ping", frame(0x89, std::string(126, 'x')), {"failed 1002"}},
      {"a long pong", frame(0x8A, std::string(65'536, 'x')), {"failed 1002"}},
      {"a long close", close_frame(1000, std::string(124, 'x')), {"failed 1002"}},
      {"a short length in two bytes", "\x81\xFE\x00\x7D\x00\x00\x00\x00"s, {"failed 1002"}},
      {"a short length in eight bytes",
       "\x81\xFF\x00\x00\x00\x00\x00\x00\xFF\xFF\x00\x00\x00\x00"s,
       {"failed 1002"}},
      {"a negative length", "\x81\xFF\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"s, {"failed 1002"}},
      {"the largest length", "\x81\xFF\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00\x00\x00\x00"s, {"failed 1009"}},
      {"a text that is too large", too_large, {"failed 1009"}},
      {"its header alone", too_large.substr(0, 14), {"failed 1009"}},
      {"fragments that are too large together",
       frame(0x01, std::string(message_bytes_max - 1, 'x')) + frame(0x00, "x") +
           frame(0x80, "x").substr(0, 6),
       {"failed 1009"}},
      {"half a close code", frame(0x88, "\x03"), {"failed 1002"}},
      {"a reason that is not UTF-8", close_frame(1000, "\xFF"), {"failed 1007"}},
      {"a text that is not UTF-8", frame(0x81, "a\xFF"), {"failed 1007"}},
      {"half a character", frame(0x81, "\xC3"), {"failed 1007"}},
      {"half a character and another fragment", frame(0x01, "\xC3") + frame(0x80, "a"), {"failed 1007"}},
      {"an overlong character over fragments", frame(0x01, "\xC0") + frame(0x80, "\x80"), {"failed 1007"}},
      {"a surrogate over fragments",
       frame(0x01, "\xED") + frame(0x00, "\xA0") + frame(0x80, "\x80"),
       {"failed 1007"}},
      {"a character above the last", frame(0x81, "\xF4\x90\x80\x80"), {"failed 1007"}},
      {"a good text and a bad one", frame(0x81, "a") + frame(0x81, "\xFF"), {"message a", "failed 1007"}},
  };
  for (unsigned const opcode : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U}) {
    cases.push_back({fmt::format("opcode {}", opcode), frame(0x80 | opcode, ""), {"failed 1002"}});
  }
  for (unsigned const code :
       {0U, 1U, 999U, 1004U, 1005U, 1006U, 1015U, 1016U, 1100U, 2000U, 2999U, 5000U, 65'535U}) {
    cases.push_back({fmt::format("close code {}", code), close_frame(code), {"failed 1002"}});
  }
  check(cases);
  // After a failure, the reader stays failed, whatever follows.
  for (auto& [what, bytes, events] : cases) {
    // Half a header is not a failure, so more bytes would be read as the rest of the header.
    bytes += frame(0x81, "more") + close_frame(1000);
  }
  check(cases);
}

TEST(FrameReader, takes_no_memory_for_an_announcement) {
  FrameReader reader(std::size_t(1) << 40U);
  std::string_view header(
      "\x81\xFF\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00"
      "abc",
      17);
  EXPECT_EQ(reader.next(header), FrameReader::Event::need_more);
  EXPECT_LT(reader.take_message().capacity(), 100);
}

class FrameReaderAtRandom : public testing::Test {
 protected:
  FrameReaderAtRandom() {
    auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
    seed = given ? Seed{std::stoull(given)} : random_seed();
    random = Random(seed);
  }
  std::string bytes(std::size_t count) {
    std::string out(count, '\0');
    for (auto& c : out) c = char(random.next());
    return out;
  }
  std::string text(std::size_t chars) {
    static constexpr std::string_view alphabet[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8D\x95",
                                                    "\n"};
    std::string out;
    for (std::size_t i = 0; i < chars; ++i) out += alphabet[random.below(5)];
    return out;
  }
  std::string masked(unsigned first, std::string payload) {
    ClientFrame out{.first = first, .payload = std::move(payload)};
    for (auto& byte : out.mask) byte = static_cast<unsigned char>(random.next());
    return out.bytes();
  }
  Seed seed;
  Random random{Seed{}};
};

// Messages in random fragments, with control frames in between, fed in random pieces,
// come out as they were sent.
TEST_F(FrameReaderAtRandom, gives_back_what_was_sent) {
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  for (int round = 0; round < 200; ++round) {
    std::string sent;
    Events expected;
    for (int i = 0; i < 5; ++i) {
      auto const message = text(random.chance(1, 10) ? 5000 : random.below(200));
      std::size_t at = 0;
      for (bool first = true, last = false; !last; first = false) {
        auto const size = random.below(message.size() - at + 1);
        last = at + size == message.size() && random.chance(1, 2);
        sent += masked((first ? 1U : 0U) | (last ? 0x80U : 0U), message.substr(at, size));
        at += size;
        if (last || !random.chance(1, 3)) continue;
        bool const ping = random.chance(1, 2);
        auto const payload = bytes(random.below(126));
        sent += masked(ping ? 0x89 : 0x8A, payload);
        expected.push_back((ping ? "ping " : "pong ") + payload);
      }
      expected.push_back("message " + message);
    }
    FrameReader reader(message_bytes_max);
    Events events;
    for (std::string_view rest = sent; !rest.empty();) {
      auto const size = std::min<std::size_t>(rest.size(), 1 + random.below(random.chance(1, 2) ? 5 : 4000));
      feed(reader, rest.substr(0, size), events);
      rest.remove_prefix(size);
    }
    ASSERT_EQ(events, expected);
  }
}

// Broken input is read in the same way, however it is cut into pieces.
TEST_F(FrameReaderAtRandom, reads_garbage_the_same_in_any_pieces) {
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  for (int round = 0; round < 2000; ++round) {
    std::string sent = random.chance(1, 4) ? bytes(random.below(300)) : "";
    for (auto i = random.below(4); i > 0; --i) {
      sent += masked(unsigned(random.below(256)), random.chance(1, 2) ? bytes(random.below(200)) : text(50));
    }
    for (auto i = random.below(4); i > 0 && !sent.empty(); --i)
      sent[random.below(sent.size())] = char(random.next());
    auto const whole = events_of(sent, sent.size() + 1);
    ASSERT_EQ(events_of(sent, 1), whole);
    ASSERT_EQ(events_of(sent, 1 + random.below(50)), whole);
  }
}

TEST(Frames, are_written_as_a_server_does) {
  struct Size {
    std::size_t payload;
    std::string header;
  };
  for (auto const& [payload, header] :
       {Size{0, "\x81\x00"s}, Size{125, "\x81\x7D"}, Size{126, "\x81\x7E\x00\x7E"s},
        Size{65'535, "\x81\x7E\xFF\xFF"}, Size{65'536, "\x81\x7F\x00\x00\x00\x00\x00\x01\x00\x00"s}}) {
    std::string out = "before";
    append_frame(out, Opcode::text, std::string(payload, 'x'));
    EXPECT_EQ(out, "before" + header + std::string(payload, 'x'));
    EXPECT_EQ(frame_bytes(payload), out.size() - 6);
  }
  std::string out;
  append_close_frame(out, CloseCode::going_away, "bye");
  EXPECT_EQ(out,
            "\x88\x05\x03\xE9"
            "bye");
  out.clear();
  append_close_frame(out, CloseCode::normal, std::string(122, 'x') + "\xC3\xA9");
  EXPECT_EQ(out, "\x88\x7C\x03\xE8" + std::string(122, 'x'));
}

}  // namespace

}  // namespace larder::http::test
