// Lets nobody hold more than a share of something, such as connections or listeners. Each holder has a name.
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
  // Null if the name already holds all its places.
  Place take(std::string const& name);
  // The same for many places at once, which the caller must give back. Takes all of them or none.
  bool take(std::string const& name, std::size_t places);
  void give_back(std::string const& name, std::size_t places);

  bool limited() const { return max_ > 0; }

 private:
  struct Held;
  std::size_t max_;
  std::shared_ptr<Held> held_;
};

}  // namespace larder
