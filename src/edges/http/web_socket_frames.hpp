// The frames of RFC 6455, without a socket. Extensions are not supported.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace larder::http {

// Why a WebSocket closes. Clients may send other codes: see FrameReader::close_code().
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,        // the server stops
  protocol_error = 1002,    // the client breaks RFC 6455
  unsupported_data = 1003,  // the client sent a binary message
  none = 1005,              // the client gave no code; never sent
  not_utf8 = 1007,
  too_large = 1009,
  failed = 1011,        // the server failed
  try_again = 1013,     // the server has too much to do
  session_over = 4401,  // the token is no longer valid; like 401
  gone = 4404,          // what the socket was about does not exist any more; like 404
};

enum class Opcode : std::uint8_t {
  continuation = 0x0,
  text = 0x1,
  binary = 0x2,
  close = 0x8,
  ping = 0x9,
  pong = 0xA,
};

// Appends one complete frame, unmasked, as a server must send it.
void append_frame(std::string& out, Opcode opcode, std::string_view payload);
// Appends a close frame. The reason is cut off if it is too long.
void append_close_frame(std::string& out, CloseCode code, std::string_view reason);
// The number of bytes that append_frame() adds.
std::size_t frame_bytes(std::size_t payload_bytes);

// Turns bytes from a client into messages and control frames. Strict: whatever the RFC forbids fails, and
// after a failure the reader stays failed. Allocates memory for a message only as its bytes arrive.
class FrameReader {
 public:
  explicit FrameReader(std::size_t message_bytes_max) : message_bytes_max_(message_bytes_max) {}

  enum class Event { need_more, message, ping, pong, close, failed };

  // Consumes bytes from the front of `input`, up to the end of the message or frame that it returns. With
  // need_more, it consumes all bytes.
  Event next(std::string_view& input);

  // After `message`: a complete text, valid UTF-8.
  std::string take_message() { return std::move(message_); }
  // After `ping` or `pong`. Valid until the next call.
  std::string_view payload() const { return control_; }
  // After `close`: the code that the client sent, or CloseCode::none.
  CloseCode close_code() const { return code_; }
  // After `failed`: the code to close with, and the reason.
  CloseCode failure() const { return code_; }
  std::string_view failure_reason() const { return reason_; }

 private:
  bool take_header(std::string_view& input);
  bool check_start();
  bool check_length();
  void take_payload(std::string_view& input);
  Event end_frame();
  Event end_close();
  bool fail(CloseCode code, std::string_view reason);
  bool is_control() const { return (unsigned(opcode_) & 0x8U) != 0; }

  std::size_t message_bytes_max_;
  std::array<unsigned char, 14> header_ = {};
  std::uint8_t header_size_ = 0;
  bool in_payload_ = false;
  bool final_ = false;
  bool in_message_ = false;  // between the first and the last fragment
  bool failed_ = false;
  Opcode opcode_ = Opcode::continuation;
  std::array<unsigned char, 4> mask_ = {};
  std::uint64_t payload_bytes_ = 0;
  std::uint64_t taken_ = 0;  // bytes of the payload so far
  std::string message_;
  std::string control_;
  CloseCode code_ = CloseCode::none;
  std::string_view reason_;
};

}  // namespace larder::http
