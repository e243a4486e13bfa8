// Replies of Redis: the reader finds the same replies whether the bytes come at once or in pieces, and every
// access to a reply gives a value or throws ReplyError.
#include "fuzz/fuzz.hpp"
#include "stores/redis/reply_reader.hpp"
#include "stores/redis/resp.hpp"

#include <fmt/format.h>

namespace larder::redis {

namespace {

template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (ReplyError const&) {  // the reply has another shape
  }
}

std::string written(ReplyView view) {
  if (view.is_nil()) return "nil";
  if (view.is_text() || view.is_error()) return fmt::format("{}:{}", view.kind(), view.text());
  if (!view.is_array()) return fmt::format("{}", view.integer());
  std::string text = "[";
  for (std::size_t i = 0; i < view.size(); ++i) text += written(view.at(i)) + ",";
  return text + "]";
}

// Reads the values in an order that the bytes decide.
void read_as_script(Reply const& reply, std::string_view choices) {
  attempt([&] {
    ReplyReader in(reply);
    for (char const choice : choices) {
      switch (static_cast<unsigned char>(choice) % 8) {
        case 0: in.integer(); break;
        case 1: in.flag(); break;
        case 2: in.text(); break;
        case 3: in.optional_text(); break;
        case 4: in.optional_integer(); break;
        case 5: in.optional_time(); break;
        case 6: {
          auto inner = in.array();
          while (!inner.at_end()) inner.text();
          inner.end();
          break;
        }
        default: in.is_nil();
      }
    }
    in.end();
  });
}

std::string replies_in(std::string_view text, std::size_t piece) {
  RespReader reader;
  std::string seen;
  try {
    while (!text.empty()) {
      auto const bytes = std::min(piece, text.size());
      reader.feed(text.substr(0, bytes));
      text.remove_prefix(bytes);
      while (auto const reply = reader.next()) {
        seen += written(reply->view()) + "\n";
        attempt([&] { seen += is_push(*reply) ? "push\n" : ""; });
        read_as_script(*reply, seen);
      }
    }
  } catch (ReplyError const&) {
    throw;
  } catch (std::runtime_error const&) {
    seen += "not the protocol\n";
  }
  return seen;
}

// hiredis reserves memory for as many elements as an array announces. Redis is trusted not to announce a
// billion.
bool announces_much(std::string_view text) {
  for (auto at = text.find('*'); at != std::string_view::npos; at = text.find('*', at + 1)) {
    auto const digits = text.substr(at + 1).find_first_not_of("+-0123456789");
    if (std::min(digits, text.size() - at - 1) > 4) return true;
  }
  return false;
}

}  // namespace

}  // namespace larder::redis

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto text = fuzz::text_of(data, size);
  std::size_t const piece = fuzz::take_byte(text) % 16 + 1;
  if (redis::announces_much(text)) return -1;
  fuzz::expect_same(redis::replies_in(text, text.size()), redis::replies_in(text, piece));
  return 0;
}
