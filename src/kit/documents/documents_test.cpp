#include "kit/documents/documents_test.hpp"

namespace larder::documents {
namespace {

std::string const town = "user:1:gamestate";

using Revisions = std::vector<std::int64_t>;

TEST_F(DocumentsTest, a_missing_document_has_revision_0) { EXPECT_EQ(read(town), (Document{{}, 0})); }

TEST_F(DocumentsTest, keeps_the_text_as_it_is_and_the_revision_beside_it) {
  std::string const text = "{\"coins\": 20,\r\n \"name\": \"\xc3\xa4\\u0000\"}";
  auto const made = commit({{.key = town, .revision = {}, .text = text}});
  EXPECT_TRUE(made);
  EXPECT_EQ(made.revisions, Revisions{1});
  EXPECT_EQ(read(town), (Document{text, 1}));
  EXPECT_EQ(cli({"GET", town}), text);
  EXPECT_EQ(cli({"GET", "user:1:gamestate:revision"}), "1");
  EXPECT_EQ(cli({"DBSIZE"}), "2");
}

TEST_F(DocumentsTest, changes_only_from_the_revision_it_has) {
  commit({{.key = town, .revision = {}, .text = "1"}});
  auto const changed = commit({{.key = town, .revision = 1, .text = "2"}});
  EXPECT_TRUE(changed);
  EXPECT_EQ(changed.revisions, Revisions{2});
  for (std::optional<std::int64_t> const revision :
       {std::optional<std::int64_t>{}, {0}, {1}, {3}, {-1}, {limits::amount_max}}) {
    auto const refused = commit({{.key = town, .revision = revision, .text = "3"}});
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.revisions, Revisions{2});
  }
  EXPECT_EQ(read(town), (Document{"2", 2}));
}

TEST_F(DocumentsTest, is_created_once) {
  EXPECT_TRUE(commit({{.key = town, .revision = {}, .text = "1"}}));
  EXPECT_FALSE(commit({{.key = town, .revision = {}, .text = "2"}}));
  EXPECT_TRUE(commit({{.key = "other", .revision = 0, .text = "1"}})) << "revision 0 is nothing, too";
  EXPECT_EQ(read(town), (Document{"1", 1}));
}

TEST_F(DocumentsTest, no_revision_returns_after_a_document_is_deleted) {
  commit({{.key = town, .revision = {}, .text = "1"}});
  auto const deleted = commit({{.key = town, .revision = 1, .text = {}}});
  EXPECT_TRUE(deleted);
  EXPECT_EQ(deleted.revisions, Revisions{2});
  EXPECT_EQ(read(town), (Document{{}, 2}));
  EXPECT_EQ(cli({"EXISTS", town}), "0");
  EXPECT_FALSE(commit({{.key = town, .revision = 1, .text = "late"}})) << "it has seen the old one";
  EXPECT_FALSE(commit({{.key = town, .revision = 0, .text = "late"}}));
  auto const again = commit({{.key = town, .revision = {}, .text = "1"}});
  EXPECT_TRUE(again);
  EXPECT_EQ(again.revisions, Revisions{3});
  EXPECT_FALSE(commit({{.key = town, .revision = 1, .text = "late"}}));
  EXPECT_FALSE(commit({{.key = town, .revision = 2, .text = "late"}}));
  EXPECT_EQ(read(town), (Document{"1", 3}));
}

TEST_F(DocumentsTest, a_deleted_document_can_be_made_from_the_revision_of_its_absence) {
  commit({{.key = town, .revision = {}, .text = "1"}});
  commit({{.key = town, .revision = 1, .text = {}}});
  EXPECT_TRUE(commit({{.key = town, .revision = 2, .text = "2"}}));
  EXPECT_EQ(read(town), (Document{"2", 3}));
}

TEST_F(DocumentsTest, a_document_put_there_by_hand_has_revision_0) {
  cli({"SET", town, "{}"});
  EXPECT_EQ(read(town), (Document{"{}", 0}));
  EXPECT_FALSE(commit({{.key = town, .revision = {}, .text = "1"}})) << "it is there";
  EXPECT_TRUE(commit({{.key = town, .revision = 0, .text = "1"}}));
  EXPECT_EQ(read(town), (Document{"1", 1}));
}

TEST_F(DocumentsTest, several_change_together_or_not_at_all) {
  auto const made =
      commit({{.key = "a", .revision = {}, .text = "1"}, {.key = "b", .revision = {}, .text = "2"}});
  EXPECT_EQ(made.revisions, (Revisions{1, 1}));
  commit({{.key = "b", .revision = 1, .text = "3"}});
  auto const before = digest();
  for (auto const& stale :
       {Change{.key = "b", .revision = 1, .text = "x"}, Change{.key = "b", .revision = 1, .text = {}},
        Change{.key = "b", .revision = {}, .text = "x"}}) {
    Change const good{.key = "a", .revision = 1, .text = "x"};
    auto const first = commit({good, stale});
    EXPECT_FALSE(first);
    EXPECT_EQ(first.revisions, (Revisions{1, 2}));
    EXPECT_FALSE(commit({stale, good}));
  }
  EXPECT_EQ(digest(), before);
  auto const done = commit({{.key = "a", .revision = 1, .text = {}},
                            {.key = "b", .revision = 2, .text = "4"},
                            {.key = "c", .revision = {}, .text = "5"}});
  EXPECT_TRUE(done);
  EXPECT_EQ(done.revisions, (Revisions{2, 3, 1}));
  auto const all = test::run(io, documents.read(Texts{"c", "a", "b", "d"}));
  EXPECT_EQ(all, (std::vector<Document>{{"5", 1}, {{}, 2}, {"4", 3}, {{}, 0}}));
}

TEST_F(DocumentsTest, what_is_not_a_document_is_named_and_stays_as_it_is) {
  struct Case {
    Texts by_hand;
    std::string why;
  };
  std::string const revision = town + ":revision";
  std::string const corrupt = town + " is not a document: its revision is corrupt";
  std::string const wrong = town + " is not a document: WRONGTYPE";
  for (auto const& [by_hand, why] : std::vector<Case>{{{"HSET", town, "id", "1"}, wrong},
                                                      {{"RPUSH", revision, "1"}, wrong},
                                                      {{"SET", revision, ""}, corrupt},
                                                      {{"SET", revision, "x"}, corrupt},
                                                      {{"SET", revision, "-1"}, corrupt},
                                                      {{"SET", revision, "1.5"}, corrupt},
                                                      {{"SET", revision, "007"}, corrupt},
                                                      {{"SET", revision, "1e3"}, corrupt},
                                                      {{"SET", revision, "9007199254740991"}, corrupt},
                                                      {{"SET", revision, std::string(400, '9')}, corrupt}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(by_hand, " ")));
    cli({"FLUSHALL"});
    cli({"SET", "good", "1"});
    cli(by_hand);
    auto const before = digest();
    for (std::optional<std::int64_t> const from : {std::optional<std::int64_t>{}, {0}, {1}}) {
      std::vector<Change> changes{{.key = "good", .revision = 0, .text = "2"},
                                  {.key = town, .revision = from, .text = "2"}};
      EXPECT_NE(failure(documents.commit(changes)).find(why), std::string::npos)
          << failure(documents.commit(changes));
    }
    EXPECT_NE(failure(documents.read(town)).find(why), std::string::npos);
    EXPECT_EQ(digest(), before);
  }
}

TEST_F(DocumentsTest, the_last_revision_is_2_to_the_53_minus_1) {
  cli({"SET", town, "1"});
  cli({"SET", town + ":revision", "9007199254740990"});
  auto const last = commit({{.key = town, .revision = limits::amount_max - 1, .text = "2"}});
  EXPECT_TRUE(last);
  EXPECT_EQ(last.revisions, Revisions{limits::amount_max});
}

TEST_F(DocumentsTest, an_empty_text_is_no_document) {
  cli({"SET", town, ""});
  EXPECT_EQ(read(town), (Document{{}, 0}));
  EXPECT_TRUE(commit({{.key = town, .revision = {}, .text = "1"}}));
  EXPECT_EQ(read(town), (Document{"1", 1}));
}

}  // namespace
}  // namespace larder::documents
