// Decodes the text of a request target.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace larder::http {

bool is_valid_utf8(std::string_view text);

enum class Plus { literal, space };

// Decodes %XX. Returns nullopt if one is malformed, or if the result contains a NUL or is not valid UTF-8.
std::optional<std::string> percent_decode(std::string_view text, Plus plus = Plus::literal);

// The text as one segment of a path: everything but letters, digits and -_.~ is encoded.
std::string percent_encode(std::string_view text);

}  // namespace larder::http
