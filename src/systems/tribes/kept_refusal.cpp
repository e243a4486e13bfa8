#include "systems/tribes/kept_refusal.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

constexpr std::string_view mark = "refused ";

// Every refusal that can be kept.
constexpr ErrorCode refusals[] = {
    errors::lot_taken,       errors::lot_empty,  errors::lot_busy,           errors::max_level,
    errors::queue_full,      errors::no_school,  errors::not_enough_coins,   errors::too_few_uneducated,
    errors::not_tappable,    errors::world_over, errors::tapped_too_soon,    errors::not_cancellable,
    errors::no_such_element, errors::own_town,   errors::not_enough_thieves, errors::target_busy,
    errors::no_town_there,   errors::not_joined, errors::already_joined,     errors::world_full};

}  // namespace

std::optional<std::string> to_kept(Error const& refusal) {
  if (std::ranges::find(refusals, refusal.code) == std::end(refusals)) return std::nullopt;
  return std::string(mark) + json::serialize(json::object{{"code", refusal.code.name},
                                                          {"detail", refusal.detail},
                                                          {"field", refusal.field},
                                                          {"more", refusal.more}});
}

Result<Answered> from_kept(std::string_view text) {
  if (!text.starts_with(mark)) return Answered{.json = std::string(text), .replayed = true};
  auto const kept = json::parse(text.substr(mark.size())).as_object();
  auto const* const code = std::ranges::find(refusals, kept.at("code").as_string(), &ErrorCode::name);
  if (code == std::end(refusals))
    throw std::runtime_error(fmt::format("an unknown refusal was kept: {}", text));
  return std::unexpected(Error{.code = *code,
                               .detail = std::string(kept.at("detail").as_string()),
                               .field = std::string(kept.at("field").as_string()),
                               .more = kept.at("more").as_object(),
                               .replayed = true});
}

}  // namespace larder::tribes
