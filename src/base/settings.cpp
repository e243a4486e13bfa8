#include "base/settings.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/number.hpp"
#include "base/read_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <unistd.h>

namespace larder {

namespace {

constexpr std::size_t file_bytes_max = 1024 * 1024;
constexpr std::size_t secret_bytes_max = 64 * 1024;
constexpr std::size_t dots_max = 2000;
constexpr std::size_t shown_chars_max = 100;

bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

// Makes a text from a file fit into a message of one line.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, is_control, '?');
  return line;
}

// The same for a name. A long name is cut.
std::string shown(std::string_view name) {
  auto text = one_line(name.substr(0, shown_chars_max));
  return text.size() < name.size() ? text + "..." : text;
}

std::string toml_string(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

void apply(Settings const& settings, std::string_view name, std::string const& value,
           std::string_view source) {
  auto const found = std::ranges::find(settings, name, &Setting::name);
  if (found == settings.end()) {
    throw SetupError(
        fmt::format("unknown setting {} in {}; `larder config dump` lists all", shown(name), source));
  }
  if (value.find(":***@") != std::string::npos || value.find("password=***") != std::string::npos) {
    throw SetupError(
        fmt::format("setting {} in {} has a hidden password (***); put the real one there, or use "
                    "a LARDER_..._FILE variable",
                    name, source));
  }
  if (auto const wrong = found->set(value); !wrong.empty()) {
    throw SetupError(fmt::format("setting {} in {} {}", name, source, wrong));
  }
}

std::string scalar(toml::node const& node, std::string_view name, std::string_view source) {
  if (auto const* value = node.as_string()) return value->get();
  if (auto const* value = node.as_integer()) return fmt::format("{}", value->get());
  if (auto const* value = node.as_boolean()) return value->get() ? "true" : "false";
  throw SetupError(
      fmt::format("setting {} in {} must be a string, a whole number or true/false", shown(name), source));
}

void apply_table(Settings const& settings, toml::table const& table, std::string const& prefix,
                 std::string const& source) {
  for (auto const& [key, node] : table) {
    auto const name = prefix + std::string(key.str());
    if (auto const* section = node.as_table()) {
      apply_table(settings, *section, name + ".", source);
    } else {
      apply(settings, name, scalar(node, name, source), source);
    }
  }
}

void apply_file(Settings const& settings, std::string const& file) {
  auto const text = read_file(file, "configuration file", file_bytes_max);
  // Each part of a key nests one table deeper, and toml++ destroys nested tables by recursion.
  if (std::size_t(std::ranges::count(text, '.')) > dots_max) {
    throw SetupError(
        fmt::format("the configuration file {} has more than {} dots; the name of a setting has "
                    "three parts at most",
                    file, dots_max));
  }
  try {
    apply_table(settings, toml::parse(text, file), "", file);
  } catch (toml::parse_error const& error) {
    throw SetupError(
        fmt::format("{}, line {}: {}", file, error.source().begin.line, one_line(error.description())));
  }
}

std::string read_secret(std::string const& variable, std::string const& path) {
  auto value = read_file(path, fmt::format("file that {} names,", variable), secret_bytes_max);
  while (value.ends_with('\n') || value.ends_with('\r')) value.pop_back();
  return value;
}

// LARDER_REDIS__URL -> redis.url, LARDER_CACHE__REDIS__URL -> cache.redis.url
std::string setting_name(std::string_view variable) {
  std::string name;
  for (char c : variable.substr(std::string_view("LARDER_").size())) {
    name.push_back(c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c);
  }
  for (auto at = name.find("__"); at != std::string::npos; at = name.find("__", at)) name.replace(at, 2, ".");
  return name;
}

// The environment may also have other LARDER_ variables: for a service named `larder`, Kubernetes adds
// LARDER_SERVICE_HOST and LARDER_PORT.
bool names_setting(std::string_view variable) {
  return variable.find("__") != std::string_view::npos || variable == "LARDER_DATA" ||
         variable == "LARDER_DATA_FILE";
}

// LARDER_REDIS_URL is not a setting, but somebody may have meant LARDER_REDIS__URL.
void warn_of_slip(Settings const& settings, std::string_view variable) {
  auto const like_variable = [](std::string_view name) {
    std::string plain(name);
    std::ranges::replace(plain, '.', '_');
    return plain;
  };
  auto const found = std::ranges::find(settings, setting_name(variable),
                                       [&](auto const& s) { return like_variable(s.name); });
  if (found == settings.end()) return;
  log::warn("an environment variable is ignored, because it lacks the __ of a setting",
            {{"variable", variable}, {"setting", found->name}});
}

}  // namespace

Setting text_setting(std::string name, std::string& target, std::vector<std::string_view> choices) {
  return {.name = std::move(name),
          .set = [&target, choices = std::move(choices)](std::string const& value) -> std::string {
            if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
              return fmt::format("must be one of {}", fmt::join(choices, ", "));
            }
            // Some values become part of a header field or of a log line.
            if (std::ranges::any_of(value, is_control))
              return "must not have line breaks or other control characters";
            target = value;
            return {};
          },
          .toml = [&target] { return toml_string(redact_url(target)); }};
}

Setting number_setting(std::string name, std::int64_t& target, std::int64_t min, std::int64_t max) {
  return {.name = std::move(name),
          .set = [&target, min, max](std::string const& value) -> std::string {
            auto const parsed = parse_int(value);
            if (!parsed || *parsed < min || *parsed > max) {
              return fmt::format("must be a whole number from {} to {}", min, max);
            }
            target = *parsed;
            return {};
          },
          .toml = [&target] { return fmt::format("{}", target); }};
}

Setting flag_setting(std::string name, bool& target) {
  return {.name = std::move(name),
          .set = [&target](std::string const& value) -> std::string {
            if (value != "true" && value != "false") return "must be true or false";
            target = value == "true";
            return {};
          },
          .toml = [&target] { return fmt::format("{}", target); }};
}

void load_settings(Settings const& settings, SettingSources const& sources) {
  if (!sources.file.empty()) apply_file(settings, sources.file);
  for (auto const& [variable, value] : sources.environment) {
    if (!names_setting(variable)) {
      warn_of_slip(settings, variable);
    } else if (variable.ends_with("_FILE")) {
      auto const name = setting_name(variable.substr(0, variable.size() - 5));
      apply(settings, name, read_secret(variable, value), variable);
    } else {
      apply(settings, setting_name(variable), value, variable);
    }
  }
  for (auto const& [name, value] : sources.flags) apply(settings, name, value, "the command line");
}

std::map<std::string, std::string> larder_environment() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view const line = *entry;
    auto const equals = line.find('=');
    if (line.starts_with("LARDER_") && equals != std::string_view::npos) {
      found.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return found;
}

SettingValue shown_value(Setting const& setting) {
  auto const table = toml::parse(fmt::format("value = {}\n", setting.toml()));
  auto const node = table["value"];
  if (auto const number = node.value_exact<std::int64_t>()) return *number;
  if (auto const flag = node.value_exact<bool>()) return *flag;
  return node.value_or(std::string());
}

std::string dump_settings(Settings const& settings) {
  std::string out;
  std::string_view section;
  for (auto const& setting : settings) {
    std::string_view const name = setting.name;
    auto const dot = name.find('.');
    auto const in = dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
    if (in != section) {
      out += fmt::format("\n[{}]\n", in);
      section = in;
    }
    auto const key = in.empty() ? name : name.substr(dot + 1);
    out += fmt::format("{} = {}\n", key, setting.toml());
  }
  return out;
}

std::string redact_url(std::string_view text) {
  std::string url(text);
  // libpq also takes passwords as options: ?password= and ?sslpassword=. Some people also write these options
  // in other places.
  constexpr std::string_view option = "password=";
  for (auto at = url.find(option); at != std::string::npos; at = url.find(option, at + 1)) {
    auto const value = at + option.size();
    url.replace(value, std::min(url.find('&', value), url.size()) - value, "***");
  }
  auto const scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  auto const start = scheme + 3;
  // A password may contain any character, even '/' and '@' if its owner forgot to escape them. So the
  // password ends at the last '@'.
  auto const at = url.rfind('@');
  if (at == std::string::npos || at < start) return url;
  auto const colon = url.find(':', start);
  if (colon == std::string::npos || colon > at) return url;
  return fmt::format("{}:***{}", url.substr(0, colon), url.substr(at));
}

}  // namespace larder
