// Lets nobody hold more than a share of something: connections, listeners. Whoever holds some is known by
// name.
#pragma once

#include <memory>
#include <string>

namespace larder {

// Thread-safe.
class Shares {
 public:
  // `max` places for each name. 0: no limit, and nothing is counted.
  explicit Shares(std::size_t max);

  // A place is given back when its last copy is gone. It may outlive the Shares.
  using Place = std::shared_ptr<void const>;
  // Null if the name holds all its places already.
  Place take(std::string const& name);

  bool limited() const { return max_ > 0; }

 private:
  struct Held;
  std::size_t max_;
  std::shared_ptr<Held> held_;
};

}  // namespace larder
