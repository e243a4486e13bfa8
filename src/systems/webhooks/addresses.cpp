#include "systems/webhooks/addresses.hpp"

#include "base/ids.hpp"
#include "base/number.hpp"

#include <algorithm>

namespace larder::webhooks {

namespace {

using boost::asio::ip::address_v4;
using boost::asio::ip::address_v6;

struct Range4 {
  std::uint32_t first;
  int bits;
};

constexpr std::uint32_t v4(unsigned a, unsigned b, unsigned c) { return a << 24U | b << 16U | c << 8U; }

// From the IANA registry of special addresses.
constexpr Range4 not_public_v4[] = {
    {v4(0, 0, 0), 8},        // this network, with the unspecified address
    {v4(10, 0, 0), 8},       // private
    {v4(100, 64, 0), 10},    // shared by the customers of a provider
    {v4(127, 0, 0), 8},      // loopback
    {v4(169, 254, 0), 16},   // link-local, with the metadata of clouds
    {v4(172, 16, 0), 12},    // private
    {v4(192, 0, 0), 24},     // protocols
    {v4(192, 0, 2), 24},     // documentation
    {v4(192, 88, 99), 24},   // relays to IPv6
    {v4(192, 168, 0), 16},   // private
    {v4(198, 18, 0), 15},    // measurements
    {v4(198, 51, 100), 24},  // documentation
    {v4(203, 0, 113), 24},   // documentation
    {v4(224, 0, 0), 4},      // multicast
    {v4(240, 0, 0), 4},      // reserved, with the broadcast address
};

struct Range6 {
  std::array<unsigned char, 8> first;
  int bits;
};

// Only 2000::/3 is public, so loopback, unspecified, link-local, unique-local, multicast and IPv4-mapped
// addresses, and those of NAT64, are refused without a line of their own.
constexpr Range6 public_v6{{0x20}, 3};
constexpr Range6 not_public_v6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23},  // protocols, with Teredo
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x20, 0x02}, 16},              // 6to4: stands for an IPv4 address
    {{0x3f, 0xff, 0x00}, 20},        // documentation
};

bool same_bits(std::span<unsigned char const> a, std::span<unsigned char const> b, int bits) {
  for (std::size_t i = 0; bits > 0; ++i, bits -= 8) {
    auto const mask = bits >= 8 ? 0xffU : 0xffU << unsigned(8 - bits) & 0xffU;
    if (((unsigned(a[i]) ^ unsigned(b[i])) & mask) != 0) return false;
  }
  return true;
}

bool is_in(address_v6::bytes_type const& bytes, Range6 const& range) {
  return same_bits(bytes, range.first, range.bits);
}

std::vector<unsigned char> bytes_of(Address const& address) {
  if (address.is_v4()) {
    auto const bytes = address.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  auto const bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

std::string_view without_spaces(std::string_view word) {
  while (word.starts_with(' ')) word.remove_prefix(1);
  while (word.ends_with(' ')) word.remove_suffix(1);
  return word;
}

}  // namespace

bool is_public(Address const& address) {
  if (address.is_v4()) {
    auto const number = address.to_v4().to_uint();
    return std::ranges::none_of(not_public_v4, [&](Range4 const& range) {
      return (number ^ range.first) >> unsigned(32 - range.bits) == 0;
    });
  }
  auto const bytes = address.to_v6().to_bytes();
  return is_in(bytes, public_v6) &&
         std::ranges::none_of(not_public_v6, [&](Range6 const& range) { return is_in(bytes, range); });
}

std::optional<AllowList> AllowList::parse(std::string_view list) {
  AllowList allowed;
  for (bool more = !without_spaces(list).empty(); more;) {
    auto const comma = list.find(',');
    auto word = without_spaces(list.substr(0, comma));
    more = comma != std::string_view::npos;
    list.remove_prefix(more ? comma + 1 : list.size());
    auto const slash = word.find('/');
    boost::system::error_code code;
    auto const address = boost::asio::ip::make_address(std::string(word.substr(0, slash)), code);
    if (!code) {
      int const most = address.is_v4() ? 32 : 128;
      auto const bits =
          slash == std::string_view::npos ? std::optional(most) : parse_int<int>(word.substr(slash + 1));
      if (!bits || *bits < 0 || *bits > most) return std::nullopt;
      allowed.blocks_.push_back({.first = address, .bits = *bits});
      continue;
    }
    if (word.empty() || !all_in_charset(word, "._-")) return std::nullopt;
    std::string host(word);
    std::ranges::transform(host, host.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    allowed.hosts_.push_back(std::move(host));
  }
  return allowed;
}

bool AllowList::contains(Block const& block, Address const& address) {
  return block.first.is_v4() == address.is_v4() &&
         same_bits(bytes_of(block.first), bytes_of(address), block.bits);
}

bool AllowList::allows(std::string_view host, std::span<Address const> addresses) const {
  if (std::ranges::find(hosts_, host) != hosts_.end()) return true;
  return std::ranges::all_of(addresses, [&](Address const& address) {
    return is_public(address) ||
           std::ranges::any_of(blocks_, [&](Block const& block) { return contains(block, address); });
  });
}

}  // namespace larder::webhooks
