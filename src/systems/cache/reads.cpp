#include "systems/cache/reads.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace larder::cache {

namespace {

constexpr std::size_t scan_count = 1000;       // elements that one command may look at
constexpr std::size_t texts_at_once = 1000;    // in one MGET
constexpr std::size_t names_at_once = 10'000;  // in one HKEYS

// Reads a collection in portions: a set of a hundred thousand members must not keep Redis from its other
// work.
Task<Reads::List> scan_collection(redis::Redis& redis, Question const& question) {
  bool const is_set = question.kind == Question::Kind::elements;
  std::string const count =
      std::to_string(question.limit > 0 ? std::min(question.limit, scan_count) : scan_count);
  Reads::List found;
  std::unordered_set<std::string> seen;  // a scan may give an element twice
  std::string cursor = "0";
  do {
    auto const reply = co_await redis.command(
        redis::Use::read, question.key, {is_set ? "SSCAN" : "HSCAN", question.key, cursor, "COUNT", count});
    auto const portion = reply.at(1);
    for (std::size_t i = 0; i < portion.size(); i += is_set ? 1 : 2) {
      if (!seen.emplace(portion.at(i).text()).second) continue;
      found.emplace_back(portion.at(i).text());
      if (question.kind == Question::Kind::pairs) found.emplace_back(portion.at(i + 1).text());
    }
    cursor = reply.at(0).text();
  } while (cursor != "0" && (question.limit == 0 || found.size() < question.limit));
  co_return found;
}

// A scan of a hash also carries the values, which are much larger than the names. So only a large hash is
// scanned.
Task<Reads::List> names_in(redis::Redis& redis, Question const& question) {
  auto const size = co_await redis.command(redis::Use::read, question.key, {"HLEN", question.key});
  if (size.integer() > std::int64_t(names_at_once)) co_return co_await scan_collection(redis, question);
  Reads::List names;
  if (size.integer() == 0) co_return names;
  auto const reply = co_await redis.command(redis::Use::read, question.key, {"HKEYS", question.key});
  for (std::size_t i = 0; i < reply.size(); ++i) names.emplace_back(reply.at(i).text());
  co_return names;
}

Task<Reads::Answer> ask_redis(redis::Redis& redis, Question const& question) {
  Reads::Answer answer;
  switch (question.kind) {
    case Question::Kind::text: {
      auto const reply = co_await redis.command(redis::Use::read, question.key, {"GET", question.key});
      answer.text = reply.optional_text();
      break;
    }
    case Question::Kind::field: {
      auto const reply =
          co_await redis.command(redis::Use::read, question.key, {"HGET", question.key, question.member});
      answer.text = reply.optional_text();
      break;
    }
    case Question::Kind::has: {
      auto const reply = co_await redis.command(redis::Use::read, question.key,
                                                {"SISMEMBER", question.key, question.member});
      if (reply.integer() != 0) answer.text = "1";
      break;
    }
    case Question::Kind::size: {
      auto const reply = co_await redis.command(redis::Use::read, question.key, {"SCARD", question.key});
      answer.text = std::to_string(reply.integer());
      break;
    }
    case Question::Kind::fields: answer.list = co_await names_in(redis, question); break;
    case Question::Kind::elements:
    case Question::Kind::pairs: answer.list = co_await scan_collection(redis, question); break;
    case Question::Kind::oldest: {
      auto const last = std::to_string(question.limit - 1);
      auto const reply =
          co_await redis.command(redis::Use::read, question.key, {"ZRANGE", question.key, "0", last});
      for (std::size_t i = 0; i < reply.size(); ++i) answer.list.emplace_back(reply.at(i).text());
      break;
    }
  }
  co_return answer;
}

using Asked = std::vector<std::pair<Question, Reads::Answer>>;

Task<Asked> ask_one(redis::Redis& redis, Question question) {
  Reads::Answer answer;
  try {
    answer = co_await ask_redis(redis, question);
  } catch (redis::ReplyError const& error) {
    if (!is_of_another_type(error)) throw;
  }
  Asked asked;
  asked.emplace_back(std::move(question), std::move(answer));
  co_return asked;
}

// Several texts, or several fields of one hash, cost Redis less in one command.
Task<Asked> ask_together(redis::Redis& redis, std::vector<Question> questions) {
  bool const texts = questions.front().kind == Question::Kind::text;
  std::vector<std::string_view> words{texts ? "MGET" : "HMGET"};
  if (!texts) words.push_back(questions.front().key);
  for (auto const& question : questions) words.push_back(texts ? question.key : question.member);
  std::optional<redis::Reply> reply;
  try {
    reply = co_await redis.command(redis::Use::read, questions.front().key, words);
  } catch (redis::ReplyError const& error) {
    if (!is_of_another_type(error)) throw;
  }
  Asked asked;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    asked.emplace_back(
        std::move(questions[i]),
        Reads::Answer{.text = reply ? reply->at(i).optional_text() : std::nullopt, .list = {}});
  }
  co_return asked;
}

}  // namespace

bool is_of_another_type(redis::ReplyError const& error) {
  return std::string_view(error.what()).starts_with("WRONGTYPE");
}

std::size_t QuestionHash::operator()(Question const& question) const noexcept {
  auto const hash = std::hash<std::string_view>{};
  return hash(question.key) * 31 + hash(question.member) * 7 + std::size_t(question.kind) +
         question.limit * 13;
}

Reads::Answer const& Reads::ask(Question question, bool is_checked) {
  static Answer const nothing;
  if (auto const found = known_.find(question); found != known_.end()) {
    found->second.is_checked = found->second.is_checked || is_checked;
    return found->second;
  }
  open_.insert(std::move(question));
  ++missed_;
  return nothing;
}

std::optional<std::string_view> Reads::text(std::string key) {
  return ask({.kind = Question::Kind::text, .key = std::move(key)}).text;
}
std::optional<std::string_view> Reads::text_to_change(std::string key) {
  return ask({.kind = Question::Kind::text, .key = std::move(key)}, false).text;
}
std::optional<std::string_view> Reads::field(std::string hash, std::string_view name) {
  return ask({.kind = Question::Kind::field, .key = std::move(hash), .member = std::string(name)}).text;
}
bool Reads::has(std::string set, std::string_view member) {
  return ask({.kind = Question::Kind::has, .key = std::move(set), .member = std::string(member)})
      .text.has_value();
}
bool Reads::any(std::string set) { return size(std::move(set)) > 0; }
std::int64_t Reads::size(std::string set) {
  auto const& answer = ask({.kind = Question::Kind::size, .key = std::move(set)});
  return answer.text ? parse_int(*answer.text).value_or(0) : 0;
}
Reads::List Reads::elements(std::string set, std::size_t limit) {
  return ask({.kind = Question::Kind::elements, .key = std::move(set), .limit = limit}).list;
}
Reads::List Reads::fields(std::string hash) {
  return ask({.kind = Question::Kind::fields, .key = std::move(hash)}).list;
}
Reads::List Reads::pairs(std::string hash) {
  return ask({.kind = Question::Kind::pairs, .key = std::move(hash)}).list;
}
Reads::List Reads::oldest(std::string sorted_set, std::size_t limit) {
  return ask({.kind = Question::Kind::oldest, .key = std::move(sorted_set), .limit = limit}).list;
}

std::vector<Question> Reads::take_open() {
  std::vector<Question> open;
  open.reserve(open_.size());
  while (!open_.empty()) open.push_back(std::move(open_.extract(open_.begin()).value()));
  return open;
}

void Reads::learn(Question question, Answer answer) {
  known_.insert_or_assign(std::move(question), std::move(answer));
}

void Reads::clear() {
  known_.clear();
  open_.clear();
}

Task<bool> load(redis::Redis& redis, Reads& reads) {
  auto open = reads.take_open();
  if (open.empty()) co_return false;
  std::vector<Task<Asked>> tasks;
  std::map<std::string, std::vector<Question>> hashes;
  std::vector<Question> texts;
  auto const ask_texts = [&] {
    if (!texts.empty()) tasks.push_back(ask_together(redis, std::exchange(texts, {})));
  };
  for (auto& question : open) {
    if (question.kind == Question::Kind::text && !redis.is_cluster()) {
      texts.push_back(std::move(question));
      if (texts.size() == texts_at_once) ask_texts();
    } else if (question.kind == Question::Kind::field) {
      hashes[question.key].push_back(std::move(question));
    } else {
      tasks.push_back(ask_one(redis, std::move(question)));
    }
  }
  ask_texts();
  for (auto& [key, questions] : hashes) tasks.push_back(ask_together(redis, std::move(questions)));
  for (auto& asked : co_await when_all(std::move(tasks))) {
    for (auto& [question, answer] : asked) reads.learn(std::move(question), std::move(answer));
  }
  co_return true;
}

}  // namespace larder::cache
