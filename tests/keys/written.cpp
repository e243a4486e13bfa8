#include "written.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::keys {

namespace {

constexpr std::string_view introduction = R"(# Which keys does Larder write in Redis?

This page lists the pattern of every key. `tests/keys/record` writes the page: it calls the functions that make the keys, with
sample values, and puts `<placeholders>` where the samples were. One test compares this page with the code. Another test
compares it with the keys of a server that has answered requests to every route.

## Why can no key belong to two things?

Users choose some parts of the keys: ids of users, domains, orders, realms, worlds and players, and the names of items and
rewards in a catalogue. Four things keep such a part from completing a key that belongs to something else:

1. **Words.** Most patterns have a fixed word at the beginning or at the end that no other pattern has there.
2. **Alphabets.** Only the id of an item can contain `{`, `}` or `/`. Only domains, orders and items can contain a colon.
3. **Hashes.** Free text, such as the text of an `Idempotency-Key`, never becomes part of a key. Its hash does.
4. **Refused words.** The economy refuses a player, a reward or an item whose name would be a word of another key.

For every pair of patterns, a test searches for a key that matches both. It finds none.
)";

std::string as_code(std::string_view text) {
  std::string out = "`";
  for (char const c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out + "`";
}

void append_list(std::string& out, std::string_view what, std::set<std::string, std::less<>> const& words) {
  out += fmt::format("- {}: ", what);
  bool first = true;
  for (auto const& word : words) {
    out += (first ? "" : ", ") + as_code(word);
    first = false;
  }
  out += "\n";
}

void append_patterns(std::string& out, std::vector<KeyPattern> const& patterns) {
  std::vector<std::string> systems;
  for (auto const& pattern : patterns) {
    if (std::ranges::find(systems, pattern.system) == systems.end()) systems.push_back(pattern.system);
  }
  for (auto const& system : systems) {
    out += fmt::format("\n### {}\n\n| key | type | what it is |\n|---|---|---|\n", system);
    for (auto const& pattern : patterns) {
      if (pattern.system != system) continue;
      out += fmt::format("| {} | {} | {} |\n", as_code(pattern.text()), pattern.type, pattern.about);
    }
  }
}

// Those of a cluster that one Redis does not have.
void append_cluster(std::string& out, std::vector<KeyPattern> const& one_redis,
                    std::vector<KeyPattern> const& cluster) {
  out +=
      "\n## Which keys are different on a cluster?\n\nThe default realm does not exist. The ledger and the "
      "accounts have these keys:\n\n"
      "| key | type | what it is |\n|---|---|---|\n";
  for (auto const& pattern : cluster) {
    if (std::ranges::find(one_redis, pattern.text(), &KeyPattern::text) != one_redis.end()) continue;
    out += fmt::format("| {} | {} | {} |\n", as_code(pattern.text()), pattern.type, pattern.about);
  }
}

void append_placeholders(std::string& out, std::vector<KeyPattern> const& one_redis,
                         std::vector<KeyPattern> const& cluster) {
  std::map<std::string, std::string> regexes;
  for (auto const* const patterns : {&one_redis, &cluster}) {
    for (auto const& pattern : *patterns) {
      for (auto const& piece : pattern.pieces) {
        if (piece.placeholder) regexes[piece.placeholder->name] = piece.placeholder->regex();
      }
    }
  }
  out +=
      "\n## What may stand for a placeholder?\n\n| placeholder | values, as a regular expression "
      "|\n|---|---|\n";
  for (auto const& [name, regex] : regexes) out += fmt::format("| `<{}>` | {} |\n", name, as_code(regex));
}

// The pairs of different systems that only refused words keep apart.
void append_close_pairs(std::string& out, std::vector<KeyPattern> const& patterns) {
  out +=
      "\n## Where do only refused words prevent a clash between two systems?\n\nIf the economy did not "
      "refuse the "
      "words above, the key in the last column would match both patterns:\n\n"
      "| pattern | other pattern | key |\n|---|---|---|\n";
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (std::size_t k = i + 1; k < patterns.size(); ++k) {
      if (patterns[i].system == patterns[k].system) continue;
      auto const key = common_key(patterns[i], patterns[k], {});
      if (!key) continue;
      out += fmt::format("| {} | {} | {} |\n", as_code(patterns[i].text()), as_code(patterns[k].text()),
                         as_code(*key));
    }
  }
}

void append_array(std::string& out, std::string_view name, std::string_view about,
                  std::set<std::string, std::less<>> const& words) {
  out += fmt::format("\n// {}\ninline constexpr std::string_view {}[] = {{\n", about, name);
  for (auto const& word : words) out += fmt::format("    \"{}\",\n", word);
  out += "};\n";
}

}  // namespace

std::string page(std::vector<KeyPattern> const& one_redis, std::vector<KeyPattern> const& cluster,
                 RefusedByName const& refused) {
  std::string out(introduction);
  out += "\n## Which words are refused?\n\n";
  append_list(out, "as the id of a player, besides everything that begins with `score_`",
              refused.at("player").values);
  append_list(out, "as the name of a reward", refused.at("reward").values);
  append_list(out, "as the id of an item, or after the last colon of an item's id",
              refused.at("item").endings);
  out += "\n## Which keys are there?\n";
  append_patterns(out, one_redis);
  append_cluster(out, one_redis, cluster);
  append_placeholders(out, one_redis, cluster);
  append_close_pairs(out, one_redis);
  return out;
}

std::string header(RefusedByName const& refused) {
  std::string out =
      R"(// Words that the economy refuses, because they would name another key. See docs/keys.md.
// tests/keys/record writes this file from the key patterns of all systems.
#pragma once

#include <string_view>

// clang-format off
namespace larder::economy {
)";
  append_array(out, "reserved_players", "As the id of a player.", refused.at("player").values);
  append_array(out, "reserved_rewards", "As the name of a reward.", refused.at("reward").values);
  append_array(out, "reserved_item_endings", "As the id of an item, or after the last colon of an item's id.",
               refused.at("item").endings);
  return out + "\n}  // namespace larder::economy\n";
}

}  // namespace larder::keys
