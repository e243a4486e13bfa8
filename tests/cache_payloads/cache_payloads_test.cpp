// Each file has an event, or an object that comes from no event, with every field that Discord documents. It
// says what a reader gets afterwards:
//   before: the dispatches that come first, or the names of their files
//   put:    the key of an object that comes from no event
//   d:      the event or the object
//   read:   keys, as in a lookup, and objects (null: not cached)
#include "systems/cache/cache_events_test.hpp"
#include "systems/cache/object_places.hpp"

#include <filesystem>
#include <fstream>
#include <set>

namespace larder::cache {
namespace {

namespace fs = std::filesystem;

fs::path const payload_folder = fs::path(LARDER_SOURCE_DIR) / "tests" / "cache_payloads";

std::vector<fs::path> payload_files() {
  std::set<fs::path> files;
  for (auto const& entry : fs::directory_iterator(payload_folder)) {
    if (entry.path().extension() == ".json") files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

json::value payload_in(fs::path const& file) {
  std::ifstream in(file);
  return json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

ObjectKey object_key(json::value const& words) {
  std::vector<std::string_view> views;
  for (auto const& word : words.as_array()) views.emplace_back(word.as_string());
  return read_object_key(views).value();
}

class CachePayloadsTest : public CacheEventsTest {
 protected:
  void apply_one(std::string_view name, json::value const& d) {
    auto const report = apply({dispatch(name, json::serialize(d))});
    EXPECT_EQ(report.applied, 1) << name << (report.failed.empty() ? "" : ": " + report.failed[0].detail);
  }
  void apply_before(json::value const& before) {
    if (before.is_object()) return apply_one(before.at("t").as_string(), before.at("d"));
    std::string const name(before.as_string());
    apply_one(name, payload_in(payload_folder / (name + ".json")).at("d"));
  }
  // A word in lower case is the name of a kind. "CHANNEL_CREATE_dm" is another CHANNEL_CREATE.
  void apply_file(std::string name, json::object const& payload) {
    server_.cli({"FLUSHALL"});
    if (auto const* const before = payload.if_contains("before")) {
      for (auto const& each : before->as_array()) apply_before(each);
    }
    if (auto const* const put = payload.if_contains("put")) {
      auto const text = json::serialize(payload.at("d"));
      EXPECT_TRUE(larder::test::run(io_, cache_.put(object_key(*put), text)));
    } else {
      apply_one(name.substr(0, name.find("_dm")), payload.at("d"));
    }
  }
  json::value read(ObjectKey const& key) {
    auto const text = larder::test::run(io_, cache_.get(key));
    return text ? json_of(*text) : json::value(nullptr);
  }
};

TEST_F(CachePayloadsTest, whoever_reads_gets_what_was_sent) {
  for (auto const& file : payload_files()) {
    SCOPED_TRACE(file.filename().string());
    auto const payload = payload_in(file).as_object();
    apply_file(file.stem().string(), payload);
    Snapshot expected;
    Snapshot found;
    for (auto const& each : payload.at("read").as_array()) {
      auto const name = json::serialize(each.at("key"));
      expected[name] = each.at("object");
      found[name] = read(object_key(each.at("key")));
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(differences(expected, found), "");
  }
}

TEST_F(CachePayloadsTest, every_event_has_a_payload) {
  std::set<std::string> names;
  for (auto const& file : payload_files()) names.insert(file.stem().string());
  for (auto const& event : all_events()) {
    if (event.kind == EventKind::applied) EXPECT_TRUE(names.contains(std::string(event.name))) << event.name;
  }
}

}  // namespace
}  // namespace larder::cache
