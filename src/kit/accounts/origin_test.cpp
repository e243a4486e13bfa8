#include "kit/accounts/origin.hpp"

#include <gtest/gtest.h>

namespace larder::accounts {
namespace {

TEST(Origin, is_ours_if_the_host_is) {
  struct Case {
    std::string_view origin;
    std::string_view host;
    Origin expected;
  };
  using enum Origin;
  Case const cases[] = {
      {"", "game.example", missing},
      {"http://game.example", "game.example", own},
      {"https://game.example", "game.example", own},
      {"http://127.0.0.1:7420", "127.0.0.1:7420", own},
      {"http://[::1]:7420", "[::1]:7420", own},
      {"http://game.example", "game.example:80", own},
      {"https://game.example", "game.example:443", own},
      {"http://game.example:80", "game.example", own},
      {"http://game.example", "game.example:443", foreign},
      {"http://game.example:8080", "game.example", foreign},
      {"http://127.0.0.1:3000", "127.0.0.1:7420", foreign},
      {"http://localhost:7420", "127.0.0.1:7420", foreign},
      {"http://evil.example", "game.example", foreign},
      {"http://game.example.evil.example", "game.example", foreign},
      {"http://evil-game.example", "game.example", foreign},
      {"http://game.example@evil.example", "game.example", foreign},
      {"http://game.example/", "game.example", foreign},
      {"file://game.example", "game.example", foreign},
      {"game.example", "game.example", foreign},
      {"null", "game.example", foreign},
      {"null", "null", foreign},
      {"http://", "", foreign},
      {"http://:80", ":80", foreign},
      {"http://game.example", "", foreign},
  };
  for (auto const& [origin, host, expected] : cases) {
    EXPECT_EQ(compare_origin(origin, host), expected) << origin << " at " << host;
  }
}

}  // namespace
}  // namespace larder::accounts
