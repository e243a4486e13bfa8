#include "stores/redis/url.hpp"

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/number.hpp"

#include <boost/url/pct_string_view.hpp>
#include <fmt/format.h>

namespace larder::redis {

namespace {

[[noreturn]] void bad_url(std::string_view text, std::string_view why) {
  throw SetupError(fmt::format(
      "redis.url {}: {}. Possible are embedded, unix:/path, redis://[user:password@]host:port[/db], "
      "redis+cluster://host:port,host:port, and rediss instead of redis for TLS",
      redact_url(text), why));
}

int parse_number(std::string_view url, std::string_view digits, int max, std::string_view what) {
  auto const number = parse_int<int>(digits);
  if (!number || *number < 0 || *number > max) bad_url(url, fmt::format("bad {}", what));
  return *number;
}

std::string percent_decode(std::string_view url, std::string_view text) {
  auto const encoded = boost::urls::make_pct_string_view(boost::core::string_view(text.data(), text.size()));
  if (!encoded) bad_url(url, "bad percent encoding in the user or password");
  return encoded->decode();
}

Endpoint parse_endpoint(std::string_view url, std::string_view text) {
  std::string_view host = text;
  std::string_view port = "6379";
  if (text.starts_with('[')) {  // IPv6
    auto const close = text.find(']');
    if (close == std::string_view::npos) bad_url(url, "a [ without ]");
    host = text.substr(1, close - 1);
    if (auto const rest = text.substr(close + 1); rest.starts_with(':')) {
      port = rest.substr(1);
    } else if (!rest.empty()) {
      bad_url(url, "bad address");
    }
  } else if (auto const colon = text.rfind(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  if (host.empty()) bad_url(url, "no host");
  auto const number = parse_number(url, port, 65535, "port");
  if (number == 0) bad_url(url, "bad port");
  return {std::string(host), number};
}

}  // namespace

std::string Endpoint::str() const { return port == 0 ? host : fmt::format("{}:{}", host, port); }

Url parse_url(std::string_view text) {
  Url url;
  if (text == "embedded") {
    url.embedded = true;
    return url;
  }
  if (text.starts_with("unix:")) {
    auto path = text.substr(5);
    if (path.starts_with("//")) path.remove_prefix(2);
    if (path.empty()) bad_url(text, "no path");
    if (path.find('?') != std::string_view::npos) bad_url(text, "unix:/path takes no options");
    url.endpoints.push_back({std::string(path), 0});
    return url;
  }
  auto rest = text;
  for (auto const& [scheme, tls, cluster] : {std::tuple{"redis://", false, false},
                                             {"rediss://", true, false},
                                             {"redis+cluster://", false, true},
                                             {"rediss+cluster://", true, true}}) {
    if (!rest.starts_with(scheme)) continue;
    rest.remove_prefix(std::string_view(scheme).size());
    url.tls = tls;
    url.cluster = cluster;
    break;
  }
  if (rest.size() == text.size()) bad_url(text, "unknown scheme");

  if (auto const at = rest.rfind('@'); at != std::string_view::npos) {
    auto const login = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    auto const colon = login.find(':');
    if (colon == std::string_view::npos) {
      // The text before the '@' may well be a password, so hide it.
      bad_url(fmt::format("{}***@{}", text.substr(0, text.find("://") + 3), rest),
              "a user needs a password: user:password@");
    }
    url.user = percent_decode(text, login.substr(0, colon));
    url.password = percent_decode(text, login.substr(colon + 1));
  }
  if (auto const slash = rest.find('/'); slash != std::string_view::npos) {
    if (auto const db = rest.substr(slash + 1); !db.empty()) {
      url.db = parse_number(text, db, 1'000'000, "database number");
    }
    rest = rest.substr(0, slash);
  }
  if (url.cluster && url.db != 0) bad_url(text, "a cluster has only database 0");
  for (std::size_t start = 0; start <= rest.size();) {
    auto const comma = std::min(rest.find(',', start), rest.size());
    url.endpoints.push_back(parse_endpoint(text, rest.substr(start, comma - start)));
    start = comma + 1;
  }
  if (!url.cluster && url.endpoints.size() > 1) bad_url(text, "several hosts need redis+cluster://");
  return url;
}

}  // namespace larder::redis
