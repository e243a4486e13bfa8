#include "kit/backup/manifest.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace larder::backup {
namespace {

class ManifestTest : public testing::Test {
 protected:
  // Writes the manifest, as it is now, of files that are there.
  void write() {
    for (auto const* name : {"manifest.json", "manifest.json.sha256"})
      std::filesystem::remove(dir.file(name));
    write_manifest(dir.path(), manifest);
  }
  // Writes a manifest that has this text, with its right checksum.
  void write_text(std::string const& text) {
    std::ofstream(dir.file("manifest.json"), std::ios::trunc) << text;
    std::ofstream(dir.file("manifest.json.sha256"), std::ios::trunc)
        << sha256_hex(text) << "  manifest.json\n";
  }
  std::string text() {
    std::ifstream in(dir.file("manifest.json"));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string problem() {
    try {
      read_manifest(dir.path());
    } catch (SetupError const& error) {
      return error.what();
    }
    return "none";
  }
  void add_file(std::string const& name, std::string_view content) {
    write_file(dir.path() / name, content);
    manifest.files[name] = sum_of(dir.path() / name);
  }

  void SetUp() override {
    add_file("larder.db", "rows");
    add_file("redis.rdb", "keys");
    write();
  }

  test::TempDir dir;
  Manifest manifest{.version = "1.2.3",
                    .made_at = {1'700'000'000'123},
                    .schema = {{"ledger", 7}},
                    .settings = {{"ledger.key_format", "'{<uid>}:\"x\"'"}}};
};

TEST_F(ManifestTest, is_read_as_it_was_written) {
  EXPECT_EQ(read_manifest(dir.path()), manifest);
  add_file("redis-cache.rdb", "objects");
  write();
  EXPECT_EQ(read_manifest(dir.path()), manifest);
}

TEST_F(ManifestTest, any_changed_byte_is_noticed) {
  for (auto const* name : {"manifest.json", "manifest.json.sha256"}) {
    std::string bytes;
    {
      std::ifstream in(dir.file(name));
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      auto changed = bytes;
      changed[i] = char(changed[i] ^ 1);
      std::ofstream(dir.file(name), std::ios::trunc) << changed;
      EXPECT_EQ(problem(),
                "the backup is damaged: manifest.json does not have the checksum that is in "
                "manifest.json.sha256. Nothing was changed")
          << name << " at " << i;
    }
    std::ofstream(dir.file(name), std::ios::trunc) << bytes;
  }
  EXPECT_EQ(problem(), "none");
}

TEST_F(ManifestTest, a_directory_without_one_is_no_backup) {
  std::filesystem::remove(dir.file("manifest.json"));
  EXPECT_EQ(problem(),
            fmt::format("{} is no backup: it has no manifest.json. A backup has it once it is complete",
                        dir.path().string()));
}

TEST_F(ManifestTest, a_missing_file_and_a_short_file_are_noticed_at_once) {
  std::filesystem::resize_file(dir.file("redis.rdb"), 3);
  EXPECT_EQ(problem(), "the backup is damaged: redis.rdb has 3 bytes instead of 4. Nothing was changed");
  std::filesystem::remove(dir.file("redis.rdb"));
  EXPECT_EQ(problem(), "the backup is damaged: redis.rdb: No such file or directory. Nothing was changed");
}

TEST_F(ManifestTest, a_file_of_the_same_length_has_another_sum) {
  EXPECT_NO_THROW(check_sum("larder.db", sum_of(dir.file("larder.db")), manifest.files["larder.db"]));
  std::ofstream(dir.file("larder.db"), std::ios::trunc) << "rOws";
  EXPECT_EQ(problem(), "none");  // the file is read when it is copied
  EXPECT_THROW(check_sum("larder.db", sum_of(dir.file("larder.db")), manifest.files["larder.db"]),
               SetupError);
}

TEST_F(ManifestTest, a_newer_format_is_refused_in_words) {
  auto newer = text();
  newer.replace(newer.find("\"format\":1"), 10, "\"format\":2");
  write_text(newer);
  EXPECT_EQ(problem(), "a newer larder has made this backup; restore it with that version");
}

TEST_F(ManifestTest, no_text_makes_it_crash_or_name_other_files) {
  for (auto const* wrong : {"", "{", "[]", "{}", R"({"format":"1"})", R"({"format":1,"larder":2})"}) {
    write_text(wrong);
    EXPECT_TRUE(problem().starts_with("the backup is damaged: manifest.json cannot be read"))
        << wrong << problem();
  }
  for (std::string const name : {"../x.rdb", "redis/x.rdb", "/etc/passwd", "redisx.rdb", "x.db"}) {
    manifest.files[name] = {};
    write();
    EXPECT_EQ(problem(), "the backup is damaged: manifest.json cannot be read (files). Nothing was changed")
        << name;
    manifest.files.erase(name);
  }
  manifest.files.erase("redis.rdb");
  write();
  EXPECT_EQ(problem(), "the backup is damaged: manifest.json does not name redis.rdb. Nothing was changed");
}

}  // namespace
}  // namespace larder::backup
