#include "base/config.hpp"

#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace larder {
namespace {

class ConfigTest : public testing::Test {
 protected:
  std::string write(std::string_view name, std::string_view text) {
    std::ofstream(dir.file(name)) << text;
    return dir.file(name);
  }
  static Settings all_settings(Config& config) {
    auto settings = server_settings(config);
    for (auto& setting : log_settings(config)) settings.push_back(std::move(setting));
    return settings;
  }
  static Config load_config(SettingSources const& sources) {
    Config config;
    load_settings(all_settings(config), sources);
    return config;
  }
  static std::string dump_config(Config config) { return dump_settings(all_settings(config)); }
  // The message of the SetupError, if loading fails.
  static std::string complaint(SettingSources const& sources) {
    try {
      load_config(sources);
      return "nothing";
    } catch (SetupError const& error) {
      return error.what();
    }
  }

  test::TempDir dir;
};

TEST_F(ConfigTest, later_sources_win) {
  auto const file = write("larder.toml",
                          "data = 'file'\n[server]\nthreads = 2\nlisten = 'file:1'\n[log]\nlevel = 'warn'\n");
  auto const config =
      load_config({.file = file,
                   .environment = {{"LARDER_SERVER__THREADS", "3"}, {"LARDER_LOG__LEVEL", "error"}},
                   .flags = {{"log.level", "debug"}}});
  EXPECT_EQ(config.redis.url, "embedded");
  EXPECT_EQ(config.data, "file");
  EXPECT_EQ(config.server.listen, "file:1");
  EXPECT_EQ(config.server.threads, 3);
  EXPECT_EQ(config.log.level, "debug");
}

TEST_F(ConfigTest, a_setting_in_a_section_of_a_section_has_a_variable_too) {
  std::string url;
  Settings const settings{text_setting("cache.redis.url", url)};
  load_settings(settings, {.file = {}, .environment = {{"LARDER_CACHE__REDIS__URL", "auto"}}, .flags = {}});
  EXPECT_EQ(url, "auto");
  load_settings(settings,
                {.file = write("dump.toml", dump_settings(settings)), .environment = {}, .flags = {}});
  EXPECT_EQ(url, "auto");
}

TEST_F(ConfigTest, a_wrong_setting_is_named_with_its_source) {
  auto const unknown = write("unknown.toml", "[redis]\nurll = 'x'\n");
  auto const broken = write("broken.toml", "a = = 1\n");
  struct Case {
    SettingSources sources;
    std::vector<std::string> says;
  };
  for (auto const& [sources, says] : {
           Case{{.file = unknown, .environment = {}, .flags = {}}, {"redis.urll", "unknown.toml"}},
           Case{{.file = broken, .environment = {}, .flags = {}}, {"broken.toml", "line 1"}},
           Case{{.file = dir.file("none.toml"), .environment = {}, .flags = {}}, {"none.toml"}},
           Case{{.file = {}, .environment = {{"LARDER_SERVER__THREAD", "3"}}, .flags = {}},
                {"server.thread", "LARDER_SERVER__THREAD"}},
           Case{{.file = {}, .environment = {{"LARDER_SERVER__THREADS", "many"}}, .flags = {}},
                {"server.threads", "LARDER_SERVER__THREADS", "whole number"}},
           Case{{.file = {}, .environment = {}, .flags = {{"log.level", "loud"}}},
                {"log.level", "command line", "debug"}},
           Case{{.file = {}, .environment = {}, .flags = {{"server.access_log", "yes"}}},
                {"server.access_log", "true or false"}},
       }) {
    auto const what = complaint(sources);
    for (auto const& word : says) EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

TEST_F(ConfigTest, a_file_variable_reads_the_secret_from_a_file) {
  auto const secret = write("secret", "mysql://u:secret@h/d\n");
  EXPECT_EQ(load_config({.file = {}, .environment = {{"LARDER_SQL__URL_FILE", secret}}, .flags = {}}).sql.url,
            "mysql://u:secret@h/d");
  auto const what =
      complaint({.file = {}, .environment = {{"LARDER_SQL__URL_FILE", dir.file("none")}}, .flags = {}});
  EXPECT_NE(what.find("LARDER_SQL__URL_FILE"), std::string::npos) << what;
}

TEST_F(ConfigTest, other_variables_of_the_environment_are_no_settings) {
  // As Kubernetes sets them for a service of the name `larder`.
  auto const config = load_config({.file = {},
                                   .environment = {{"LARDER_DATA", "here"},
                                                   {"LARDER_PORT", "tcp://10.0.0.1:7420"},
                                                   {"LARDER_PORT_7420_TCP_ADDR", "10.0.0.1"},
                                                   {"LARDER_REDIS_URL", "nowhere"},
                                                   {"LARDER_SERVICE_HOST", "10.0.0.1"}},
                                   .flags = {}});
  EXPECT_EQ(config.data, "here");
  EXPECT_EQ(config.redis.url, "embedded");
  EXPECT_EQ(
      load_config({.file = {}, .environment = {{"LARDER_DATA_FILE", write("d", "there\n")}}, .flags = {}})
          .data,
      "there");
}

TEST_F(ConfigTest, a_file_that_no_settings_can_be_in_is_refused_by_name) {
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  std::string nested = "a = ";
  for (int i = 0; i < 100'000; ++i) nested += '[';
  struct Case {
    std::string file;
    std::string says;
  };
  for (auto const& [file, says] :
       {Case{dir.path().string(), "Is a directory"}, Case{"/dev/zero", "more than 1048576 bytes"},
        Case{write("key.toml", deep + " = 1\n"), "dots"},
        Case{write("header.toml", "[" + deep + "]\n"), "dots"}, Case{write("nested.toml", nested), "line 1"},
        Case{write("name.toml", "\"two\\nlines\" = 1\n"), "two?lines"}}) {
    auto const what = complaint({.file = file, .environment = {}, .flags = {}});
    EXPECT_NE(what.find(file), std::string::npos) << what;
    EXPECT_NE(what.find(says), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    EXPECT_LT(what.size(), 400U) << what;
  }
  for (std::string const& file : {dir.path().string(), std::string("/dev/zero")}) {
    auto const what = complaint({.file = {}, .environment = {{"LARDER_SQL__URL_FILE", file}}, .flags = {}});
    EXPECT_NE(what.find("LARDER_SQL__URL_FILE"), std::string::npos) << what;
  }
}

TEST_F(ConfigTest, a_key_with_many_parts_is_only_unknown) {
  std::string deep = "a";
  for (int i = 0; i < 1900; ++i) deep += ".a";
  auto const what = complaint({.file = write("key.toml", deep + " = 1\n"), .environment = {}, .flags = {}});
  EXPECT_NE(what.find("unknown setting a.a.a."), std::string::npos) << what;
  EXPECT_LT(what.size(), 400U) << what;
}

TEST_F(ConfigTest, a_text_has_no_line_breaks) {
  for (std::string const name : {"server.cors_origin", "server.listen", "data"}) {
    auto const what = complaint(
        {.file = {}, .environment = {}, .flags = {{name, "https://a.example\r\nSet-Cookie: stolen=1"}}});
    EXPECT_NE(what.find(name), std::string::npos) << what;
    EXPECT_NE(what.find("line breaks"), std::string::npos) << what;
    EXPECT_EQ(what.find("stolen"), std::string::npos) << what;
  }
}

TEST_F(ConfigTest, origins_are_a_list_or_a_star) {
  struct Case {
    std::string value;
    std::vector<std::string> origins;
  };
  Case const good[] = {
      {"", {}},
      {"*", {"*"}},
      {"https://game.example", {"https://game.example"}},
      {"https://a.example:8443, http://localhost:5173,capacitor://localhost",
       {"https://a.example:8443", "http://localhost:5173", "capacitor://localhost"}},
      {"http://[::1]:80,http://127.0.0.1", {"http://[::1]:80", "http://127.0.0.1"}},
  };
  for (auto const& [value, origins] : good) {
    auto const config =
        load_config({.file = {}, .environment = {}, .flags = {{"server.cors_origin", value}}});
    EXPECT_EQ(config.cors_origins(), origins);
  }
  for (std::string const wrong :
       {"game.example", "https://game.example/", "https://a.example,", ",", "*,https://a.example", "null",
        "https://a.example https://b.example", "https://", "https://a:", "https://a:0", "https://a:99999",
        "https://u@a.example", "HTTPS://A.example", "https://*.example", "https://[]", "://a", " "}) {
    auto const what = complaint({.file = {}, .environment = {}, .flags = {{"server.cors_origin", wrong}}});
    EXPECT_NE(what.find("server.cors_origin"), std::string::npos) << wrong;
    EXPECT_NE(what.find("separated by commas"), std::string::npos) << wrong;
  }
}

TEST_F(ConfigTest, a_dump_loads_again) {
  Config config;
  config.sql.url = "mysql://u@h/d";
  config.server.threads = 7;
  auto const text = dump_config(config);
  auto const again = load_config({.file = write("dump.toml", text), .environment = {}, .flags = {}});
  EXPECT_EQ(again.server.threads, 7);
  EXPECT_EQ(dump_config(again), text);
}

TEST_F(ConfigTest, a_dump_has_no_password_and_is_not_taken_for_one_that_has) {
  for (std::string const url : {"mysql://u:secret@h/d", "postgresql:///d?user=u&password=secret",
                                "unix:/run/redis.sock?password=secret"}) {
    Config config;
    config.sql.url = url;
    auto const text = dump_config(config);
    EXPECT_EQ(text.find("secret"), std::string::npos);
    EXPECT_THROW(load_config({.file = write("dump.toml", text), .environment = {}, .flags = {}}), SetupError)
        << url;
  }
}

TEST(RedactUrl, hides_the_password_and_nothing_else) {
  struct Case {
    std::string_view url;
    std::string_view shown;
  };
  for (auto const& [url, shown] :
       {Case{"embedded", "embedded"}, Case{"sqlite:/a/b.db", "sqlite:/a/b.db"},
        Case{"redis://h:6379/0", "redis://h:6379/0"}, Case{"redis://u:pw@h:6379", "redis://u:***@h:6379"},
        Case{"redis://:pw@h", "redis://:***@h"}, Case{"redis://u@h", "redis://u@h"},
        Case{"mysql://u:p@s/s@h/d", "mysql://u:***@h/d"},
        Case{"unix:/run/redis.sock?password=hidden&db=1", "unix:/run/redis.sock?password=***&db=1"},
        Case{"postgresql:///db?user=x&password=hidden&sslpassword=hidden",
             "postgresql:///db?user=x&password=***&sslpassword=***"}}) {
    EXPECT_EQ(redact_url(url), shown);
  }
}

class DataDirTest : public testing::Test {
 protected:
  static std::filesystem::perms mode(std::filesystem::path const& path) {
    return std::filesystem::status(path).permissions();
  }
  std::filesystem::path make(std::string_view name, unsigned mode) {
    std::filesystem::path const path = dir.file(name);
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms(mode));
    return path;
  }
  test::TempDir dir;
};

TEST_F(DataDirTest, a_directory_that_others_can_read_is_closed_to_them) {
  auto const empty = make("empty", 0755);
  make_data_dir(empty);
  EXPECT_EQ(mode(empty), std::filesystem::perms(0700));

  auto const used = make("used", 0750);
  for (auto const* name : {"larder.db", "larder.db-wal", "notes.txt"}) {
    std::ofstream(used / name) << "x";
    std::filesystem::permissions(used / name, std::filesystem::perms(0644));
  }
  make_data_dir(used);
  EXPECT_EQ(mode(used), std::filesystem::perms(0700));
  EXPECT_EQ(mode(used / "larder.db"), std::filesystem::perms(0600));
  EXPECT_EQ(mode(used / "larder.db-wal"), std::filesystem::perms(0600));
  EXPECT_EQ(mode(used / "notes.txt"), std::filesystem::perms(0644)) << "it is not Larder's";
}

TEST_F(DataDirTest, a_directory_of_others_is_refused_and_stays_as_it_is) {
  auto const home = make("home", 0755);
  std::ofstream(home / "letter.txt") << "x";
  auto const shared = make("shared", 01777);
  for (auto const& path : {home, shared}) {
    auto const before = mode(path);
    try {
      make_data_dir(path);
      ADD_FAILURE() << path;
    } catch (SetupError const& error) {
      EXPECT_NE(std::string_view(error.what()).find("chmod 700 " + path.string()), std::string_view::npos)
          << error.what();
    }
    EXPECT_EQ(mode(path), before);
  }
}

TEST_F(ConfigTest, a_file_that_is_no_toml_is_refused_in_one_line) {
  for (std::string_view const text : {"[server]\nmetrics_public = tr\nthreads = 2\n", "data = \"a\nb\"\n",
                                      "data = 'a\r\n'\n", "data = \x01\n", "[a\n]\n"}) {
    auto const why = complaint({.file = write("broken.toml", text), .environment = {}, .flags = {}});
    EXPECT_NE(why.find("broken.toml, line "), std::string::npos) << why;
    EXPECT_EQ(why.find_first_of("\r\n\x01"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace larder
