#include "kit/accounts/origin.hpp"

namespace larder::accounts {

namespace {

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

}  // namespace

Origin compare_origin(std::string_view origin, std::string_view host) {
  if (origin.empty()) return Origin::missing;
  struct Scheme {
    std::string_view start;
    std::string_view default_port;
  };
  for (auto const& [start, port] : {Scheme{"http://", ":80"}, Scheme{"https://", ":443"}}) {
    if (!origin.starts_with(start)) continue;
    // Compares bytes, because browsers write both fields in lower case.
    auto const theirs = without_suffix(origin.substr(start.size()), port);
    return !theirs.empty() && theirs == without_suffix(host, port) ? Origin::own : Origin::foreign;
  }
  return Origin::foreign;  // "null", or another scheme such as file://
}

}  // namespace larder::accounts
