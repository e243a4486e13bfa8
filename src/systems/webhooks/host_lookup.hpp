// Finds the addresses of a host.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "systems/webhooks/addresses.hpp"

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace larder::webhooks {

// Thread-safe. A name server that does not answer holds up only its own names: each lookup has a thread of
// its own, and callers that want the same host at the same time share a lookup. While too many lookups hang,
// a new one fails at once.
class HostLookup {
 public:
  HostLookup();

  // Returns the addresses, at least one, or why there is none. An address needs no lookup.
  Task<std::expected<std::vector<Address>, std::string>> find(std::string host,
                                                              std::chrono::milliseconds patience);

 private:
  struct Search;
  struct Searches {
    std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Search>> by_host;
  };
  std::shared_ptr<Search> begin(std::string const& host);

  // The threads share it, because they may outlive this object.
  std::shared_ptr<Searches> searches_;
};

}  // namespace larder::webhooks
