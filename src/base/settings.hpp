// Settings: what each is called, what it may be, and where its value goes.
//
// Defaults < TOML file < LARDER_SECTION__KEY environment (LARDER_SECTION__KEY_FILE reads the value from a
// file) < flags. A name that no setting has is refused.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder {

struct Setting {
  std::string name;                                    // "ledger.key_format"
  std::function<std::string(std::string const&)> set;  // returns what is wrong with the value, or nothing
  std::function<std::string()> toml;                   // the value as TOML, passwords hidden
};
using Settings = std::vector<Setting>;

// Each writes to `target`, which must outlive the setting and holds the default before.
Setting text_setting(std::string name, std::string& target, std::vector<std::string_view> choices = {});
Setting number_setting(std::string name, std::int64_t& target, std::int64_t min, std::int64_t max);
Setting flag_setting(std::string name, bool& target);

// Where values come from.
struct SettingSources {
  std::string file;                                        // empty: none
  std::map<std::string, std::string> environment;          // LARDER_... only
  std::vector<std::pair<std::string, std::string>> flags;  // "redis.url" -> "unix:/..."
};

// Throws SetupError that names the setting and the source of the wrong value.
void load_settings(Settings const& settings, SettingSources const& sources);

// The LARDER_ variables of this process.
std::map<std::string, std::string> larder_environment();

// As TOML. Secrets, and passwords inside of URLs, are shown as "***".
std::string dump_settings(Settings const& settings);

// `redis://user:secret@host` -> `redis://user:***@host`, `...?password=secret` -> `...?password=***`
std::string redact_url(std::string_view text);

}  // namespace larder
