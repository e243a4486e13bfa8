// No key can belong to two things, whatever ids and names users choose.
#include "all_patterns.hpp"
#include "reserved.hpp"
#include "written.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace larder::keys {
namespace {

struct Known {
  std::vector<KeyPattern> one_redis = all_patterns(Mode::one_redis);
  std::vector<KeyPattern> cluster = all_patterns(Mode::cluster);
  RefusedByName refused = find_refused({one_redis, cluster});
};
Known const known;

// Compares the file with what it should be, or writes it if tests/keys/record asks for that.
void expect_file(std::string const& name, std::string const& should) {
  auto const path = std::string(LARDER_SOURCE_DIR "/") + name;
  if (std::getenv("LARDER_RECORD")) {
    std::ofstream(path) << should;
    return;
  }
  std::ifstream in(path);
  std::string const is{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(is == should) << name << " is not up to date; run tests/keys/record";
}

void expect_no_common_key(std::vector<KeyPattern> const& patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (std::size_t k = i + 1; k < patterns.size(); ++k) {
      auto const key = common_key(patterns[i], patterns[k], known.refused);
      EXPECT_FALSE(key) << *key << " matches " << patterns[i].text() << " of " << patterns[i].system
                        << " and " << patterns[k].text() << " of " << patterns[k].system;
    }
  }
}

TEST(Keys, no_key_matches_two_patterns_on_one_redis) { expect_no_common_key(known.one_redis); }

TEST(Keys, no_key_matches_two_patterns_on_a_cluster) { expect_no_common_key(known.cluster); }

TEST(Keys, a_common_key_is_found) {
  Placeholder const word("word", "a-z", 9);
  KeyPattern const any{.system = {}, .type = {}, .about = {}, .pieces = {{.text = "{x}:"}, {{}, word}}};
  KeyPattern const fixed{.system = {}, .type = {}, .about = {}, .pieces = {{.text = "{x}:lb"}}};
  EXPECT_EQ(common_key(any, fixed, {}), "{x}:lb");
  EXPECT_EQ(common_key(any, fixed, {{"word", {.values = {"lb"}, .endings = {}}}}), std::nullopt);
  EXPECT_EQ(common_key(any, fixed, {{"word", {.values = {"lbs", "l"}, .endings = {}}}}), "{x}:lb");
}

TEST(Keys, an_ending_is_refused_after_any_colon) {
  Placeholder const word("word", "a-z:", 9);
  KeyPattern const any{.system = {}, .type = {}, .about = {}, .pieces = {{.text = "k:"}, {{}, word}}};
  RefusedByName const endings{{"word", {.values = {}, .endings = {"end"}}}};
  for (std::string const key : {"k:end", "k:a:end", "k:end:end"}) {
    KeyPattern const fixed{.system = {}, .type = {}, .about = {}, .pieces = {{.text = key}}};
    EXPECT_EQ(common_key(any, fixed, endings), std::nullopt) << key;
    EXPECT_EQ(common_key(any, fixed, {}), key);
  }
  for (std::string const key : {"k:ends", "k:end:a", "k:bend", "k:end:"}) {
    KeyPattern const fixed{.system = {}, .type = {}, .about = {}, .pieces = {{.text = key}}};
    EXPECT_EQ(common_key(any, fixed, endings), key);
  }
}

TEST(Keys, the_page_and_the_refused_words_are_up_to_date) {
  expect_file("docs/keys.md", page(known.one_redis, known.cluster, known.refused));
  expect_file("src/systems/economy/reserved_words.hpp", header(known.refused));
}

}  // namespace
}  // namespace larder::keys
