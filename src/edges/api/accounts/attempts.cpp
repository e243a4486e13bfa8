#include "edges/api/accounts/attempts.hpp"

#include "base/log.hpp"
#include "edges/http/rate_limit.hpp"
#include "kit/accounts/account_keys.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <ranges>

namespace larder::api {

namespace {

using accounts::AccountKeys;

constexpr limiter::Rule login_name_rule{.tokens = limits::failed_logins_per_name_max,
                                        .seconds = limits::failed_logins_s};
constexpr limiter::Rule login_address_rule{.tokens = limits::failed_logins_per_address_max,
                                           .seconds = limits::failed_logins_s};
constexpr limiter::Rule registration_rule{.tokens = limits::registrations_per_address_max,
                                          .seconds = limits::registrations_s};

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

std::string sender_of(http::Request const& request, bool behind_proxy) {
  // A proxy adds the address to the list, or adds a list. What comes before may be the client's invention.
  auto const forwarded = without_port(last_forwarded(request.headers.find_last("x-forwarded-for")));
  auto text = behind_proxy && !forwarded.empty() ? std::string(forwarded) : request.peer;
  boost::system::error_code failed;
  auto const address = asio::ip::make_address(text, failed);
  if (failed || address.is_v4()) return text;
  auto const v6 = address.to_v6();
  if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6).to_string();
  auto bytes = v6.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
}

Task<Result<Attempt>> Attempts::to_log_in(std::string const& name_key, std::string const& sender) {
  std::vector<limiter::Bucket> buckets{
      {.name = AccountKeys::logins_of_name(name_key), .rule = login_name_rule},
      {.name = AccountKeys::logins_of_address(sender), .rule = login_address_rule}};
  return count(std::move(buckets));
}

Task<Result<Attempt>> Attempts::to_register(std::string const& sender) {
  std::vector<limiter::Bucket> buckets{
      {.name = AccountKeys::registrations(sender), .rule = registration_rule}};
  return count(std::move(buckets));
}

Task<Result<Attempt>> Attempts::count(std::vector<limiter::Bucket> buckets) {
  auto const now = clock_.now();
  limiter::Taken taken;
  try {
    taken = co_await limiter_.take(buckets, now);
  } catch (StoreError const& error) {
    throw StoreError(error.what(), false);
  }
  if (taken) co_return Attempt{.buckets = std::move(buckets), .at = now};
  auto const ready_at = std::ranges::max(taken.levels | std::views::transform(&limiter::Level::ready_at));
  auto const wait_s = std::max<std::int64_t>((ready_at - now + 999) / 1000, 1);
  co_return std::unexpected(Error{.code = errors::rate_limited,
                                  .detail = "too many attempts; try again later",
                                  .more = {{"retry_after_s", wait_s}}});
}

Task<void> Attempts::forgive(Attempt attempt) {
  try {
    co_await limiter_.refund(std::move(attempt.buckets), attempt.at, clock_.now());
  } catch (StoreError const& error) {
    log::warn("an attempt to log in still counts", {{"why", error.what()}});
  }
}

}  // namespace larder::api
