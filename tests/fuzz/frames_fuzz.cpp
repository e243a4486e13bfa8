// The frames of WebSockets: the reader finds the same messages whether the bytes come at once or in pieces.
#include "base/json.hpp"
#include "edges/http/web_socket_frames.hpp"
#include "fuzz/fuzz.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

constexpr std::size_t message_bytes_max = 4096;

class Client {
 public:
  void feed(std::string_view input) {
    while (!ended_) {
      auto const event = reader_.next(input);
      if (event == FrameReader::Event::need_more) {
        LARDER_ASSERT(input.empty());
        return;
      }
      note(event);
    }
  }
  std::string const& seen() const { return seen_; }

 private:
  void note(FrameReader::Event event) {
    switch (event) {
      case FrameReader::Event::message: {
        auto const message = reader_.take_message();
        LARDER_ASSERT(message.size() <= message_bytes_max && is_utf8(message));
        seen_ += fmt::format("message [{}]\n", message);
        break;
      }
      case FrameReader::Event::close:
        ended_ = true;
        seen_ += fmt::format("close {}\n", int(reader_.close_code()));
        break;
      case FrameReader::Event::failed:
        ended_ = true;
        seen_ += fmt::format("failed {}\n", int(reader_.failure()));
        break;
      default:
        LARDER_ASSERT(reader_.payload().size() <= 125);
        seen_ += fmt::format("{} [{}]\n", int(event), reader_.payload());
    }
  }

  FrameReader reader_{message_bytes_max};
  std::string seen_;
  bool ended_ = false;
};

}  // namespace

}  // namespace larder::http

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto text = fuzz::text_of(data, size);
  std::size_t const piece = fuzz::take_byte(text) % 16 + 1;
  http::Client whole;
  whole.feed(text);
  http::Client pieces;
  for (auto rest = text; !rest.empty();) {
    auto const bytes = std::min(piece, rest.size());
    pieces.feed(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  fuzz::expect_same(whole.seen(), pieces.seen());
  return 0;
}
