#include "edges/http/credentials.hpp"

#include <boost/asio/ip/address.hpp>

namespace larder::http {

namespace {

// The fields that proxies add to the requests that they forward, besides X-Forwarded-...
constexpr std::string_view forwarding_fields[] = {"forwarded",
                                                  "via",
                                                  "x-real-ip",
                                                  "x-client-ip",
                                                  "x-cluster-client-ip",
                                                  "x-original-forwarded-for",
                                                  "x-envoy-external-address",
                                                  "true-client-ip",
                                                  "cf-connecting-ip",
                                                  "fastly-client-ip"};

bool is_forwarding_field(std::string_view name) {
  constexpr std::string_view family = "x-forwarded";
  return equals_ignoring_case(name.substr(0, family.size()), family) ||
         std::ranges::any_of(forwarding_fields,
                             [&](auto const& known) { return equals_ignoring_case(name, known); });
}

std::string_view last_forwarded(std::string_view list) {
  auto const comma = list.rfind(',');
  auto const last = comma == std::string_view::npos ? list : list.substr(comma + 1);
  auto const begin = last.find_first_not_of(" \t");
  return begin == std::string_view::npos ? last
                                         : last.substr(begin, last.find_last_not_of(" \t") - begin + 1);
}

// Some proxies add the port of the sender, which changes with every connection: 10.0.0.1:2000,
// [2001:db8::1]:2000.
std::string_view without_port(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  auto const colon = address.find(':');
  bool const one_colon =
      colon != std::string_view::npos && address.find(':', colon + 1) == std::string_view::npos;
  return one_colon ? address.substr(0, colon) : address;
}

}  // namespace

accounts::Credentials credentials_of(Request const& request) {
  bool const reads = request.method == Method::get || request.method == Method::head;
  return {.authorization = request.header("authorization"),
          .cookie = request.header("cookie"),
          .subprotocol = request.header("sec-websocket-protocol"),
          .origin = request.header("origin"),
          .host = request.header("host"),
          .acts = !reads || request.headers.lists("upgrade", "websocket")};
}

bool is_local(Request const& request) {
  return request.from_loopback && !request.headers.any_name(&is_forwarding_field);
}

std::string sender_of(std::string const& text) {
  boost::system::error_code failed;
  auto const address = asio::ip::make_address(text, failed);
  if (failed || address.is_v4()) return text;
  auto const v6 = address.to_v6();
  if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6).to_string();
  auto bytes = v6.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
}

std::string sender_of(Request const& request, bool behind_proxy) {
  // A proxy adds the address to the list, or adds a list. What comes before may be the client's invention.
  auto const forwarded = without_port(last_forwarded(request.headers.find_last("x-forwarded-for")));
  return sender_of(behind_proxy && !forwarded.empty() ? std::string(forwarded) : request.peer);
}

}  // namespace larder::http
