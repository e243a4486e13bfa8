#include "systems/ledger/ledger_keys.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "stores/redis/slot.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr std::string_view default_format = "{<uid>}:<domain>:<score_type>";
constexpr std::string_view cluster_format = "{<bucket>}:<uid>:<domain>:<score_type>";
constexpr int plain_shards = 4;

// A placeholder is alone between colons or in braces: "<uid>" or "{<uid>}".
std::string_view bare(std::string_view word) {
  if (word.starts_with('{') && word.ends_with('}')) return word.substr(1, word.size() - 2);
  return word;
}

std::vector<std::string_view> words_of(std::string_view format) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start <= format.size();) {
    auto const colon = std::min(format.find(':', start), format.size());
    words.push_back(format.substr(start, colon - start));
    start = colon + 1;
  }
  return words;
}

// Two accounts never share a key, whatever the order of the words: only a domain may contain a colon.
void check(std::string_view format, bool cluster) {
  auto const refuse = [&](std::string_view why) {
    throw SetupError(fmt::format("ledger.key_format {}: {}; an example is {}", format, why,
                                 cluster ? cluster_format : default_format));
  };
  auto const words = words_of(format);
  for (std::string_view const placeholder : {"<uid>", "<domain>", "<score_type>"}) {
    if (std::ranges::count(words, placeholder, bare) != 1) {
      refuse(fmt::format("{} must stand in it once, between colons", placeholder));
    }
  }
  for (auto const word : words) {
    auto const inner = bare(word);
    bool const placeholder =
        inner == "<uid>" || inner == "<domain>" || inner == "<score_type>" || inner == "<bucket>";
    if (!placeholder && (inner.empty() || !all_in_charset(inner, "_.-"))) {
      refuse(fmt::format("'{}' is neither a placeholder nor a word", word));
    }
  }
  if (std::ranges::count(format, '{') > 1) refuse("only one hash tag {...} counts");
  if (cluster && format.find("{<bucket>}") == std::string_view::npos) {
    refuse("on a cluster it must contain the hash tag {<bucket>}");
  }
}

}  // namespace

int partition_of(UserId const& uid) { return redis::crc16(uid.str()) % partition_count; }

Keys::Keys(std::string_view format, bool cluster) : cluster_(cluster) {
  if (format.empty()) format = cluster ? cluster_format : default_format;
  check(format, cluster);
  format_ = format;
  account_format_ = parse(format);
  std::string user_words;
  for (auto const word : words_of(format)) {
    if (bare(word) == "<domain>" || bare(word) == "<score_type>") continue;
    if (!user_words.empty()) user_words += ':';
    user_words += word;
  }
  user_format_ = parse(user_words);
  for (int i = 0; i < (cluster ? partition_count : plain_shards); ++i) {
    auto const key = [&](std::string_view name) { return fmt::format("{{{}}}:score_{}", i, name); };
    shards_.push_back({.tag = fmt::format("{{{}}}", i),
                       .outbox = key("outbox"),
                       .schedule = key("schedule"),
                       .relay = key("relay"),
                       .open_holds = key("open_holds")});
  }
}

std::string Keys::layout() const {
  return fmt::format("{} on {}", format_, cluster_ ? "a cluster" : "one Redis");
}

std::vector<Keys::Piece> Keys::parse(std::string_view format) {
  std::vector<Piece> pieces;
  while (!format.empty()) {
    bool found = false;
    for (auto const& [name, part] : {std::pair{"<uid>", Part::uid},
                                     {"<domain>", Part::domain},
                                     {"<score_type>", Part::score_type},
                                     {"<bucket>", Part::partition}}) {
      if (!format.starts_with(name)) continue;
      pieces.push_back({part, ""});
      format.remove_prefix(std::string_view(name).size());
      found = true;
      break;
    }
    if (found) continue;
    if (pieces.empty() || pieces.back().part != Part::literal) pieces.push_back({Part::literal, ""});
    pieces.back().text += format.front();
    format.remove_prefix(1);
  }
  return pieces;
}

void Keys::append(std::string& out, std::vector<Piece> const& pieces, UserId const& uid,
                  Account const* account) {
  for (auto const& [part, text] : pieces) {
    switch (part) {
      case Part::literal: out += text; break;
      case Part::uid: out += uid.str(); break;
      case Part::domain: out += account->domain.str(); break;
      case Part::score_type: fmt::format_to(std::back_inserter(out), "{}", account->type); break;
      case Part::partition: fmt::format_to(std::back_inserter(out), "{}", partition_of(uid)); break;
    }
  }
}

Keys::OfAccount Keys::account(Account const& account) const {
  auto const key = balance(account);
  return {.balance = key, .more = more(key), .expiring = key + "_expiring", .due = key + "_due"};
}

std::string Keys::balance(Account const& account) const {
  std::string key;
  append(key, account_format_, account.uid, &account);
  return key += ":score";
}

std::string Keys::order(UserId const& uid, OrderId const& order) const {
  std::string key;
  append(key, user_format_, uid, nullptr);
  key += ':';
  key += order.str();
  return key += ":score_os";
}

std::string Keys::arrival(UserId const& to, UserId const& from, OrderId const& order) const {
  std::string key;
  append(key, user_format_, to, nullptr);
  return key += fmt::format(":{}/{}:score_os", from.str(), order.str());
}

// The values in a key.
struct Keys::Found {
  std::string_view uid;
  std::string_view type;
};

// Takes one piece off the key. A placeholder is followed by a colon, a brace or the end, and no value except
// a domain contains a colon.
bool Keys::read(std::string_view& key, Piece const& piece, Found& found, bool from_behind) {
  std::string_view taken;
  if (piece.part == Part::literal) {
    if (from_behind ? !key.ends_with(piece.text) : !key.starts_with(piece.text)) return false;
    taken = piece.text;
  } else if (from_behind) {
    auto const before = key.find_last_of(":{");
    taken = key.substr(before == std::string_view::npos ? 0 : before + 1);
  } else {
    taken = key.substr(0, key.find_first_of(":}"));
  }
  if (piece.part == Part::uid) found.uid = taken;
  if (piece.part == Part::score_type) found.type = taken;
  if (from_behind) {
    key.remove_suffix(taken.size());
  } else {
    key.remove_prefix(taken.size());
  }
  return true;
}

std::optional<Account> Keys::account_of(std::string_view key) const {
  auto const end = key.rfind(":score");
  if (end == std::string_view::npos) return std::nullopt;
  auto rest = key.substr(0, end);
  Found found;
  // The domain is what remains without the other words.
  auto const domain_at = std::ranges::find(account_format_, Part::domain, &Piece::part);
  for (auto piece = account_format_.begin(); piece != domain_at; ++piece) {
    if (!read(rest, *piece, found, false)) return std::nullopt;
  }
  for (auto piece = account_format_.end() - 1; piece != domain_at; --piece) {
    if (!read(rest, *piece, found, true)) return std::nullopt;
  }
  auto const uid = UserId::from(found.uid);
  auto const domain = Domain::from(rest);
  auto const type = parse_int(found.type);
  if (!uid || !domain || !type) return std::nullopt;
  Account account{.type = *type, .domain = *domain, .uid = *uid};
  auto const keys = this->account(account);
  if (key != keys.balance && key != keys.more && key != keys.expiring && key != keys.due) return std::nullopt;
  return account;
}

std::optional<Keys::OrderKey> Keys::order_of(std::string_view key) const {
  constexpr std::string_view suffix = ":score_os";
  if (!key.ends_with(suffix)) return std::nullopt;
  auto rest = key.substr(0, key.size() - suffix.size());
  Found found;
  for (auto const& piece : user_format_) {
    if (!read(rest, piece, found, false)) return std::nullopt;
  }
  if (!rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  auto const slash = rest.find('/');  // no order id contains a slash
  auto const from = UserId::from(rest.substr(0, slash == std::string_view::npos ? 0 : slash));
  auto const uid = UserId::from(found.uid);
  auto const order = OrderId::from(slash == std::string_view::npos ? rest : rest.substr(slash + 1));
  if (!uid || !order) return std::nullopt;
  if (key != (from ? arrival(*uid, *from, *order) : this->order(*uid, *order))) return std::nullopt;
  return OrderKey{.uid = *uid, .from = from, .order = *order};
}

bool Keys::is_ledger_key(std::string_view key) {
  static constexpr std::string_view names[] = {
      "score",       "score_more",     "score_expiring", "score_due",        "score_os",
      "score_sn",    "score_sn_hours", "score_outbox",   "score_open_holds", "score_schedule",
      "score_relay", "score_revision", "score_types"};
  auto const colon = key.rfind(':');
  return colon != std::string_view::npos &&
         std::ranges::find(names, key.substr(colon + 1)) != std::end(names);
}

std::string Keys::counter(TypeId type, std::int64_t shard) {
  return fmt::format("{}:{}:score_sn", type, shard);
}

std::string Keys::counter_hours(TypeId type, std::int64_t shard) { return counter(type, shard) + "_hours"; }

std::string Keys::OfShard::revision(TypeId type) const {
  return fmt::format("{}:{}:score_revision", tag, type);
}

std::size_t Keys::shard_of(UserId const& uid) const {
  return std::size_t(partition_of(uid)) % shards_.size();
}

std::vector<std::string> Keys::outboxes() const {
  std::vector<std::string> keys;
  for (auto const& shard : shards_) keys.push_back(shard.outbox);
  return keys;
}

std::size_t Keys::slot_group_of(UserId const& uid) const {
  return cluster_ ? std::size_t(partition_of(uid)) : 0;
}

}  // namespace larder::ledger
