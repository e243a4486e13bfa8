// Settings: the name of each, the values that it allows, and the variable that gets its value.
//
// A value can come from several sources, and the later source wins: default, TOML file, environment, flag.
// The environment variable is LARDER_SECTION__KEY, or LARDER_SECTION__KEY_FILE, which names a file that holds
// the value. Unknown names are refused. Of the variables without `__`, only LARDER_DATA is a setting.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace larder {

struct Setting {
  std::string name;                                    // "ledger.key_format"
  std::function<std::string(std::string const&)> set;  // returns what is wrong, or an empty string
  std::function<std::string()> toml;                   // the value as TOML, passwords hidden
};
using Settings = std::vector<Setting>;

// Each setting writes to `target`, which must outlive the setting. Before that, `target` holds the default.
Setting text_setting(std::string name, std::string& target, std::vector<std::string_view> choices = {});
Setting number_setting(std::string name, std::int64_t& target, std::int64_t min, std::int64_t max);
Setting flag_setting(std::string name, bool& target);

// The sources of values.
struct SettingSources {
  std::string file;                                        // empty: none
  std::map<std::string, std::string> environment;          // LARDER_... only
  std::vector<std::pair<std::string, std::string>> flags;  // "redis.url" -> "unix:/..."
};

// Sets all settings from the sources. Throws SetupError with the name and the source of a wrong value.
void load_settings(Settings const& settings, SettingSources const& sources);

// The LARDER_ variables of this process.
std::map<std::string, std::string> larder_environment();

// The value of a setting. Passwords are hidden as in dump_settings().
using SettingValue = std::variant<std::string, std::int64_t, bool>;
SettingValue shown_value(Setting const& setting);

// All settings as TOML. Passwords inside URLs are shown as "***".
std::string dump_settings(Settings const& settings);

// `redis://user:secret@host` -> `redis://user:***@host`, `...?password=secret` -> `...?password=***`
std::string redact_url(std::string_view text);

}  // namespace larder
