// A catalogue that a command gives.
#include "systems/economy/catalogue_command.hpp"

#include "systems/economy/economy_test.hpp"
#include "systems/economy/small_game_test.hpp"

namespace larder::economy {
namespace {

class GivenCatalogues : public EconomyTest {
 protected:
  Given give(std::string_view name, IfMissing if_missing) {
    return run(
        give_catalogue(redis, background.shared().journal, realm(name), parsed(small_game()), if_missing));
  }
  std::string version(std::string_view name) { return cli({"GET", fmt::format("{{{}}}:catalogue", name)}); }
  std::string listed() { return cli({"SMEMBERS", std::string(realms_key)}); }
};

TEST_F(GivenCatalogues, replace_what_a_realm_has) {
  run(economy.create(realm("guild")));
  EXPECT_EQ(give("guild", IfMissing::leave), Given::loaded);
  EXPECT_EQ(version("guild"), parsed(small_game())->version);
}

TEST_F(GivenCatalogues, create_a_realm_only_if_told_to) {
  EXPECT_EQ(give("guild", IfMissing::leave), Given::missing);
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(give("guild", IfMissing::create), Given::loaded);
  EXPECT_EQ(version("guild"), parsed(small_game())->version);
  EXPECT_EQ(listed(), "guild");
}

TEST_F(GivenCatalogues, leave_a_realm_alone_that_is_being_deleted) {
  run(economy.create(realm("guild")));
  EXPECT_TRUE(run(economy.remove(realm("guild"))));
  cli({"DEL", std::string(realms_key)});  // the deletion has come so far
  auto const before = digest();
  for (auto const if_missing : {IfMissing::leave, IfMissing::create})
    EXPECT_EQ(give("guild", if_missing), Given::closed);
  EXPECT_EQ(digest(), before);
}

}  // namespace
}  // namespace larder::economy
