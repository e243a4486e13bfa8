// The commands of `larder`, in the form in which the server and the systems describe them.
#pragma once

#include "base/config.hpp"
#include "base/metrics.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::cli {

struct Option {
  std::string_view name;  // "--realm", or "file" for an argument without a flag
  std::string help;
  bool required = false;
  bool flag = false;              // takes no value; its value is "true" if it was given
  std::string_view setting = {};  // the setting that this option sets: --listen sets server.listen
};

// The values of a command's options, by name. An option that was not given has no value here.
using Values = std::map<std::string, std::string, std::less<>>;

// The context of one run of a command.
class Context {
 public:
  using Migrate = std::function<void(sql::Database&)>;

  // `migrate` brings the schema up to date before the command sees the database.
  Context(Config const& config, Values values, Migrate migrate)
      : config_(config), values_(std::move(values)), migrate_(std::move(migrate)) {}

  // The same command with other settings, such as another data directory, and without options. Opens a
  // database of its own.
  Context with(Config const& config) const { return Context(config, {}, migrate_); }

  Config const& config() const { return config_; }
  // The value of an option; empty if it was not given.
  std::string value(std::string_view option) const;
  // The first call opens the database. Throws SetupError if the database belongs in a data
  // directory that does not exist.
  enum class DataDirectory { must_exist, may_be_new };
  sql::Database& sql(DataDirectory data = DataDirectory::must_exist);
  Metrics& metrics() { return metrics_; }

 private:
  Config const& config_;
  Values values_;
  Migrate migrate_;
  Metrics metrics_;
  std::optional<sql::Database> sql_;
};

struct Command {
  std::string_view name;  // "ledger verify"; "ledger" for a group, which only contains commands
  std::string_view summary;
  std::string_view example;
  std::vector<Option> options = {};
  bool takes_settings = true;  // --config, --data, --redis, --sql, --set
  // Returns the exit code. May throw SetupError or StoreError. A group has no function.
  std::function<int(Context&)> run = {};
};

}  // namespace larder::cli
