#include "edges/http/request_parser.hpp"

#include <gtest/gtest.h>

namespace larder::http {

namespace {

// The paths of the requests in the bytes, and how it ended: "/a /b need_more". The bytes come in pieces.
std::string requests_in(std::string_view bytes, std::size_t piece) {
  static Router const router(std::vector<Api>{});
  Bodies bodies(router, 1 << 20);
  RequestParser parser(bodies);
  Request request;
  std::string pending;
  std::string found;
  while (!bytes.empty()) {
    pending += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    std::string_view input = pending;
    for (auto state = RequestParser::State::complete; state != RequestParser::State::need_more;) {
      state = parser.feed(input, request);
      if (state == RequestParser::State::failed) return found + "failed";
      if (state == RequestParser::State::need_more) break;
      if (state == RequestParser::State::head) {
        EXPECT_FALSE(parser.begin_body({.kind = Sender::Kind::caller, .name = "k1"}));
        continue;
      }
      found += request.path + " ";
      parser.reset(request);
    }
    pending.erase(0, pending.size() - input.size());
  }
  return found + "need_more";
}

TEST(RequestParser, skips_one_empty_line_before_a_request_however_the_bytes_arrive) {
  std::string const get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
  for (std::size_t const piece : {1, 2, 3, 1000}) {
    EXPECT_EQ(requests_in(get + "\r\n" + get, piece), "/a /a need_more") << piece;
    EXPECT_EQ(requests_in("\r\n" + get + "\r\n", piece), "/a need_more") << piece;
    EXPECT_EQ(requests_in("\r\n\r\n" + get, piece), "failed") << piece;
  }
}

TEST(RequestParser, takes_an_empty_body_in_chunks_however_the_bytes_arrive) {
  std::string const head = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t piece = 1; piece < head.size() + 10; ++piece) {
    EXPECT_EQ(requests_in(head + "0\r\n\r\n", piece), "/a need_more") << piece;
    EXPECT_EQ(requests_in(head + "00\r\n\r\n" + head + "0\r\nT: t\r\n\r\n", piece), "/a /a need_more")
        << piece;
    EXPECT_EQ(requests_in(head + "3\r\n0\r\n\r\n0\r\n\r\n", piece), "/a need_more") << piece;
    EXPECT_EQ(requests_in(head + "0\r\nx\r\n\r\n", piece), "failed") << piece;
    EXPECT_EQ(requests_in(head + "3\r\nabc0\r\n\r", piece), "failed") << piece;
  }
}

TEST(RequestParser, refuses_a_first_line_that_is_too_short_at_once) {
  for (std::string const line :
       {"GET", "GET ", "GET /", "GET / ", "GET / x", "GET / HTTP", "GET / HTTP/1."}) {
    for (std::size_t const piece : {1, 3, 1000}) {
      EXPECT_EQ(requests_in(line + "\r\n\r\n", piece), "failed") << line;
    }
  }
}

}  // namespace

}  // namespace larder::http
