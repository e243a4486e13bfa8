#include "cache_workload/generator.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

constexpr std::uint64_t first_ms = 380'000'000'000;  // after Discord's epoch

std::string snowflake(std::uint64_t ms, std::uint64_t low) { return std::to_string((ms << 22U) + low); }

// Escapes what JSON demands, and also what it allows.
void write_text(std::string_view text, Random& random, std::string& out) {
  bool const escape = random.chance(1, 4);
  out += '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto const c = static_cast<unsigned char>(text[at]);
    if (c == '"' || c == '\\') {
      out += {'\\', char(c)};
    } else if (c == '/' && escape) {
      out += "\\/";
    } else if (c < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else if (escape && c >= 0xf0) {
      std::uint32_t const point = ((c & 7U) << 18U | (text[at + 1] & 63U) << 12U |
                                   (text[at + 2] & 63U) << 6U | (text[at + 3] & 63U)) -
                                  0x10000;
      out += fmt::format("\\ud{:03x}\\uD{:03X}", 0x800 + (point >> 10U), 0xc00 + (point & 0x3ffU));
      at += 3;
    } else if (escape && c >= 0xc0 && c < 0xe0) {
      out += fmt::format("\\u{:04X}", (c & 31U) << 6U | (text[at + 1] & 63U));
      ++at;
    } else {
      out += char(c);
    }
  }
  out += '"';
}

void write_value(json::value const& value, Random& random, std::string& out) {
  auto const space = [&] {
    if (random.chance(1, 40)) out += random.chance(1, 2) ? " " : "\r\n\t";
  };
  if (value.is_string()) return write_text(value.get_string(), random, out);
  if (value.is_array()) {
    out += '[';
    for (bool first = true; auto const& element : value.get_array()) {
      if (!std::exchange(first, false)) out += ',';
      space();
      write_value(element, random, out);
    }
    out += ']';
  } else if (value.is_object()) {
    out += '{';
    for (bool first = true; auto const& [name, element] : value.get_object()) {
      if (!std::exchange(first, false)) out += ',';
      space();
      out += json::serialize(name) + ":";
      space();
      write_value(element, random, out);
    }
    space();
    out += '}';
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::vector<std::string> all_guilds() {
  std::vector<std::string> guilds;
  for (std::uint64_t i = 0; i < 10; ++i) guilds.push_back(snowflake(first_ms + i, i));
  return guilds;
}

std::string user_id(std::uint64_t number) { return snowflake(first_ms / 2 + number * 7, number); }

std::string written(json::value const& value, Random& random) {
  std::string out;
  write_value(value, random, out);
  return out;
}

Generator::Generator(Seed seed, std::uint64_t shard, std::uint64_t shards, Model const& model)
    : random_(seed), shard_(shard), shards_(shards), model_(model) {
  for (auto const& guild : all_guilds()) {
    if ((std::stoull(guild) >> 22U) % shards == shard) mine_.push_back(guild);
  }
}

// Ids rise, and those of different shards differ.
std::string Generator::fresh_id() {
  ids_ += 1 + random_.below(3);
  return snowflake(first_ms + 1'000'000 + ids_, shard_);
}

std::string Generator::pick(Model::Set const& ids) {
  if (ids.empty() || chance(1, 40)) return fresh_id();
  return *std::next(ids.begin(), std::int64_t(random_.below(ids.size())));
}

std::string Generator::pick(Model::Hash const& ids) {
  if (ids.empty() || chance(1, 40)) return fresh_id();
  return std::next(ids.begin(), std::int64_t(random_.below(ids.size())))->first;
}

std::string Generator::some_text() {
  static constexpr std::string_view texts[] = {"plain words",
                                               "naïve café über",
                                               "snow ☃ and fire 🔥",
                                               "a \"quote\" and a \\ backslash",
                                               "two\nlines\tand a tab",
                                               "",
                                               "https://example.org/a/b?c=d&e",
                                               "nul \x01 and \x1f",
                                               "Ελληνικά, 日本語, עברית",
                                               "{\"not\": [\"json\"]}"};
  return std::string(texts[random_.below(std::size(texts))]);
}

Generator::Object Generator::odd(Object object) {
  if (chance(1, 6)) object["new_number"] = std::uint64_t(18'446'744'073'709'551'615U);
  if (chance(1, 6)) object["new_flags"] = 9'007'199'254'740'993;
  if (chance(1, 10)) object["new_negative"] = std::numeric_limits<std::int64_t>::min();
  if (chance(1, 6)) object["new_empty"] = {{"list", json::array()}, {"object", json::object()}};
  if (chance(1, 10)) object["new_nothing"] = nullptr;
  if (chance(1, 10)) object["new_share"] = 0.5;
  if (chance(1, 6)) object["new_text"] = some_text();
  return object;
}

// Every field depends only on the id. Some fields may be missing.
Generator::Object Generator::user(std::string const& id) {
  auto const number = std::stoull(id) & 0xfffU;
  Object user{{"id", id}};
  if (chance(1, 8)) return user;
  user["username"] = fmt::format("user{}", number);
  user["discriminator"] = "0";
  if (chance(1, 2))
    user["global_name"] =
        number % 3 == 0 ? json::value(nullptr) : json::value(fmt::format("Ünï {} 🎈", number));
  if (chance(1, 2))
    user["avatar"] = number % 2 == 0 ? json::value(nullptr) : json::value(fmt::format("{:032x}", number));
  if (chance(1, 3)) user["public_flags"] = (std::uint64_t(1) << 63U) + number;
  if (chance(1, 3)) user["bot"] = number == 0;
  if (chance(1, 4)) user["avatar_decoration_data"] = {{"asset", "a_1"}, {"sku_id", id}};
  if (chance(1, 4)) user["new_of_users"] = json::array();
  return user;
}

Generator::Object Generator::emoji() {
  if (chance(1, 2)) return {{"id", nullptr}, {"name", chance(1, 2) ? "🔥" : "👍🏽"}};
  auto const id = pick(model_.hash("emojis:" + guild_));
  return {{"id", id}, {"name", chance(1, 5) ? json::value(nullptr) : "custom"}, {"animated", false}};
}

Generator::Object Generator::event(std::string_view name, Object d) {
  return {{"op", 0}, {"t", name}, {"s", ++sequence_}, {"shard", shard_}, {"d", std::move(d)}};
}

Generator::Object Generator::next() {
  if (sequence_ == 0) return event("READY", ready());
  if (!begin_.empty()) {
    guild_ = begin_.back();
    begin_.pop_back();
    return event("GUILD_CREATE", guild_create());
  }
  if (!mine_.empty() && chance(1, 1000)) return event("READY", ready());
  if (mine_.empty() || (shard_ == 0 && chance(1, 10))) {
    guild_.clear();
    return next_direct();
  }
  guild_ = mine_[random_.below(mine_.size())];
  if (!joined_.contains(guild_)) return event("GUILD_CREATE", guild_create());
  return next_of_guild();
}

Generator::Object Generator::next_of_guild() {
  std::uint64_t sum = 0;
  for (auto const& kind : kinds()) sum += kind.weight;
  auto left = random_.below(sum);
  for (auto const& kind : kinds()) {
    if (left >= kind.weight) {
      left -= kind.weight;
      continue;
    }
    auto d = (this->*kind.draw)();
    if (kind.name != "GUILD_UPDATE" && kind.name != "GUILD_DELETE" && kind.name != "GUILD_CREATE") {
      d["guild_id"] = guild_;
    }
    // An event that several names fit to says which one it is.
    auto const name = text_at(d, "t");
    d.erase("t");
    return event(name.empty() ? kind.name : std::string_view(name), odd(std::move(d)));
  }
  return {};
}

Generator::Object Generator::next_direct() {
  switch (random_.below(8)) {
    case 0: {
      Object channel{{"id", fresh_id()}, {"type", 1}, {"last_message_id", nullptr}};
      channel["recipients"].emplace_array().emplace_back(user(any_user()));
      return event("CHANNEL_CREATE", odd(channel));
    }
    case 1: return event("MESSAGE_UPDATE", message_update());
    case 2: return event("MESSAGE_DELETE", message_delete());
    case 3: {
      auto d = reaction();
      auto const name = text_at(d, "t");
      d.erase("t");
      return event(name, d);
    }
    case 4: return event("CHANNEL_PINS_UPDATE", pins_update());
    case 5: return event("INTERACTION_CREATE", interaction());
    case 6: {
      if (chance(1, 3))
        return event("CHANNEL_DELETE", {{"id", pick(model_.hash("channels:@me"))}, {"type", 1}});
      return event("USER_UPDATE", user_update());
    }
    default: return event("MESSAGE_CREATE", message_create());
  }
}

std::vector<Generator::Kind> const& Generator::kinds() {
  static std::vector<Kind> const all = {
      {"GUILD_CREATE", 2, &Generator::guild_create},
      {"GUILD_UPDATE", 6, &Generator::guild_update},
      {"GUILD_DELETE", 3, &Generator::guild_delete},
      {"CHANNEL_UPDATE", 20, &Generator::channel_put},
      {"CHANNEL_DELETE", 6, &Generator::channel_delete},
      {"CHANNEL_PINS_UPDATE", 8, &Generator::pins_update},
      {"VOICE_CHANNEL_STATUS_UPDATE", 6, &Generator::voice_channel_status},
      {"VOICE_CHANNEL_START_TIME_UPDATE", 6, &Generator::voice_channel_start},
      {"THREAD_UPDATE", 25, &Generator::thread_put},
      {"THREAD_DELETE", 6, &Generator::thread_delete},
      {"THREAD_LIST_SYNC", 8, &Generator::thread_list_sync},
      {"THREAD_MEMBER_UPDATE", 8, &Generator::thread_member_update},
      {"THREAD_MEMBERS_UPDATE", 12, &Generator::thread_members_update},
      {"GUILD_MEMBER_UPDATE", 50, &Generator::member_put},
      {"GUILD_MEMBER_REMOVE", 25, &Generator::member_remove},
      {"GUILD_MEMBERS_CHUNK", 4, &Generator::members_chunk},
      {"GUILD_ROLE_UPDATE", 15, &Generator::role_put},
      {"GUILD_ROLE_DELETE", 8, &Generator::role_delete},
      {"GUILD_EMOJIS_UPDATE", 8, &Generator::emojis_update},
      {"GUILD_STICKERS_UPDATE", 8, &Generator::stickers_update},
      {"GUILD_BAN_ADD", 10, &Generator::ban},
      {"INTEGRATION_UPDATE", 10, &Generator::integration_put},
      {"INTEGRATION_DELETE", 5, &Generator::integration_delete},
      {"GUILD_SCHEDULED_EVENT_UPDATE", 12, &Generator::scheduled_event_put},
      {"GUILD_SCHEDULED_EVENT_DELETE", 4, &Generator::scheduled_event_delete},
      {"GUILD_SCHEDULED_EVENT_USER_ADD", 16, &Generator::scheduled_event_user},
      {"AUTO_MODERATION_RULE_UPDATE", 8, &Generator::automod_put},
      {"AUTO_MODERATION_RULE_DELETE", 3, &Generator::automod_delete},
      {"INVITE_CREATE", 12, &Generator::invite_create},
      {"INVITE_DELETE", 6, &Generator::invite_delete},
      {"MESSAGE_CREATE", 120, &Generator::message_create},
      {"MESSAGE_UPDATE", 40, &Generator::message_update},
      {"MESSAGE_DELETE", 20, &Generator::message_delete},
      {"MESSAGE_DELETE_BULK", 5, &Generator::message_delete_bulk},
      {"MESSAGE_REACTION_ADD", 90, &Generator::reaction},
      {"MESSAGE_REACTION_REMOVE_ALL", 4, &Generator::reaction_remove_all},
      {"MESSAGE_REACTION_REMOVE_EMOJI", 6, &Generator::reaction_remove_emoji},
      {"MESSAGE_POLL_VOTE_ADD", 30, &Generator::vote},
      {"PRESENCE_UPDATE", 50, &Generator::presence_update},
      {"VOICE_STATE_UPDATE", 30, &Generator::voice_state_update},
      {"STAGE_INSTANCE_UPDATE", 10, &Generator::stage_put},
      {"STAGE_INSTANCE_DELETE", 5, &Generator::stage_delete},
      {"INTERACTION_CREATE", 25, &Generator::interaction},
      {"WEBHOOKS_UPDATE", 4, &Generator::webhooks_update},
      {"GUILD_SOUNDBOARD_SOUND_UPDATE", 12, &Generator::sound_put},
      {"GUILD_SOUNDBOARD_SOUND_DELETE", 5, &Generator::sound_delete},
      {"SOUNDBOARD_SOUNDS", 5, &Generator::sounds},
  };
  return all;
}

}  // namespace larder::cache
