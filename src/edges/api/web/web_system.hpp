// The web pages as a system of the server: the start page and the game. CMake embeds what web/ is built into.
#pragma once

#include "edges/api/system.hpp"

namespace larder::api {

class WebSystem final : public System {
 public:
  std::string_view name() const override { return "web"; }
  Api api() const override;
};

}  // namespace larder::api
