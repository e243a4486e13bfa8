#include "systems/webhooks/addresses.hpp"

#include "systems/webhooks/target.hpp"

#include <gtest/gtest.h>

namespace larder::webhooks {

namespace {

Address address(std::string const& text) { return boost::asio::ip::make_address(text); }

bool allows(std::string_view list, std::string const& host, std::vector<std::string> const& texts) {
  std::vector<Address> addresses;
  for (auto const& text : texts) addresses.push_back(address(text));
  return AllowList::parse(list).value().allows(host, addresses);
}

}  // namespace

TEST(Addresses, only_addresses_of_the_internet_are_public) {
  for (auto const* text : {"1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255",
                           "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "172.15.255.255",
                           "172.32.0.0", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255",
                           "2606:4700::1111", "2001:4860:4860::8888", "2a00::1", "3ffe::1"}) {
    EXPECT_TRUE(is_public(address(text))) << text;
  }
  for (auto const* text : {"0.0.0.0",
                           "0.1.2.3",
                           "10.0.0.1",
                           "10.255.255.255",
                           "100.64.0.1",
                           "100.127.255.255",
                           "127.0.0.1",
                           "127.255.255.255",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.0.0.1",
                           "192.0.2.1",
                           "192.88.99.1",
                           "192.168.1.1",
                           "198.18.0.1",
                           "198.19.255.255",
                           "198.51.100.1",
                           "203.0.113.1",
                           "224.0.0.1",
                           "239.255.255.255",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "::ffff:1.1.1.1",
                           "::ffff:127.0.0.1",
                           "::1.1.1.1",
                           "64:ff9b::1.1.1.1",
                           "100::1",
                           "2001::1",
                           "2001:db8::1",
                           "2002:7f00:1::",
                           "3fff::1",
                           "fc00::1",
                           "fd12::1",
                           "fe80::1",
                           "fec0::1",
                           "ff02::1"}) {
    EXPECT_FALSE(is_public(address(text))) << text;
  }
}

TEST(Addresses, allows_what_the_list_names_and_nothing_beside_it) {
  EXPECT_TRUE(allows("", "x.org", {"1.1.1.1"}));
  EXPECT_FALSE(allows("", "x.org", {"127.0.0.1"}));
  EXPECT_FALSE(allows("", "x.org", {"1.1.1.1", "127.0.0.1"}));
  EXPECT_TRUE(allows("127.0.0.1", "x.org", {"127.0.0.1", "1.1.1.1"}));
  EXPECT_FALSE(allows("127.0.0.1", "x.org", {"127.0.0.2"}));
  EXPECT_FALSE(allows("127.0.0.1", "x.org", {"::ffff:127.0.0.1"}));
  EXPECT_TRUE(allows("10.1.0.0/16, fd00::/8", "x.org", {"10.1.255.255", "fdff::1"}));
  EXPECT_FALSE(allows("10.1.0.0/16, fd00::/8", "x.org", {"10.2.0.0"}));
  EXPECT_FALSE(allows("10.1.0.0/16, fd00::/8", "x.org", {"fc00::1"}));
  EXPECT_TRUE(allows("10.0.0.0/9", "x.org", {"10.127.0.1"}));
  EXPECT_FALSE(allows("10.0.0.0/9", "x.org", {"10.128.0.1"}));
  EXPECT_TRUE(allows("0.0.0.0/0", "x.org", {"127.0.0.1"}));
  EXPECT_TRUE(allows("Hooks.Internal", "hooks.internal", {"192.168.0.7"}));
  EXPECT_FALSE(allows("hooks.internal", "x.hooks.internal", {"192.168.0.7"}));
}

TEST(Addresses, refuses_lists_that_it_cannot_read) {
  for (auto const* list : {",", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/x", "a b",
                           "x/8", "127.0.0.1,", "http://x"}) {
    EXPECT_FALSE(AllowList::parse(list)) << list;
  }
}

TEST(Targets, takes_a_url_apart) {
  struct Case {
    std::string url, host, authority, path;
    bool tls;
    int port;
  };
  for (auto const& [url, host, authority, path, tls, port] : std::vector<Case>{
           {"https://Example.org", "example.org", "example.org", "/", true, 443},
           {"HTTP://example.org:8080/a%20b?c=d&e", "example.org", "example.org:8080", "/a%20b?c=d&e", false,
            8080},
           {"https://[2606:4700::1111]:443/x", "2606:4700::1111", "[2606:4700::1111]:443", "/x", true, 443},
           {"http://1.1.1.1?x", "1.1.1.1", "1.1.1.1", "/?x", false, 80}}) {
    auto const target = parse_target(url);
    ASSERT_TRUE(target) << url << ": " << target.error().detail;
    EXPECT_EQ(target->host, host);
    EXPECT_EQ(target->authority, authority);
    EXPECT_EQ(target->path, path);
    EXPECT_EQ(target->tls, tls);
    EXPECT_EQ(target->port, port);
  }
}

TEST(Targets, refuses_what_is_no_plain_url_of_http) {
  for (std::string const& url : {std::string("ftp://example.org"),
                                 std::string("example.org/x"),
                                 std::string("//example.org"),
                                 std::string("https:/x"),
                                 std::string("https://"),
                                 std::string("https:///x"),
                                 std::string("file:///etc"),
                                 std::string("https://user@example.org"),
                                 std::string("https://u:p@example.org"),
                                 std::string("https://@example.org"),
                                 std::string("https://example.org/#a"),
                                 std::string("https://example.org#"),
                                 std::string("https://example.org:0/"),
                                 std::string("https://example.org:65536/"),
                                 std::string("https://example.org:x/"),
                                 std::string("https://exa mple.org/"),
                                 std::string("https://example.org/\r\nX: y"),
                                 std::string("https://ex%61mple.org/"),
                                 std::string("https://m\xc3\xbcller.de/"),
                                 std::string("https://[v1.x]/"),
                                 std::string("https://[::1/"),
                                 std::string("https://a\\@b/"),
                                 "https://example.org/" + std::string(2000, 'x')}) {
    auto const target = parse_target(url);
    ASSERT_FALSE(target) << url;
    EXPECT_EQ(target.error().field, "url");
  }
}

}  // namespace larder::webhooks
