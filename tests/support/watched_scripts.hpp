// Which scripts a KeyWatch has seen at work. tests/scripts_watched asks afterwards whether all were among
// them.
#pragma once

#include <string>

namespace larder::test {

// Writes the SHA-1 of a script to a file, once. The file is named after this program and lies in the folder
// LARDER_WATCHED_SCRIPTS, an environment variable. Without the variable nothing is written.
void note_watched(std::string const& sha);

}  // namespace larder::test
