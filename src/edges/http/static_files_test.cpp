#include "edges/http/static_files.hpp"

#include "base/hash.hpp"
#include "edges/http/test_server.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

namespace larder::http::test {

namespace {

EmbeddedFile file(std::string_view name) {
  auto const all = files::site();
  auto const found = std::ranges::find(all, name, &EmbeddedFile::name);
  LARDER_ASSERT(found != all.end());
  return *found;
}

TEST(EmbeddedFiles, contain_every_byte) {
  std::vector<std::string_view> names;
  for (auto const& embedded : files::site()) {
    names.push_back(embedded.name);
    EXPECT_EQ(embedded.hash, sha256_hex(embedded.content).substr(0, 32)) << embedded.name;
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"assets/app-1a2b3c4d.js", "assets/bytes.bin", "empty.txt",
                                                  "index.html", "packed.css", "two words.txt"}));
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(char(i));
  EXPECT_EQ(file("assets/bytes.bin").content, bytes);
  EXPECT_EQ(file("assets/app-1a2b3c4d.js").content,
            "export const text = `a \"quoted\" ${\"text\"} with a \\\\ and )larder\"`;\n");
  EXPECT_EQ(file("empty.txt").content, "");
}

TEST(EmbeddedFiles, are_compressed_if_it_is_worth_it) {
  auto const page = file("index.html");
  EXPECT_LT(page.gzip.size(), page.content.size() * 9 / 10);
  EXPECT_EQ(gunzip(page.gzip), page.content);
  EXPECT_EQ(file("assets/bytes.bin").gzip, "");
  EXPECT_EQ(file("empty.txt").gzip, "");
}

TEST(StaticFiles, know_the_content_type) {
  for (auto const& [name, type] : {std::pair{"a.html", "text/html; charset=utf-8"},
                                   {"a/b.c/d.JS", "text/javascript; charset=utf-8"},
                                   {"a.css", "text/css; charset=utf-8"},
                                   {"icon.svg", "image/svg+xml"},
                                   {"a.woff2", "font/woff2"},
                                   {"a.js.map", "application/json"},
                                   {"html", "application/octet-stream"},
                                   {"a.", "application/octet-stream"},
                                   {"", "application/octet-stream"},
                                   {"a.exe", "application/octet-stream"}}) {
    EXPECT_EQ(content_type_of(name), type) << name;
  }
}

class StaticFilesOverHttp : public testing::Test {
 protected:
  TestServer server;
  Client client{server.endpoint()};
  EmbeddedFile page = file("index.html");
  std::string plain_tag = fmt::format("\"{}\"", page.hash);
  std::string gzip_tag = fmt::format("\"{}-gzip\"", page.hash);
};

TEST_F(StaticFilesOverHttp, are_sent_plain_or_compressed) {
  auto const plain = client.get("/site/index.html");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.body, page.content);
  EXPECT_EQ(plain.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(plain.header("Cache-Control"), "no-cache");
  EXPECT_EQ(plain.header("ETag"), plain_tag);
  EXPECT_EQ(plain.header("Vary"), "Accept-Encoding");
  EXPECT_EQ(plain.header("Content-Encoding"), "");
  EXPECT_EQ(plain.header("X-Content-Type-Options"), "nosniff");

  struct Case {
    std::string_view accepted;
    bool packed;
  };
  Case const cases[] = {{"gzip", true},
                        {"br, gzip;q=0.5", true},
                        {"*", true},
                        {"gzip;q=0", false},
                        {"gzip;q=0.000, *;q=1", false},
                        {"identity", false},
                        {"*;q=0", false},
                        {"deflate, br", false},
                        {"gzip;q=0, identity", false},
                        {"identity, *", true},
                        {"GZIP", true},
                        {"", false}};
  for (auto const& [accepted, packed] : cases) {
    auto const reply = client.get("/site/index.html", fmt::format("Accept-Encoding: {}\r\n", accepted));
    EXPECT_EQ(reply.header("Content-Encoding"), packed ? "gzip" : "") << accepted;
    EXPECT_EQ(reply.header("ETag"), packed ? gzip_tag : plain_tag) << accepted;
    EXPECT_EQ(reply.header("Content-Length"), fmt::to_string((packed ? page.gzip : page.content).size()));
    EXPECT_EQ(packed ? gunzip(reply.body) : reply.body, page.content) << accepted;
    EXPECT_EQ(reply.header("Vary"), "Accept-Encoding");
  }
}

TEST_F(StaticFilesOverHttp, are_sent_as_brotli_if_a_build_step_has_made_it) {
  auto const packed = file("packed.css");
  EXPECT_FALSE(packed.brotli.empty());
  EXPECT_LT(packed.brotli.size(), packed.gzip.size());
  EXPECT_EQ(page.brotli, "");
  struct Case {
    std::string_view accepted;
    std::string_view coding;
  };
  Case const cases[] = {{"br", "br"},
                        {"gzip, deflate, br", "br"},
                        {"gzip, BR;q=0.1", "br"},
                        {"gzip, br;q=0", "gzip"},
                        {"gzip", "gzip"},
                        {"*", "gzip"},
                        {"brotli", ""},
                        {"", ""}};
  for (auto const& [accepted, coding] : cases) {
    auto const reply = client.get("/site/packed.css", fmt::format("Accept-Encoding: {}\r\n", accepted));
    EXPECT_EQ(reply.header("Content-Encoding"), coding) << accepted;
    EXPECT_EQ(reply.body, coding == "br" ? packed.brotli : coding == "gzip" ? packed.gzip : packed.content);
    EXPECT_EQ(reply.header("ETag"),
              fmt::format("\"{}{}{}\"", packed.hash, coding.empty() ? "" : "-", coding));
    EXPECT_EQ(reply.header("Vary"), "Accept-Encoding");
  }
  EXPECT_EQ(client.get("/site/packed.css.br").status, 404);
}

TEST_F(StaticFilesOverHttp, are_not_sent_to_who_has_them) {
  struct Case {
    std::string headers;
    int status;
    std::string_view etag;
  };
  Case const cases[] = {
      {fmt::format("If-None-Match: {}\r\n", plain_tag), 304, plain_tag},
      {fmt::format("If-None-Match: W/{}\r\n", plain_tag), 304, plain_tag},
      {fmt::format("If-None-Match: \"a\", \"b,c\" ,{}\r\n", plain_tag), 304, plain_tag},
      {fmt::format("If-None-Match: \"a\"\r\nIf-None-Match: {}\r\n", plain_tag), 304, plain_tag},
      {"If-None-Match: *\r\n", 304, plain_tag},
      {fmt::format("If-None-Match: {}\r\nAccept-Encoding: gzip\r\n", gzip_tag), 304, gzip_tag},
      {fmt::format("If-None-Match: {}\r\nAccept-Encoding: gzip\r\n", plain_tag), 200, gzip_tag},
      {fmt::format("If-None-Match: {}\r\n", gzip_tag), 200, plain_tag},
      {"If-None-Match: \"a\"\r\n", 200, plain_tag},
      {"If-None-Match: \r\n", 200, plain_tag},
      {fmt::format("If-None-Match: {}\r\n", page.hash), 200, plain_tag},
      {"If-None-Match: \"\r\n", 200, plain_tag},
  };
  for (auto const& [headers, status, etag] : cases) {
    auto const reply = client.get("/site/index.html", headers);
    EXPECT_EQ(reply.status, status) << headers;
    EXPECT_EQ(reply.header("ETag"), etag) << headers;
    EXPECT_EQ(reply.header("Cache-Control"), "no-cache") << headers;
    EXPECT_EQ(reply.header("Vary"), "Accept-Encoding") << headers;
    EXPECT_EQ(reply.body.empty(), status == 304) << headers;
    if (status == 304) EXPECT_EQ(reply.header("Content-Encoding"), "");
  }
}

TEST_F(StaticFilesOverHttp, are_kept_for_good_if_their_name_has_a_hash) {
  auto const script = client.get("/site/assets/app-1a2b3c4d.js");
  EXPECT_EQ(script.header("Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(script.header("Content-Type"), "text/javascript; charset=utf-8");
  auto const bytes = client.get("/site/assets/bytes.bin", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(bytes.body, file("assets/bytes.bin").content);
  EXPECT_EQ(bytes.header("Content-Encoding"), "");
  EXPECT_EQ(bytes.header("Vary"), "");
}

TEST_F(StaticFilesOverHttp, answer_head_and_odd_names) {
  client.send("HEAD /site/index.html HTTP/1.1\r\nHost: t\r\nAccept-Encoding: gzip\r\n\r\n");
  auto const head = client.receive(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("Content-Length"), fmt::to_string(page.gzip.size()));
  EXPECT_EQ(head.header("Content-Encoding"), "gzip");
  EXPECT_EQ(client.get("/site/two%20words.txt").body, "A name may have a space.\n");
  EXPECT_EQ(client.get("/site/assets%2Fbytes.bin").status, 200);
  auto const empty = client.get("/site/empty.txt");
  EXPECT_EQ(empty.status, 200);
  EXPECT_EQ(empty.header("Content-Length"), "0");
  EXPECT_EQ(client.ask("POST /site/index.html HTTP/1.1\r\nHost: t\r\n\r\n").status, 405);
}

TEST_F(StaticFilesOverHttp, are_found_by_their_exact_name_only) {
  for (auto const* path : {"/site/", "/site/none", "/site/INDEX.html", "/site/index.html/",
                           "/site//index.html", "/site/./index.html", "/site/assets/../index.html",
                           "/site/../../../../etc/passwd", "/site/%2e%2e/%2e%2e/etc/passwd", "/site/assets",
                           "/site/index.htm", "/site/index.html%20", "/site/..%5cindex.html"}) {
    auto const reply = client.get(path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_EQ(reply.code(), "route_not_found") << path;
  }
  EXPECT_EQ(client.get("/site/index.html%00").status, 400);
}

TEST_F(StaticFilesOverHttp, are_documented) {
  auto const operation = json::parse(server.openapi()).at("paths").at("/site/{path}").at("get");
  EXPECT_EQ(operation.at("parameters").at(0).at("name"), "path");
}

}  // namespace

}  // namespace larder::http::test
