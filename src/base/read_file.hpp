// Reads a file that an operator has named.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace larder {

// Throws SetupError: "cannot read the <what> <file>: <why>". Refuses a file of more than `bytes_max` bytes,
// including one that never ends, such as /dev/zero.
std::string read_file(std::string const& file, std::string_view what, std::size_t bytes_max);

}  // namespace larder
