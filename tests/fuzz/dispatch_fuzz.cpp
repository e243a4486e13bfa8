// Dispatches of Discord's gateway, one per line, on a cache in memory. Whatever Discord sends, the cache
// keeps only JSON, and applying a dispatch twice gives what applying it once gives.
#include "base/json.hpp"
#include "fuzz/fuzz.hpp"
#include "systems/cache/assemble.hpp"
#include "systems/cache/events.hpp"

#include <map>
#include <set>

namespace larder::cache {

namespace {

constexpr int rounds_max = 100;

// What Redis would have. It knows no time: nothing expires.
class Memory {
 public:
  friend bool operator==(Memory const&, Memory const&) = default;

  // Answers the open questions. False if there were none.
  bool answer(Reads& reads) const {
    auto open = reads.take_open();
    for (auto& question : open) {
      auto answer = answer_to(question);
      reads.learn(std::move(question), std::move(answer));
    }
    return !open.empty();
  }

  void write(Workspace::Changes const& changes) {
    for (auto const& [key, text] : changes.texts) {
      if (text.only_expire) continue;
      if (text.value) {
        texts_.insert_or_assign(key, *text.value);
      } else {
        texts_.erase(key);
      }
    }
    for (auto const& [key, hash] : changes.hashes) {
      if (hash.replaced) hashes_.erase(key);
      for (auto const& [name, value] : hash.fields) {
        if (value) {
          hashes_[key].insert_or_assign(name, *value);
        } else if (hashes_.contains(key)) {
          hashes_[key].erase(name);
        }
      }
    }
    for (auto const& [key, set] : changes.sets) {
      if (set.replaced) sets_.erase(key);
      for (auto const& [member, is_there] : set.members) {
        if (is_there) {
          sets_[key].insert(member);
        } else if (sets_.contains(key)) {
          sets_[key].erase(member);
        }
      }
    }
    for (auto const& [key, ranked] : changes.ranked) {
      auto& scores = ranked_[key];
      for (auto const& [member, score] : ranked.scores) {
        if (score) {
          scores.insert_or_assign(member, *score);
        } else {
          scores.erase(member);
        }
      }
      if (ranked.drop_below) {
        std::erase_if(scores, [&](auto const& each) { return each.second < *ranked.drop_below; });
      }
    }
    drop_empty();
  }

  void check_texts() const {
    json::parse_options options;
    options.max_depth = limits::gateway_json_depth_max + 2;
    for (auto const& [key, text] : texts_) {
      json::error_code code;
      json::parse(text, code, {}, options);
      // A number beyond the range of a double is JSON, but Boost.JSON does not read it.
      LARDER_ASSERT(!code || code == json::error::exponent_overflow);
      LARDER_ASSERT(is_utf8(key));
    }
  }

 private:
  template <class Map>
  static auto const& at(Map const& map, std::string const& key) {
    static typename Map::mapped_type const empty;
    auto const found = map.find(key);
    return found == map.end() ? empty : found->second;
  }

  Reads::Answer answer_to(Question const& question) const {
    using Kind = Question::Kind;
    Reads::Answer answer;
    auto const& hash = at(hashes_, question.key);
    auto const& set = at(sets_, question.key);
    switch (question.kind) {
      case Kind::text:
        if (texts_.contains(question.key)) answer.text = texts_.at(question.key);
        break;
      case Kind::field:
        if (hash.contains(question.member)) answer.text = hash.at(question.member);
        break;
      case Kind::has:
        if (set.contains(question.member)) answer.text = "1";
        break;
      case Kind::size: answer.text = std::to_string(set.size()); break;
      case Kind::elements: answer.list.assign(set.begin(), set.end()); break;
      case Kind::fields:
      case Kind::pairs:
        for (auto const& [name, value] : hash) {
          answer.list.push_back(name);
          if (question.kind == Kind::pairs) answer.list.push_back(value);
        }
        break;
      case Kind::oldest:
        for (auto const& [member, score] : at(ranked_, question.key)) answer.list.push_back(member);
        break;
    }
    return answer;
  }

  void drop_empty() {
    auto const is_empty = [](auto const& each) { return each.second.empty(); };
    std::erase_if(hashes_, is_empty);
    std::erase_if(sets_, is_empty);
    std::erase_if(ranked_, is_empty);
  }

  std::map<std::string, std::string> texts_;
  std::map<std::string, std::map<std::string, std::string>> hashes_;
  std::map<std::string, std::set<std::string>> sets_;
  std::map<std::string, std::map<std::string, std::int64_t>> ranked_;
};

CacheSetup const& setup() {
  static CacheSetup const setup{.keys = CacheKeys("drc", "v1"), .keep = {}};
  return setup;
}

// Plans until no question is open, and returns what the last call of `plan` returned.
template <class Plan>
auto planned(Memory const& memory, Workspace& workspace, Plan plan) {
  for (int round = 0;; ++round) {
    LARDER_ASSERT(round < rounds_max);
    workspace.forget_changes();
    auto result = plan();
    if (!memory.answer(workspace)) return result;
  }
}

void run_job(Memory& memory, CascadeJob const& job) {
  if (job.kind == CascadeJob::Kind::role) return;  // asks Redis itself
  for (bool is_last = false; !is_last;) {
    Workspace workspace;
    Objects objects(workspace, setup(), {});
    is_last = planned(memory, workspace, [&] {
      Cascade cascade(objects, job_keys_min);
      return run_step(cascade, job);
    });
    memory.write(workspace.all_changes());
  }
}

// Returns whether the dispatch was applied.
bool apply(Memory& memory, Dispatch const& dispatch) {
  Workspace workspace;
  Objects objects(workspace, setup(), TimeMs{1'700'000'000'000});
  auto const after = planned(memory, workspace, [&] {
    workspace.begin_event();
    std::ignore = before_of(workspace, objects.keys(), dispatch);
    return apply_event(objects, dispatch);
  });
  if (!after) {
    LARDER_ASSERT(!after.error().detail.empty());
    return false;
  }
  memory.write(workspace.all_changes());
  for (auto const& job : after->jobs) run_job(memory, job);
  return true;
}

void apply_line(Memory& memory, std::string_view line) {
  auto const text = compact(line);
  if (!text) return;
  auto const dispatch = Dispatch::read(*text);
  if (!dispatch || kind_of(dispatch->name) != EventKind::applied) return;
  if (!apply(memory, *dispatch)) return;
  memory.check_texts();
  auto const once = memory;
  LARDER_ASSERT(apply(memory, *dispatch));
  LARDER_ASSERT(memory == once);
}

}  // namespace

}  // namespace larder::cache

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  cache::Memory memory;
  for (auto rest = fuzz::text_of(data, size); !rest.empty();) {
    auto const end = std::min(rest.find('\n'), rest.size());
    cache::apply_line(memory, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}
