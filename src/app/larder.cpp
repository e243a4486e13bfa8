#include "app/larder.hpp"

#include "app/all_systems_commands.hpp"
#include "app/backup_commands.hpp"
#include "app/server.hpp"
#include "app/server_commands.hpp"
#include "base/log.hpp"
#include "edges/cli/arguments.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace larder {

namespace {

void configure_log(Config const& config) {
  static constexpr std::string_view levels[] = {"debug", "info", "warn", "error"};
  auto const level = log::Level(std::ranges::find(levels, config.log.level) - std::begin(levels));
  log::configure(level, config.log.format == "json"   ? log::Format::json
                        : config.log.format == "text" ? log::Format::text
                                                      : log::Format::automatic);
}

// If the caller has closed a standard stream, the next file that is opened would get its number: a lock file
// would become standard output.
void keep_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDWR);  // gets the lowest number
  }
}

// The settings of a system, each in the section with the name of the system.
Settings settings_of(api::System& system) {
  auto settings = system.settings();
  for (auto const& setting : settings)
    LARDER_ASSERT(setting.name.starts_with(fmt::format("{}.", system.name())));
  return settings;
}

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace

int run_larder(int argc, char const* const* argv, Systems systems) {
  keep_standard_streams();
  ::umask(077);  // nobody else may read what Larder writes
  try {
    Config config;
    auto settings = server_settings(config);
    for (auto const& system : systems) append(settings, settings_of(*system));
    append(settings, log_settings(config));
    auto commands = server_commands(systems);
    std::vector<cli::Command> of_systems;
    for (auto const& system : systems) append(of_systems, system->commands());
    auto of_all = all_systems_commands(of_systems);
    append(commands,
           backup_commands(settings, systems, *std::ranges::find(of_all, "verify", &cli::Command::name)));
    append(commands, std::move(of_all));
    append(commands, std::move(of_systems));
    append(commands, config_commands(settings, systems));

    auto const parsed = cli::parse_arguments(argc, argv, fmt::format("larder {}", version), commands);
    if (auto const* exit_code = std::get_if<int>(&parsed)) return *exit_code;
    auto const& arguments = std::get<cli::Arguments>(parsed);
    if (arguments.command->takes_settings) {
      load_settings(settings, arguments.sources);
      configure_log(config);
    }
    cli::Context context(config, arguments.values,
                         [&](sql::Database& sql) { migrate_all(sql, config, systems); });
    return arguments.command->run(context);
  } catch (std::exception const& error) {
    log::flush();
    fmt::print(stderr, "larder: {}\n", error.what());
    return 1;
  }
}

}  // namespace larder
