#include "key_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::keys {

Placeholder::Placeholder(std::string name, std::string_view characters, std::size_t chars_max)
    : name(std::move(name)), chars_max(chars_max) {
  for (std::size_t i = 0; i < characters.size(); ++i) {
    bool const range = i + 2 < characters.size() && characters[i + 1] == '-';
    auto const first = static_cast<unsigned char>(characters[i]);
    auto const last = static_cast<unsigned char>(characters[range ? i + 2 : i]);
    for (std::size_t c = first; c <= last; ++c) alphabet.set(c);
    if (range) i += 2;
  }
}

std::string Placeholder::regex() const {
  std::string ranges;
  auto const append = [&](std::size_t c) {
    bool const plain = c > ' ' && c < 0x7f;
    if (plain && std::string_view(R"(\]^-[)").contains(char(c))) ranges += '\\';
    ranges += plain ? std::string(1, char(c)) : fmt::format(R"(\x{:02x})", c);
  };
  for (std::size_t c = 0; c < alphabet.size(); ++c) {
    if (!alphabet.test(c)) continue;
    auto last = c;
    while (last + 1 < alphabet.size() && alphabet.test(last + 1)) ++last;
    append(c);
    if (last > c + 1) ranges += '-';
    if (last > c) append(last);
    c = last;
  }
  return fmt::format("[{}]{{1,{}}}", ranges, chars_max);
}

std::string KeyPattern::text() const {
  std::string text;
  for (auto const& piece : pieces) {
    text += piece.placeholder ? "<" + piece.placeholder->name + ">" : piece.text;
  }
  return text;
}

void KeyPatterns::add(std::string_view sample_key, std::string type, std::string about) {
  KeyPattern pattern{.system = system_, .type = std::move(type), .about = std::move(about), .pieces = {}};
  while (!sample_key.empty()) {
    auto begin = sample_key.size();
    Sample const* found = nullptr;
    for (auto const& sample : samples_) {
      auto const at = sample_key.find(sample.value);
      if (at >= begin) continue;
      begin = at;
      found = &sample;
    }
    if (begin > 0) pattern.pieces.push_back({.text = std::string(sample_key.substr(0, begin))});
    sample_key.remove_prefix(begin);
    if (!found) continue;
    pattern.pieces.push_back({.text = {}, .placeholder = found->stands_for});
    sample_key.remove_prefix(found->value.size());
  }
  patterns_.push_back(std::move(pattern));
}

}  // namespace larder::keys
