#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class Moves : public EconomyTest {};

TEST_F(Moves, farming_gives_a_point_and_keeps_the_name) {
  auto const farmed = run(economy.farm(move("111", 3), "Zymna#0001")).value().what;
  EXPECT_EQ(farmed.gained, 1);
  EXPECT_EQ(farmed.balance, 1);
  EXPECT_EQ(balance("111"), "1");
  EXPECT_EQ(cli({"GET", "111"}), "Zymna#0001");
  EXPECT_EQ(events("ajobus"), Lines{"version=1 type=farm user_id=111 guild_id=0 amount=1"});
}

TEST_F(Moves, paying_moves_points) {
  give("222", 4);
  auto const paid = run(economy.pay(move("222"), user("111"), Amount::from(4).value())).value().what;
  EXPECT_EQ(paid.balance, 0);
  EXPECT_EQ(paid.to_balance, 4);
  EXPECT_EQ(events("ajobus"), (Lines{"version=1 type=opening user_id=222 guild_id=0 amount=4",
                                     "version=1 type=payer user_id=222 guild_id=0 amount=-4 payee_id=111",
                                     "version=1 type=payee user_id=111 guild_id=0 amount=4 payer_id=222"}));
}

}  // namespace
}  // namespace larder::economy
