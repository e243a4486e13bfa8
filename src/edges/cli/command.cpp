#include "edges/cli/command.hpp"

#include "base/data_dir.hpp"
#include "base/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace larder::cli {

std::string Context::value(std::string_view option) const {
  auto const found = values_.find(option);
  return found == values_.end() ? std::string() : found->second;
}

sql::Database& Context::sql(DataDirectory data) {
  if (sql_) return *sql_;
  if (config_.sql.url.empty()) {
    if (data == DataDirectory::must_exist && !std::filesystem::exists(config_.data)) {
      throw SetupError(
          fmt::format("there is no data directory {} here; start `larder serve` first, or use the same "
                      "--data, --sql or --config as the server",
                      config_.data));
    }
    make_data_dir(config_.data);
  }
  sql_.emplace(config_.sql_url(), 1, metrics_);
  migrate_(*sql_);
  return *sql_;
}

}  // namespace larder::cli
