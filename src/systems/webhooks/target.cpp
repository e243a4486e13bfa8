#include "systems/webhooks/target.hpp"

#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace larder::webhooks {

namespace {

constexpr std::uint16_t http_port = 80;
constexpr std::uint16_t https_port = 443;
constexpr std::size_t host_chars_max = 253;

std::string text_of(boost::core::string_view text) { return {text.data(), text.size()}; }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

// What is behind the colon of the authority; empty: there is no port. The parser of Boost also accepts a port
// that is no number.
std::string_view port_text(std::string_view url) {
  url.remove_prefix(url.find("//") + 2);
  auto const authority = url.substr(0, url.find_first_of("/?#"));
  auto const colon = authority.rfind(':');
  auto const bracket = authority.rfind(']');
  bool const is_inside =
      bracket != std::string_view::npos && (colon == std::string_view::npos || colon < bracket);
  return colon == std::string_view::npos || is_inside ? std::string_view() : authority.substr(colon + 1);
}

std::unexpected<Error> wrong(std::string_view what) { return invalid("url", fmt::format("url {}", what)); }

}  // namespace

Result<Target> parse_target(std::string_view url) {
  if (url.size() > limits::webhook_url_chars_max)
    return wrong(fmt::format("must have at most {} characters", limits::webhook_url_chars_max));
  auto const parsed = boost::urls::parse_uri(boost::core::string_view(url.data(), url.size()));
  if (!parsed) return wrong("must be a URL such as https://example.org/hook");
  auto const scheme = lower(text_of(parsed->scheme()));
  if (scheme != "http" && scheme != "https") return wrong("must begin with https:// or http://");
  if (!parsed->has_authority()) return wrong("must name a host");
  if (parsed->has_userinfo()) return wrong("must have no user name and no password");
  if (parsed->has_fragment()) return wrong("must have no fragment (#...)");

  Target target{.tls = scheme == "https", .path = text_of(parsed->encoded_target())};
  auto const host = lower(text_of(parsed->encoded_host()));
  target.authority = host;
  target.host = host;
  if (host.starts_with('[')) {
    if (parsed->host_type() != boost::urls::host_type::ipv6) return wrong("must name a host or an address");
    target.host = host.substr(1, host.size() - 2);
  } else if (host.empty() || host.size() > host_chars_max || !all_in_charset(host, "._-")) {
    return wrong("must name its host in characters of A-Z a-z 0-9 . _ - (other names in their form xn--...)");
  }
  target.port = target.tls ? https_port : http_port;
  if (auto const port = port_text(url); !port.empty()) {
    auto const number = parse_int<std::uint16_t>(port);
    if (!number || *number == 0) return wrong("must have a port from 1 to 65535");
    target.port = *number;
    target.authority += fmt::format(":{}", target.port);
  }
  if (!target.path.starts_with('/')) target.path.insert(0, "/");
  return target;
}

}  // namespace larder::webhooks
