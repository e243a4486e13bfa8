// To which addresses the server may send events. A webhook must not reach what only this machine or its
// network can reach.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::webhooks {

using Address = boost::asio::ip::address;

// Whether the address belongs to the public internet. Private, local, shared, reserved and multicast
// addresses do not, and neither do IPv6 addresses that stand for an IPv4 address.
bool is_public(Address const& address);

// What an operator allows beyond that: hosts, addresses and blocks such as 10.0.0.0/8, separated by commas.
class AllowList {
 public:
  AllowList() = default;
  // Returns nothing if a word is none of these.
  static std::optional<AllowList> parse(std::string_view list);

  // Whether all addresses of this host may be used.
  bool allows(std::string_view host, std::span<Address const> addresses) const;

 private:
  struct Block {
    Address first;
    int bits = 0;
  };
  static bool contains(Block const& block, Address const& address);

  std::vector<std::string> hosts_;
  std::vector<Block> blocks_;
};

}  // namespace larder::webhooks
