#include "systems/webhooks/host_lookup.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>

namespace larder::webhooks {

namespace {

constexpr std::size_t searches_max = 32;
constexpr std::chrono::milliseconds look_first{1};
constexpr std::chrono::milliseconds look_max{50};

Address to_address(sockaddr const& from) {
  if (from.sa_family == AF_INET) {
    sockaddr_in place{};
    std::memcpy(&place, &from, sizeof place);
    return boost::asio::ip::address_v4(ntohl(place.sin_addr.s_addr));
  }
  sockaddr_in6 place{};
  std::memcpy(&place, &from, sizeof place);
  boost::asio::ip::address_v6::bytes_type bytes{};
  std::memcpy(bytes.data(), &place.sin6_addr, bytes.size());
  return boost::asio::ip::address_v6(bytes, place.sin6_scope_id);
}

}  // namespace

struct HostLookup::Search {
  std::atomic<bool> done = false;  // set last: then the others do not change any more
  std::vector<Address> found;
  std::string problem;

  void run(std::string const& host) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* first = nullptr;
    int const code = getaddrinfo(host.c_str(), nullptr, &hints, &first);
    for (auto const* each = first; each; each = each->ai_next) {
      if (each->ai_family != AF_INET && each->ai_family != AF_INET6) continue;
      auto const address = to_address(*each->ai_addr);
      if (std::ranges::find(found, address) == found.end()) found.push_back(address);
    }
    if (first) freeaddrinfo(first);
    if (code != 0) problem = gai_strerror(code);
    done = true;
  }
};

HostLookup::HostLookup() : searches_(std::make_shared<Searches>()) {}

// Returns null if too many lookups hang.
std::shared_ptr<HostLookup::Search> HostLookup::begin(std::string const& host) {
  std::lock_guard const lock(searches_->mutex);
  auto& by_host = searches_->by_host;
  if (auto const running = by_host.find(host); running != by_host.end()) return running->second;
  if (by_host.size() >= searches_max) return nullptr;
  auto search = std::make_shared<Search>();
  // The thread waits for the lock before it removes the entry.
  std::thread([searches = searches_, search, host] {
    search->run(host);
    std::lock_guard const ended(searches->mutex);
    searches->by_host.erase(host);
  }).detach();
  by_host.emplace(host, search);
  return search;
}

Task<std::expected<std::vector<Address>, std::string>> HostLookup::find(std::string host,
                                                                        std::chrono::milliseconds patience) {
  boost::system::error_code code;
  auto const address = boost::asio::ip::make_address(host, code);
  if (!code) co_return std::vector<Address>{address};
  auto const search = begin(host);
  if (!search) co_return std::unexpected("too many lookups of hosts take too long");
  auto const end = std::chrono::steady_clock::now() + patience;
  for (auto pause = look_first; !search->done; pause = std::min(2 * pause, look_max)) {
    if (std::chrono::steady_clock::now() > end)
      co_return std::unexpected("its address was not found in time");
    co_await sleep_for(pause);
  }
  if (search->found.empty()) co_return std::unexpected("no address was found: " + search->problem);
  co_return search->found;
}

}  // namespace larder::webhooks
