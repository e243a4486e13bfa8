#include "systems/economy/catalogue.hpp"

#include "base/json.hpp"
#include "base/limits.hpp"
#include "larder_economy_files.hpp"
#include "systems/economy/catalogue_checks.hpp"
#include "systems/economy/local_midnight.hpp"
#include "systems/economy/reserved_words.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <span>

namespace larder::economy {

namespace {

constexpr std::size_t items_max = 500;
constexpr std::size_t rewards_max = 50;
constexpr std::size_t names_max = 20;  // per item
constexpr std::size_t costs_max = 20;  // per item
constexpr std::size_t id_chars_max = 64;
constexpr std::size_t name_chars_max = 32;

constexpr IntRule points{0, limits::amount_max};
constexpr IntRule points_of_a_farm{0, 1'000'000'000};
constexpr IntRule stack{1, 1'000'000'000};
constexpr IntRule duration{1, 315'360'000};
constexpr IntRule duration_or_none{0, 315'360'000};
constexpr IntRule share{0, 100};        // percent of what a player owns
constexpr IntRule percent{0, 100'000};  // percent of an offer, or of what another player owns
constexpr IntRule levels{1, 10'000};
constexpr IntRule tenths{0, 1'000};
constexpr IntRule ratio{1, 1'000'000};
// The scripts draw 32-bit numbers in Lua. For a bomb, they draw from -spread to +spread milliseconds.
constexpr IntRule die{1, 1'000'000'000};
constexpr IntRule spread{0, 1'000'000};
static_assert(2 * 1'000 * spread.max + 1 < std::int64_t{1} << 31);
// The products in the scripts stay exact.
static_assert(levels.max * duration.max <= limits::amount_max);
static_assert(percent.max * duration.max <= limits::amount_max);
static_assert(ratio.max * ratio.max <= limits::amount_max);

// A section that has only numbers is described by a table. The table is used to read,
// check and write the section.
template <class Section>
struct Number {
  std::string_view name;
  std::int64_t Section::* member;
  IntRule rule;
  bool required = true;  // otherwise 0 if absent, and 0 is never written
};

constexpr Number<Farm> farm_numbers[] = {
    {"gain", &Farm::gain, points_of_a_farm},
    {"drop_balance_min", &Farm::drop_balance_min, points},
    {"drop_faces", &Farm::drop_faces, die},
    {"cooldown_s", &Farm::cooldown_s, duration_or_none, false},
};
constexpr Number<Vampire> vampire_numbers[] = {
    {"level_max", &Vampire::level_max, levels},
    {"chance_first", &Vampire::chance_first, share},
    {"chance_log10", &Vampire::chance_log10, {0, 1'000}},
    {"level_ttl_s", &Vampire::level_ttl_s, duration},
    {"ttl_max_s", &Vampire::ttl_max_s, duration},
    {"damage_low_tenths", &Vampire::damage_low_tenths, tenths},
    {"damage_low_max", &Vampire::damage_low_max, share},
    {"damage_high_tenths", &Vampire::damage_high_tenths, tenths},
    {"damage_high_max", &Vampire::damage_high_max, share},
};
constexpr Number<Bomb> bomb_numbers[] = {
    {"damage_percent", &Bomb::damage_percent, share},
    {"timer_max_s", &Bomb::timer_max_s, duration_or_none},
    {"spread_s", &Bomb::spread_s, spread},
};
constexpr Number<Gamble> gamble_numbers[] = {
    {"win_one_in", &Gamble::win_one_in, die},
    {"win_faces", &Gamble::win_faces, ratio},
    {"win_divisor", &Gamble::win_divisor, ratio},
};
constexpr Number<Discombobulate> discombobulate_numbers[] = {
    {"offer_min_percent", &Discombobulate::offer_min_percent, percent},
    {"damage_low", &Discombobulate::damage_low, percent},
    {"damage_high", &Discombobulate::damage_high, percent},
    {"lock_s", &Discombobulate::lock_s, duration_or_none},
};
constexpr Number<Catalogue> inspect_numbers[] = {
    {"fee", &Catalogue::inspect_fee, points},
};
constexpr Number<Roulette> roulette_numbers[] = {
    {"chambers", &Roulette::chambers, {1, 1'000}},
    {"ttl_s", &Roulette::ttl_s, duration},
};

constexpr std::array<std::string_view, 3> effect_names = {"gain", "discombobulate", "vampire"};
constexpr std::array<IntRule, 3> effect_rules = {{{1, points_of_a_farm.max}, {1, percent.max}, {1, 100}}};
// The first name is never written: an item without a use has no `use`.
constexpr std::array<std::string_view, 7> use_names = {"none",  "clear_vampire", "lower_vampire", "effect",
                                                       "radar", "bomb",          "guard"};
constexpr std::array<std::string_view, 2> use_on = {"self", "target"};

// Control characters, spaces and line breaks of Unicode. The characters that join emojis are not among them.
bool breaks_a_word(char32_t c) {
  constexpr std::pair<char32_t, char32_t> ranges[] = {{0x00, 0x20},     {0x7F, 0xA0},     {0x1680, 0x1680},
                                                      {0x2000, 0x200B}, {0x2028, 0x202F}, {0x205F, 0x2060},
                                                      {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
  return std::ranges::any_of(ranges, [c](auto range) { return c >= range.first && c <= range.second; });
}

// The text must be valid UTF-8.
bool is_one_word(std::string_view utf8) {
  for (std::size_t i = 0; i < utf8.size();) {
    auto const first = static_cast<unsigned char>(utf8[i]);
    std::size_t const bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t c = bytes == 1 ? first : first & (0x7F >> bytes);
    for (std::size_t k = 1; k < bytes; ++k) c = c << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3F);
    if (breaks_a_word(c)) return false;
    i += bytes;
  }
  return true;
}

bool is_name(std::string_view text, std::string_view extra) {
  return std::ranges::none_of(text, [](char c) { return lower(c) != c; }) && all_in_charset(text, extra);
}

// An id becomes a word of keys and a line of answers, so it must not contain spaces.
std::string read_id(ObjectReader& in, std::string_view name) {
  auto id = in.required_text(name, {.chars_min = 1, .chars_max = id_chars_max});
  if (!is_one_word(id)) in.problem(name, "must not contain spaces or control characters");
  auto const ending = std::string_view(id).substr(id.rfind(':') + 1);
  if (std::ranges::find(reserved_item_endings, ending) != std::end(reserved_item_endings)) {
    in.problem(name, fmt::format("must not end with {}, a word that Larder's keys use", ending));
  }
  return id;
}

template <class Section>
Problem read_section(json::object& root, std::string_view name,
                     std::type_identity_t<std::span<Number<Section> const>> numbers, Section& out) {
  auto const* value = root.if_contains(name);
  if (!value) return wrong(std::string(name), "is required");
  ObjectReader in(*value, std::string(name));
  for (auto const& number : numbers) {
    out.*number.member = number.required ? in.required_int(number.name, number.rule)
                                         : in.optional_int(number.name, number.rule).value_or(0);
  }
  auto problem = in.finish();
  // Any member that remains in the root at the end is unknown.
  root.erase(name);
  return problem;
}

Problem read_sections(json::object& root, Catalogue& out) {
  auto problem = read_section(root, "farm", farm_numbers, out.farm);
  if (!problem) problem = read_section(root, "vampire", vampire_numbers, out.vampire);
  if (!problem) problem = read_section(root, "bomb", bomb_numbers, out.bomb);
  if (!problem) problem = read_section(root, "gamble", gamble_numbers, out.gamble);
  if (!problem) problem = read_section(root, "discombobulate", discombobulate_numbers, out.discombobulate);
  if (!problem) problem = read_section(root, "inspect", inspect_numbers, out);
  if (!problem) problem = read_section(root, "roulette", roulette_numbers, out.roulette);
  return problem;
}

Problem read_reward(json::value const& value, std::string path, Reward& out) {
  ObjectReader in(value, std::move(path));
  out.name = in.required_text("name", {.chars_min = 1, .chars_max = name_chars_max});
  if (!is_name(out.name, "-") || !(out.name.empty() || (out.name[0] >= 'a' && out.name[0] <= 'z'))) {
    in.problem("name", "must be a-z 0-9 - and begin with a letter");
  }
  if (std::ranges::find(reserved_rewards, out.name) != std::end(reserved_rewards)) {
    in.problem("name", "is a word that players' keys use");
  }
  out.points = in.required_int("points", {1, points.max});
  out.every_s = in.required_int("every_s", duration);
  if (auto zone = in.optional_text("time_zone", {.chars_min = 1, .chars_max = id_chars_max})) {
    if (!is_time_zone(*zone))
      in.problem("time_zone", "must be the name of a time zone, such as Europe/Berlin");
    out.time_zone = std::move(*zone);
  }
  return in.finish();
}

Problem read_cost(json::value const& value, std::string path, Cost& out) {
  ObjectReader in(value, std::move(path));
  out.item = read_id(in, "item");
  out.amount = in.required_int("amount", {1, points.max});
  return in.finish();
}

Problem read_use(json::value const& value, std::string path, Use& out) {
  ObjectReader in(value, std::move(path));
  out.kind = UseKind(1 + in.required_choice("kind", std::span(use_names).subspan(1)));
  if (out.kind == UseKind::lower_vampire) out.levels = in.required_int("levels", levels);
  if (out.kind == UseKind::radar) out.count = in.required_int("count", {1, 100});
  if (out.kind == UseKind::effect) {
    out.effect = EffectKind(in.required_choice("effect", effect_names));
    out.by = in.required_int("by", effect_rules[std::size_t(out.effect)]);
    out.seconds = in.required_int("seconds", duration);
    out.stacks = in.optional<bool>("stacks").value_or(false);
    if (value.is_object() && value.as_object().contains("on")) {
      out.on_target = in.required_choice("on", use_on) == 1;
    }
  }
  return in.finish();
}

Problem read_names(json::array const& names, std::string_view path, std::vector<std::string>& out) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const* text = names[i].if_string();
    // A player who types the emoji of an item sends exactly this text.
    auto const is_emoji = [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; };
    if (!text || text->empty() || text->size() > name_chars_max ||
        !(is_name(*text, "_-") || std::ranges::all_of(*text, is_emoji))) {
      return wrong(fmt::format("{}.names[{}]", path, i),
                   fmt::format("must be 1 to {} characters of a-z 0-9 _ -, or an emoji", name_chars_max));
    }
    out.emplace_back(*text);
  }
  return {};
}

Problem read_item(json::value value, std::string const& path, std::int64_t drop_faces, Item& out) {
  Problem problem;
  if (auto* object = value.if_object()) {
    if (auto const* use = object->if_contains("use")) problem = read_use(*use, path + ".use", out.use);
    object->erase("use");
  }
  ObjectReader in(value, path);
  out.id = read_id(in, "id");
  auto const& names = in.required_array("names", 0, names_max);
  out.max_stack = in.required_int("max_stack", stack);
  out.tradable = in.optional<bool>("tradable").value_or(true);
  out.drop = in.optional_int("drop", {0, drop_faces}).value_or(0);
  out.sell = in.optional_int("sell", points).value_or(0);
  bool const has_craft = value.is_object() && value.as_object().contains("craft");
  auto const& costs = has_craft ? in.required_array("craft", 1, costs_max) : json::array();
  if (auto first = in.finish()) return first;
  if (problem) return problem;

  problem = read_names(names, path, out.names);
  out.craft.resize(costs.size());
  for (std::size_t i = 0; i < costs.size() && !problem; ++i) {
    problem = read_cost(costs[i], fmt::format("{}.craft[{}]", path, i), out.craft[i]);
  }
  return problem;
}

Problem read_rest(json::value const& root, Catalogue& out) {
  ObjectReader in(root);
  out.currency = read_id(in, "currency");
  auto const& rewards = in.required_array("rewards", 0, rewards_max);
  auto const& items = in.required_array("items", 0, items_max);
  auto problem = in.finish();
  for (std::size_t i = 0; i < rewards.size() && !problem; ++i) {
    problem = read_reward(rewards[i], fmt::format("rewards[{}]", i), out.rewards.emplace_back());
  }
  for (std::size_t i = 0; i < items.size() && !problem; ++i) {
    problem = read_item(items[i], fmt::format("items[{}]", i), out.farm.drop_faces, out.items.emplace_back());
  }
  return problem;
}

template <class Section>
json::object write_section(std::type_identity_t<std::span<Number<Section> const>> numbers,
                           Section const& section) {
  json::object out;
  for (auto const& number : numbers) {
    auto const value = section.*number.member;
    if (number.required || value != 0) out[number.name] = value;
  }
  return out;
}

json::object write_use(Use const& use) {
  json::object out;
  out["kind"] = name_of(use.kind);
  if (use.kind == UseKind::lower_vampire) out["levels"] = use.levels;
  if (use.kind == UseKind::radar) out["count"] = use.count;
  if (use.kind == UseKind::effect) {
    out["effect"] = name_of(use.effect);
    out["by"] = use.by;
    out["seconds"] = use.seconds;
    if (use.stacks) out["stacks"] = true;
    if (use.on_target) out["on"] = "target";
  }
  return out;
}

// Leaves out default values, so that it makes no difference whether a file states them.
json::object write_item(Item const& item) {
  json::object out;
  out["id"] = item.id;
  out["names"] = json::array(item.names.begin(), item.names.end());
  out["max_stack"] = item.max_stack;
  if (!item.tradable) out["tradable"] = false;
  if (item.drop > 0) out["drop"] = item.drop;
  if (item.sell > 0) out["sell"] = item.sell;
  json::array costs;
  for (auto const& cost : item.craft) {
    costs.emplace_back(json::object{{"item", cost.item}, {"amount", cost.amount}});
  }
  if (!costs.empty()) out["craft"] = std::move(costs);
  if (item.use.kind != UseKind::none) out["use"] = write_use(item.use);
  return out;
}

json::value write_game(Catalogue const& game) {
  json::array rewards;
  for (auto const& reward : game.rewards) {
    json::object out{{"name", reward.name}, {"points", reward.points}, {"every_s", reward.every_s}};
    if (!reward.time_zone.empty()) out["time_zone"] = reward.time_zone;
    rewards.emplace_back(std::move(out));
  }
  json::array items;
  for (auto const& item : game.items) items.emplace_back(write_item(item));
  return json::object{{"currency", game.currency},
                      {"farm", write_section(farm_numbers, game.farm)},
                      {"vampire", write_section(vampire_numbers, game.vampire)},
                      {"bomb", write_section(bomb_numbers, game.bomb)},
                      {"gamble", write_section(gamble_numbers, game.gamble)},
                      {"discombobulate", write_section(discombobulate_numbers, game.discombobulate)},
                      {"inspect", write_section(inspect_numbers, game)},
                      {"roulette", write_section(roulette_numbers, game.roulette)},
                      {"rewards", std::move(rewards)},
                      {"items", std::move(items)}};
}

void append_sorted(std::string& out, json::value const& value) {
  if (auto const* object = value.if_object()) {
    std::map<std::string_view, json::value const*> members;
    for (auto const& member : *object) members.emplace(member.key(), &member.value());
    out += '{';
    for (auto const& [name, member] : members) {
      if (out.back() != '{') out += ',';
      append_json_string(out, name);
      out += ':';
      append_sorted(out, *member);
    }
    out += '}';
  } else if (auto const* array = value.if_array()) {
    out += '[';
    for (auto const& element : *array) {
      if (out.back() != '[') out += ',';
      append_sorted(out, element);
    }
    out += ']';
  } else if (auto const* text = value.if_string()) {
    append_json_string(out, *text);
  } else {
    out += json::serialize(value);
  }
}

std::string version_of(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest = {};
  SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(std::span(digest).first(8), ""));
}

}  // namespace

Result<Catalogue> parse_catalogue(std::string_view json) {
  auto parsed = parse_json(json);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  auto* root = parsed->if_object();
  if (!root) return invalid("", "a catalogue is a JSON object");

  Catalogue game;
  auto problem = read_sections(*root, game);
  if (!problem) problem = read_rest(*parsed, game);
  if (!problem) problem = problem_of_game(game);
  if (problem) return std::unexpected(std::move(*problem));

  append_sorted(game.text, write_game(game));
  game.version = version_of(game.text);
  return game;
}

CataloguePtr ajo_catalogue() {
  static CataloguePtr const shipped = [] {
    auto parsed = parse_catalogue(files::ajo_json);
    LARDER_ASSERT(parsed.has_value());
    return std::make_shared<Catalogue const>(std::move(*parsed));
  }();
  return shipped;
}

Item const* Catalogue::find_item(std::string_view name) const {
  auto const word = without_colons(name);
  auto const found = std::ranges::find_if(items, [&](Item const& item) {
    return same_word(word, without_colons(item.id)) ||
           std::ranges::any_of(item.names, [&](std::string_view own) { return same_word(word, own); });
  });
  return found == items.end() ? nullptr : &*found;
}

Reward const* Catalogue::find_reward(std::string_view name) const {
  auto const found = std::ranges::find(rewards, name, &Reward::name);
  return found == rewards.end() ? nullptr : &*found;
}

Item const* Catalogue::find_use(UseKind kind) const {
  auto const found = std::ranges::find(items, kind, [](Item const& item) { return item.use.kind; });
  return found == items.end() ? nullptr : &*found;
}

std::int64_t Catalogue::drop_total() const {
  std::int64_t sum = 0;
  for (auto const& item : items) sum += item.drop;
  return sum;
}

std::string_view name_of(EffectKind kind) { return effect_names[std::size_t(kind)]; }

std::optional<EffectKind> effect_named(std::string_view name) {
  auto const found = std::ranges::find(effect_names, name);
  if (found == effect_names.end()) return std::nullopt;
  return EffectKind(found - effect_names.begin());
}

std::int64_t largest_effect(EffectKind kind) { return effect_rules[std::size_t(kind)].max; }

std::string_view name_of(UseKind kind) { return use_names[std::size_t(kind)]; }

}  // namespace larder::economy
