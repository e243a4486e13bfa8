#include "kit/backup/unfinished_directory.hpp"

#include "base/error.hpp"
#include "kit/backup/backup_files.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace larder::backup {
namespace {

namespace fs = std::filesystem;

class UnfinishedDirectoryTest : public testing::Test {
 protected:
  std::string problem_of(auto call) {
    try {
      call();
    } catch (SetupError const& error) {
      return error.what();
    }
    return "none";
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (auto const& entry : fs::recursive_directory_iterator(dir.path()))
      found.push_back(fs::relative(entry.path(), dir.path()).string());
    std::ranges::sort(found);
    return found;
  }
  using Names = std::vector<std::string>;

  test::TempDir dir;
  fs::path goal = dir.path() / "b";
};

TEST_F(UnfinishedDirectoryTest, has_its_name_only_when_it_is_complete) {
  {
    UnfinishedDirectory made(goal, ".new");
    write_file(made.file("a"), "1");
    EXPECT_EQ(names(), (Names{"b.new", "b.new/a", "b.new/unfinished"}));
    made.finish();
    EXPECT_EQ(names(), (Names{"b", "b/a"}));
  }
  EXPECT_EQ(names(), (Names{"b", "b/a"}));
  struct ::stat info{};
  ASSERT_EQ(::stat(goal.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0700U);
}

TEST_F(UnfinishedDirectoryTest, is_removed_if_it_is_not_finished) {
  {
    UnfinishedDirectory const made(goal, ".new");
    fs::create_directory(made.file("sub"));
    write_file(made.file("sub/a"), "1");
  }
  EXPECT_EQ(names(), Names{});
}

TEST_F(UnfinishedDirectoryTest, what_a_killed_process_has_left_is_removed) {
  fs::create_directory(dir.path() / "b.new");
  write_file(dir.path() / "b.new/unfinished", "");
  write_file(dir.path() / "b.new/half", "1");
  UnfinishedDirectory made(goal, ".new");
  made.finish();
  EXPECT_EQ(names(), (Names{"b"}));
}

TEST_F(UnfinishedDirectoryTest, a_directory_of_somebody_else_is_left_alone) {
  fs::create_directory(dir.path() / "b.new");
  write_file(dir.path() / "b.new/letter", "1");
  EXPECT_EQ(problem_of([&] { UnfinishedDirectory const made(goal, ".new"); }),
            fmt::format("{}.new is in the way; remove it", goal.string()));
  EXPECT_EQ(names(), (Names{"b.new", "b.new/letter"}));
}

TEST_F(UnfinishedDirectoryTest, two_processes_do_not_write_the_same) {
  UnfinishedDirectory const made(goal, ".new");
  EXPECT_EQ(problem_of([&] { UnfinishedDirectory const second(goal, ".new"); }),
            fmt::format("another larder is writing {}.new", goal.string()));
  EXPECT_EQ(names(), (Names{"b.new", "b.new/unfinished"}));
}

TEST_F(UnfinishedDirectoryTest, takes_the_place_of_an_empty_directory_only) {
  fs::create_directory(goal);
  {
    UnfinishedDirectory made(goal, ".new");
    write_file(made.file("a"), "1");
    made.finish();
  }
  EXPECT_EQ(names(), (Names{"b", "b/a"}));
  EXPECT_EQ(problem_of([&] { UnfinishedDirectory const made(goal, ".new"); }),
            fmt::format("{} is there already and is not an empty directory", goal.string()));
  fs::remove_all(goal);
  write_file(goal, "");
  EXPECT_EQ(problem_of([&] { UnfinishedDirectory const made(goal, ".new"); }),
            fmt::format("{} is there already and is not an empty directory", goal.string()));
}

TEST_F(UnfinishedDirectoryTest, a_directory_that_was_filled_meanwhile_stays) {
  {
    UnfinishedDirectory made(goal, ".new");
    fs::create_directory(goal);
    write_file(goal / "other", "1");
    EXPECT_EQ(problem_of([&] { made.finish(); }),
              fmt::format("cannot make {}: Directory not empty", goal.string()));
  }
  EXPECT_EQ(names(), (Names{"b", "b/other"}));
}

TEST_F(UnfinishedDirectoryTest, moves_another_directory_aside) {
  fs::create_directory(goal);
  write_file(goal / "old", "1");
  UnfinishedDirectory made(goal, ".new", UnfinishedDirectory::IfNotEmpty::replace);
  write_file(made.file("new"), "1");
  made.finish_and_move(dir.path() / "aside");
  EXPECT_EQ(names(), (Names{"aside", "aside/old", "b", "b/new"}));
}

TEST_F(UnfinishedDirectoryTest, a_mount_point_is_refused_in_words) {
  EXPECT_EQ(
      problem_of(
          [&] { UnfinishedDirectory const made("/proc", ".new", UnfinishedDirectory::IfNotEmpty::replace); }),
      "/proc is a mount point, which cannot be replaced in one step; name a directory inside it, such as "
      "/proc/larder");
}

TEST_F(UnfinishedDirectoryTest, a_path_is_full_and_has_no_slash_at_its_end) {
  fs::create_directory(goal);
  fs::create_directory_symlink(goal, dir.path() / "link");
  EXPECT_EQ(full_path(goal.string() + "/"), goal);
  EXPECT_EQ(full_path(dir.file("link/../b/x/")), goal.parent_path() / "b/x");
  EXPECT_EQ(full_path(dir.file("link")), goal);
  EXPECT_EQ(full_path("/"), "/");
  EXPECT_TRUE(full_path("x").is_absolute());
}

}  // namespace
}  // namespace larder::backup
