#include "systems/webhooks/delivery.hpp"

#include "base/number.hpp"

#include <fmt/format.h>

namespace larder::webhooks {

namespace {

template <class Number>
Number take_number(std::string_view& text) {
  auto const space = std::min(text.find(' '), text.size());
  auto const number = parse_int<Number>(text.substr(0, space));
  if (!number) throw std::runtime_error("a delivery that Larder has not written");
  text.remove_prefix(std::min(space + 1, text.size()));
  return *number;
}

}  // namespace

std::string waiting_entry(Delivery const& delivery) {
  return fmt::format("{} {} {}", delivery.number, delivery.queued_at.value, delivery.line);
}

Delivery parse_waiting(std::string_view entry) {
  Delivery delivery;
  delivery.number = take_number<std::int64_t>(entry);
  delivery.queued_at = {take_number<std::int64_t>(entry)};
  delivery.line = entry;
  return delivery;
}

std::string delivered_entry(Delivery const& delivery) {
  return fmt::format("{} {} {} {} {} {}", delivery.number, delivery.queued_at.value,
                     delivery.finished_at.value_or(TimeMs{}).value, delivery.attempts, delivery.status,
                     delivery.line);
}

Delivery parse_delivered(std::string_view entry) {
  Delivery delivery{.state = Delivery::State::delivered};
  delivery.number = take_number<std::int64_t>(entry);
  delivery.queued_at = {take_number<std::int64_t>(entry)};
  delivery.finished_at = TimeMs{take_number<std::int64_t>(entry)};
  delivery.attempts = take_number<int>(entry);
  delivery.status = take_number<int>(entry);
  delivery.line = entry;
  return delivery;
}

std::string trouble_entry(Delivery const& delivery) {
  return fmt::format("{} {} {} {}", delivery.number, delivery.attempts, delivery.status, delivery.why);
}

void add_trouble(Delivery& delivery, std::string_view entry) {
  if (entry.empty() || take_number<std::int64_t>(entry) != delivery.number) return;
  delivery.attempts = take_number<int>(entry);
  delivery.status = take_number<int>(entry);
  delivery.why = entry;
}

}  // namespace larder::webhooks
