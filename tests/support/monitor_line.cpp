#include "support/monitor_line.hpp"

#include <charconv>

namespace larder::test {

MonitorLine::MonitorLine(std::string_view text) {
  auto const end = text.find("] \"");
  if (end == text.npos) return;
  from_script_ = text.substr(0, end).ends_with(" lua");
  words_ = text.substr(end + 2);
}

std::optional<std::string> MonitorLine::next_word() {
  if (words_.empty()) return std::nullopt;
  words_.remove_prefix(1);  // the quote
  std::string word;
  for (;;) {
    auto const plain = std::min(words_.find_first_of("\\\""), words_.size());
    word += words_.substr(0, plain);
    words_.remove_prefix(plain);
    if (!words_.starts_with('\\')) break;
    words_.remove_prefix(1);
    word += next_char();
  }
  words_.remove_prefix(std::min<std::size_t>(2, words_.size()));  // the quote and the space
  return word;
}

char MonitorLine::next_char() {
  if (words_.empty()) return '\\';
  char const kind = words_.front();
  words_.remove_prefix(1);
  switch (kind) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'x': {
      unsigned char byte = 0;
      auto const digits = words_.substr(0, 2);
      std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      words_.remove_prefix(digits.size());
      return char(byte);
    }
    default: return kind;
  }
}

}  // namespace larder::test
