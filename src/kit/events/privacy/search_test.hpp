// Everything that the stores of a test have, as text, so that a test can search it for an id.
#pragma once

#include "stores/sql/database.hpp"
#include "support/redis_servers.hpp"

#include <fmt/format.h>

#include <string>

namespace larder::privacy {

// Every key of Redis with its value, whatever its type is.
inline std::string redis_text(test::RedisServer const& server) {
  static constexpr char const* script = R"(
local out = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local type, value = redis.call('TYPE', key).ok, {}
  if type == 'string' then value = {redis.call('GET', key)} end
  if type == 'list' then value = redis.call('LRANGE', key, 0, -1) end
  if type == 'set' then value = redis.call('SMEMBERS', key) end
  if type == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
  if type == 'hash' then value = redis.call('HGETALL', key) end
  if type == 'stream' then
    for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
      value[#value + 1] = entry[1]
      for _, word in ipairs(entry[2]) do value[#value + 1] = word end
    end
  end
  out[#out + 1] = key .. ' ' .. type .. ' ' .. table.concat(value, ' ')
end
table.sort(out)
return table.concat(out, '\n')
)";
  return server.cli({"EVAL", script, "0"});
}

// Every row of every table of an SQLite database.
inline std::string sql_text(sql::Database& sql) {
  return sql.read_now([](sql::Session& session) {
    std::string text;
    for (auto const& table :
         session.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
      for (auto const& row : session.query(fmt::format("SELECT * FROM {}", table.text(0)))) {
        text += table.text(0);
        for (std::size_t i = 0; i < row.size(); ++i) text += ' ' + row.optional_text(i).value_or("-");
        text += '\n';
      }
    }
    return text;
  });
}

// The lines of the text that contain the word, so that a failure says where it is.
inline std::string lines_with(std::string const& text, std::string_view word) {
  std::string found;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    auto const line = text.substr(begin, end - begin);
    if (line.find(word) != std::string::npos) found += line + '\n';
    begin = end + 1;
  }
  return found;
}

}  // namespace larder::privacy
