#include "app/backup_commands.hpp"

#include "app/backup.hpp"
#include "app/restore.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace larder {

namespace {

std::vector<cli::Option> restore_options() {
  return {{.name = "directory", .help = "the backup", .required = true},
          {.name = "--move-aside",
           .help = "if the data directory has data, move it to <data>.before-restore-<time>",
           .flag = true},
          {.name = "--accept-differences",
           .help = "put the copy in place even if verify finds differences in it",
           .flag = true}};
}

}  // namespace

std::vector<cli::Command> backup_commands(Settings const& settings, Systems& systems, cli::Command verify) {
  return {
      {.name = "backup",
       .summary = "Copies everything that a server has in its data directory: its Redis, that of the\n"
                  "cache, and SQLite, as they were at one moment. The server may run meanwhile. The\n"
                  "directory must be new or empty, and is there only once it is complete. Keep it as\n"
                  "secret as the data directory. The admin key is not in it",
       .example = "larder backup /var/backups/larder-monday --data /var/lib/larder",
       .options = {{.name = "directory", .help = "where the backup will be", .required = true}},
       .run = [&settings](cli::Context& context) { return make_backup(context, settings); }},
      {.name = "restore",
       .summary = "Makes a data directory from a backup. Checks the checksums, starts Redis on the copy,\n"
                  "and runs `larder verify` on it, before the data directory gets its name. So if\n"
                  "anything is wrong, nothing is changed",
       .example = "larder restore /var/backups/larder-monday --data /var/lib/larder",
       .options = restore_options(),
       .run = [&settings, &systems, verify = std::move(verify)](cli::Context& context) {
         return restore_backup(context, settings, systems, verify);
       }}};
}

}  // namespace larder
