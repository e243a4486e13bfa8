// Reads a file that the user has named.
#pragma once

#include <string>
#include <string_view>

namespace larder::cli {

// A catalogue, for example: 4 MiB at most. Throws SetupError: "cannot read the <what> <file>: <why>".
std::string read_file(std::string const& file, std::string_view what);

}  // namespace larder::cli
