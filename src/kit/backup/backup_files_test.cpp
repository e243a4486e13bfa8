#include "kit/backup/backup_files.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>

namespace larder::backup {
namespace {

std::string content_of(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

mode_t mode_of(std::filesystem::path const& file) {
  struct ::stat info{};
  EXPECT_EQ(::stat(file.c_str(), &info), 0);
  return info.st_mode & 07777U;
}

std::string problem_of(auto call) {
  try {
    call();
  } catch (SetupError const& error) {
    return error.what();
  }
  return "no SetupError";
}

TEST(BackupFiles, a_sum_is_that_of_the_whole_file) {
  test::TempDir const dir;
  for (std::size_t const bytes : {0UL, 1UL, 1024UL * 1024, 2UL * 1024 * 1024 + 1}) {
    auto const file = dir.path() / std::to_string(bytes);
    std::string const text(bytes, 'x');
    write_file(file, text);
    EXPECT_EQ(sum_of(file), (FileSum{.bytes = bytes, .sha256 = sha256_hex(text)}));
  }
}

TEST(BackupFiles, a_copy_is_the_same_and_for_its_owner_alone) {
  test::TempDir const dir;
  std::string text;
  while (text.size() < 2 * 1024 * 1024) text += random_hex(200);
  std::ofstream(dir.file("a")) << text;
  ::chmod(dir.file("a").c_str(), 0666);
  std::uint64_t told = 0;
  auto const sum = copy_file(dir.file("a"), dir.file("b"), [&](auto done, auto total) {
    EXPECT_LE(done, total);
    told = done;
  });
  EXPECT_EQ(content_of(dir.file("b")), text);
  EXPECT_EQ(sum, sum_of(dir.file("a")));
  EXPECT_EQ(told, text.size());
  EXPECT_EQ(mode_of(dir.file("b")), 0600U);
  move_file(dir.file("a"), dir.file("c"));
  EXPECT_EQ(content_of(dir.file("c")), text);
  EXPECT_EQ(mode_of(dir.file("c")), 0600U);
  EXPECT_FALSE(std::filesystem::exists(dir.file("a")));
}

TEST(BackupFiles, a_file_goes_to_another_file_system) {
  test::TempDir const dir;
  std::filesystem::path const other = fmt::format("/dev/shm/larder-{}", random_hex(8));
  write_file(dir.file("a"), "text");
  move_file(dir.file("a"), other);
  EXPECT_EQ(content_of(other), "text");
  EXPECT_FALSE(std::filesystem::exists(dir.file("a")));
  std::filesystem::remove(other);
}

TEST(BackupFiles, no_file_is_overwritten) {
  test::TempDir const dir;
  write_file(dir.file("a"), "old");
  write_file(dir.file("b"), "new");
  auto const exists = fmt::format("cannot make {}: File exists", dir.file("a"));
  EXPECT_EQ(problem_of([&] { write_file(dir.file("a"), "new"); }), exists);
  EXPECT_EQ(problem_of([&] { copy_file(dir.file("b"), dir.file("a")); }), exists);
  EXPECT_EQ(content_of(dir.file("a")), "old");
}

TEST(BackupFiles, a_problem_names_the_file) {
  test::TempDir const dir;
  EXPECT_EQ(problem_of([&] { sum_of(dir.file("none")); }),
            fmt::format("cannot read {}: No such file or directory", dir.file("none")));
  EXPECT_EQ(problem_of([&] { sum_of(dir.path()); }),
            fmt::format("cannot read {}: it is not a file", dir.path().string()));
  EXPECT_EQ(problem_of([&] { copy_file("/dev/zero", dir.file("a")); }),
            "cannot read /dev/zero: it is not a file");
  EXPECT_EQ(problem_of([&] { write_file("/dev/full/x", "text"); }),
            "cannot make /dev/full/x: Not a directory");
}

}  // namespace
}  // namespace larder::backup
