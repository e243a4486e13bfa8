#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {
namespace {

using test::lot;

TEST(ActionJson, reads_each_type_and_writes_it_back) {
  struct Case {
    std::string_view text;
    Action action;
  };
  std::vector<Case> const cases = {
      {R"({"type":"construct","lot":"1","building":"kitchen"})", Construct{lot("1"), Building::kitchen}},
      {R"({"type":"construct","lot":"10","building":"school"})", Construct{lot("10"), Building::school}},
      {R"({"type":"upgrade","lot":"2"})", Upgrade{lot("2")}},
      {R"({"type":"raze","lot":"3"})", Raze{lot("3")}},
      {R"({"type":"train","education":"chef","amount":1})", Train{Education::chef, 1}},
      {R"({"type":"train","education":"thief","amount":9007199254740991})",
       Train{Education::thief, limits::amount_max}},
      {R"({"type":"steal","x":0,"y":109,"thieves":5})", Steal{{.x = 0, .y = 109}, 5}},
      {R"({"type":"tap","lot":"4"})", Tap{lot("4")}},
      {R"({"type":"cancel","queue":"construction","index":0})", Cancel{Queue::construction, 0}},
      {R"({"type":"cancel","queue":"training","index":3})", Cancel{Queue::training, 3}},
      {R"({"type":"cancel","queue":"travel","index":1})", Cancel{Queue::travel, 1}},
  };
  for (auto const& test : cases) {
    auto const parsed = parse_action(json::parse(test.text));
    ASSERT_TRUE(parsed) << test.text << ' ' << parsed.error().detail;
    EXPECT_EQ(*parsed, test.action) << test.text;
    EXPECT_EQ(json::serialize(to_json(*parsed)), test.text);
    EXPECT_EQ(type_of(*parsed), json::parse(test.text).at("type").as_string());
  }
}

TEST(ActionJson, names_the_field_that_is_wrong) {
  struct Case {
    std::string_view text;
    std::string_view field;
    std::string_view detail;  // a part of the detail
  };
  std::vector<Case> const cases = {
      {"[]", "", "JSON object"},
      {"{}", "type", "is required"},
      {R"({"type": 1})", "type", R"(one of the strings "construct", "upgrade")"},
      {R"({"type": "dance"})", "type", "one of construct, upgrade"},
      {R"({"type": "Tap", "lot": "1"})", "type", "one of construct"},
      {R"({"type": "tap"})", "lot", "is required"},
      {R"({"type": "tap", "lot": 1})", "lot", R"(one of the strings "1", "2")"},
      {R"({"type": "tap", "lot": "0"})", "lot", "one of 1, 2"},
      {R"({"type": "tap", "lot": "11"})", "lot", "one of 1, 2"},
      {R"({"type": "tap", "lot": "01"})", "lot", "one of 1, 2"},
      {R"({"type": "tap", "lot": "1", "building": "shop"})", "building", "not a known field"},
      {R"({"type": "upgrade", "lot": ""})", "lot", "one of 1, 2"},
      {R"({"type": "raze", "lot": "-1"})", "lot", "one of 1, 2"},
      {R"({"type": "construct", "lot": "1"})", "building", "is required"},
      {R"({"type": "construct", "lot": "1", "building": "tower"})", "building", "one of kitchen"},
      {R"({"type": "construct", "lot": "1", "building": 0})", "building", R"(one of the strings "kitchen")"},
      {R"({"type": "construct", "lot": "1", "building": "shop", "level": 2})", "level", "not a known field"},
      {R"({"type": "train", "education": "baker", "amount": 1})", "education", "one of chef"},
      {R"({"type": "train", "education": "chef"})", "amount", "is required"},
      {R"({"type": "train", "education": "chef", "amount": 0})", "amount", "from 1"},
      {R"({"type": "train", "education": "chef", "amount": -1})", "amount", "from 1"},
      {R"({"type": "train", "education": "chef", "amount": 1.5})", "amount", "whole number"},
      {R"({"type": "train", "education": "chef", "amount": "1"})", "amount", "whole number"},
      {R"({"type": "train", "education": "chef", "amount": 9007199254740992})", "amount", "whole number"},
      {R"({"type": "steal", "x": 1, "y": 1, "thieves": 0})", "thieves", "from 1"},
      {R"({"type": "steal", "x": 1, "y": 1, "thieves": 9007199254740992})", "thieves", "whole number"},
      {R"({"type": "steal", "x": -1, "y": 1, "thieves": 1})", "x", "from 0"},
      {R"({"type": "steal", "x": 1, "y": 0.5, "thieves": 1})", "y", "whole number"},
      {R"({"type": "steal", "x": 1, "thieves": 1})", "y", "is required"},
      {R"({"type": "cancel", "queue": "arrival", "index": 0})", "queue", "one of construction"},
      {R"({"type": "cancel", "queue": "training", "index": -1})", "index", "from 0"},
      {R"({"type": "cancel", "queue": "training", "index": 1.5})", "index", "whole number"},
      {R"({"type": "cancel", "queue": "training"})", "index", "is required"},
  };
  for (auto const& test : cases) {
    auto const parsed = parse_action(json::parse(test.text));
    ASSERT_FALSE(parsed) << test.text;
    EXPECT_EQ(parsed.error().code, larder::errors::invalid_request) << test.text;
    EXPECT_EQ(parsed.error().field, test.field) << test.text;
    EXPECT_NE(parsed.error().detail.find(test.detail), std::string::npos)
        << test.text << ": " << parsed.error().detail;
  }
}

}  // namespace
}  // namespace larder::tribes
