#include "edges/http/web_socket_frames.hpp"

#include "edges/http/uri.hpp"

#include <algorithm>

namespace larder::http {

namespace {

constexpr std::size_t control_bytes_max = 125;
constexpr unsigned length_16_bit = 126;
constexpr unsigned length_64_bit = 127;

// RFC 6455, 7.4: the codes that an endpoint may send.
bool may_be_sent(unsigned code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

void append_number(std::string& out, std::uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out.push_back(char(number >> (8 * i)));
}

}  // namespace

void append_frame(std::string& out, Opcode opcode, std::string_view payload) {
  out.push_back(char(0x80U | unsigned(opcode)));
  if (payload.size() < length_16_bit) {
    out.push_back(char(payload.size()));
  } else if (payload.size() <= 0xFFFF) {
    out.push_back(char(length_16_bit));
    append_number(out, payload.size(), 2);
  } else {
    out.push_back(char(length_64_bit));
    append_number(out, payload.size(), 8);
  }
  out += payload;
}

void append_close_frame(std::string& out, CloseCode code, std::string_view reason) {
  std::string payload;
  append_number(payload, unsigned(code), 2);
  reason = reason.substr(0, control_bytes_max - payload.size());
  while (!is_valid_utf8(reason)) reason.remove_suffix(1);
  payload += reason;
  append_frame(out, Opcode::close, payload);
}

std::size_t frame_bytes(std::size_t payload_bytes) {
  return payload_bytes + (payload_bytes < length_16_bit ? 2 : payload_bytes <= 0xFFFF ? 4 : 10);
}

bool FrameReader::fail(CloseCode code, std::string_view reason) {
  failed_ = true;
  code_ = code;
  reason_ = reason;
  return false;
}

// Checks the first two bytes.
bool FrameReader::check_start() {
  final_ = (header_[0] & 0x80U) != 0;
  opcode_ = Opcode(header_[0] & 0x0FU);
  unsigned const length = header_[1] & 0x7FU;
  if ((header_[0] & 0x70U) != 0) return fail(CloseCode::protocol_error, "a reserved bit is set");
  if ((header_[1] & 0x80U) == 0) return fail(CloseCode::protocol_error, "the frame is not masked");
  switch (opcode_) {
    case Opcode::continuation:
      if (!in_message_) return fail(CloseCode::protocol_error, "there is no message to continue");
      return true;
    case Opcode::text:
    case Opcode::binary:
      if (in_message_) return fail(CloseCode::protocol_error, "the message before has no end");
      if (opcode_ == Opcode::binary)
        return fail(CloseCode::unsupported_data, "send text, not binary messages");
      message_.clear();
      return true;
    case Opcode::close:
    case Opcode::ping:
    case Opcode::pong:
      if (!final_) return fail(CloseCode::protocol_error, "a control frame is in fragments");
      if (length > control_bytes_max) return fail(CloseCode::protocol_error, "a control frame is too long");
      control_.clear();
      return true;
  }
  return fail(CloseCode::protocol_error, "the opcode is unknown");
}

// Checks the complete header.
bool FrameReader::check_length() {
  unsigned const length = header_[1] & 0x7FU;
  std::size_t const bytes = length == length_64_bit ? 8 : length == length_16_bit ? 2 : 0;
  payload_bytes_ = bytes == 0 ? length : 0;
  for (std::size_t i = 0; i < bytes; ++i) payload_bytes_ = payload_bytes_ << 8U | header_[2 + i];
  bool const too_wide =
      (bytes == 2 && payload_bytes_ < length_16_bit) || (bytes == 8 && payload_bytes_ <= 0xFFFF);
  if (too_wide || payload_bytes_ >> 63U != 0) {
    return fail(CloseCode::protocol_error, "the length is not written as it must be");
  }
  if (!is_control() && payload_bytes_ > message_bytes_max_ - message_.size()) {
    return fail(CloseCode::too_large, "the message is too large");
  }
  std::copy_n(header_.begin() + 2 + std::ptrdiff_t(bytes), mask_.size(), mask_.begin());
  return true;
}

// True if the header is complete and valid.
bool FrameReader::take_header(std::string_view& input) {
  for (;;) {
    unsigned const length = header_size_ < 2 ? 0 : header_[1] & 0x7FU;
    std::size_t const bytes = length == length_64_bit ? 8 : length == length_16_bit ? 2 : 0;
    if (header_size_ == 2 && !check_start()) return false;
    if (header_size_ == 2 + bytes + mask_.size()) return check_length();
    if (input.empty()) return false;
    header_[header_size_++] = static_cast<unsigned char>(input.front());
    input.remove_prefix(1);
  }
}

void FrameReader::take_payload(std::string_view& input) {
  auto& to = is_control() ? control_ : message_;
  auto const count = std::size_t(std::min<std::uint64_t>(payload_bytes_ - taken_, input.size()));
  auto const start = to.size();
  to.append(input, 0, count);
  for (std::size_t i = 0; i < count; ++i) to[start + i] = char(to[start + i] ^ mask_[(taken_ + i) % 4]);
  taken_ += count;
  input.remove_prefix(count);
}

FrameReader::Event FrameReader::end_close() {
  code_ = CloseCode::none;
  if (control_.empty()) return Event::close;
  if (control_.size() == 1) {
    fail(CloseCode::protocol_error, "half a close code");
    return Event::failed;
  }
  unsigned const code =
      static_cast<unsigned char>(control_[0]) * 256U + static_cast<unsigned char>(control_[1]);
  if (!may_be_sent(code)) {
    fail(CloseCode::protocol_error, "the close code must not be sent");
    return Event::failed;
  }
  if (!is_valid_utf8(std::string_view(control_).substr(2))) {
    fail(CloseCode::not_utf8, "the close reason is not UTF-8");
    return Event::failed;
  }
  code_ = CloseCode(code);
  return Event::close;
}

// Returns need_more if the frame does not complete a message.
FrameReader::Event FrameReader::end_frame() {
  switch (opcode_) {
    case Opcode::ping: return Event::ping;
    case Opcode::pong: return Event::pong;
    case Opcode::close: return end_close();
    default: break;
  }
  in_message_ = !final_;
  if (in_message_) return Event::need_more;
  if (is_valid_utf8(message_)) return Event::message;
  fail(CloseCode::not_utf8, "the message is not UTF-8");
  return Event::failed;
}

FrameReader::Event FrameReader::next(std::string_view& input) {
  while (!failed_) {
    if (!in_payload_) {
      if (!take_header(input)) break;
      in_payload_ = true;
      taken_ = 0;
    }
    take_payload(input);
    if (taken_ < payload_bytes_) return Event::need_more;
    in_payload_ = false;
    header_size_ = 0;
    if (auto const event = end_frame(); event != Event::need_more) return event;
  }
  return failed_ ? Event::failed : Event::need_more;
}

}  // namespace larder::http
