// Which scripts a KeyWatch has seen running. tests/scripts_watched checks afterwards that none is missing.
#pragma once

#include <string>

namespace larder::test {

// Writes the SHA-1 of a script to a file, once. The file is named after this program and lies in the folder
// LARDER_WATCHED_SCRIPTS, an environment variable. Without the variable nothing is written.
void note_watched(std::string const& sha);

}  // namespace larder::test
