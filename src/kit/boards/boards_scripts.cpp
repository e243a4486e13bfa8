#include "kit/boards/boards_scripts.hpp"

#include "larder_boards_scripts.hpp"

namespace larder::boards::scripts {

redis::ScriptCall add_score(std::string_view board, std::string_view member, std::int64_t by) {
  return redis::ScriptCall(lua::add_score).keys(board).args(member, by);
}

redis::ScriptCall read_around(std::string_view board, std::string_view member, std::int64_t places) {
  return redis::ScriptCall(lua::read_around).keys(board).args(member, places);
}

}  // namespace larder::boards::scripts
