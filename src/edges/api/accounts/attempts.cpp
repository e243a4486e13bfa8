#include "edges/api/accounts/attempts.hpp"

#include "base/log.hpp"
#include "edges/http/rate_limit.hpp"
#include "kit/accounts/account_keys.hpp"

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

}  // namespace

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
    throw StoreError(error.what(), false, error.store());
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
