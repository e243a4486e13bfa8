#include "edges/http/query.hpp"

#include "base/number.hpp"
#include "edges/http/uri.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace larder::http {

QueryReader::QueryReader(Request const& request) : request_(request) {
  for (std::string_view rest = request.query; !rest.empty();) {
    auto const end = std::min(rest.find('&'), rest.size());
    auto const pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty()) continue;
    auto const equals = std::min(pair.find('='), pair.size());
    auto name = percent_decode(pair.substr(0, equals), Plus::space);
    auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())), Plus::space);
    if (!name || !value) {
      problem(name ? clip(*name, 64) : "query", "is not percent-encoded UTF-8");
      continue;
    }
    if (parameters_.size() == limits::query_parameters_max) {
      problem("query", fmt::format("has more than {} parameters", limits::query_parameters_max));
      break;
    }
    parameters_.push_back({.name = std::move(*name), .value = std::move(*value)});
  }
  refuse_repeated_names();
  if (!request.player.empty()) find(player_parameter);  // the dispatcher has already read it
}

void QueryReader::refuse_repeated_names() {
  if (parameters_.size() < 2) return;
  std::unordered_set<std::string_view> seen;
  for (auto const& parameter : parameters_) {
    if (!seen.insert(parameter.name).second) return problem(clip(parameter.name, 64), "appears twice");
  }
}

std::string const* QueryReader::find(std::string_view name) {
  auto const found = std::ranges::find(parameters_, name, &Parameter::name);
  if (found == parameters_.end()) return nullptr;
  found->known = true;
  return &found->value;
}

std::string const* QueryReader::find_required(std::string_view name) {
  auto const* text = find(name);
  if (!text) problem(name, "is required");
  return text;
}

void QueryReader::problem(std::string_view name, std::string detail) {
  if (problem_) return;
  problem_ = Error{.code = errors::invalid_request,
                   .detail = fmt::format("{} {}", name, detail),
                   .field = std::string(name)};
}

std::optional<Error> QueryReader::finish() {
  for (auto const& parameter : parameters_) {
    if (!parameter.known) problem(clip(parameter.name, 64), "is not a known parameter");
  }
  return std::move(problem_);
}

std::string QueryReader::checked_text(std::string_view name, std::string_view text, TextRule rule) {
  auto const chars = count_chars(text);
  if (chars < rule.chars_min || chars > rule.chars_max) {
    problem(name, fmt::format("must have {} to {} characters", rule.chars_min, rule.chars_max));
    return {};
  }
  return std::string(text);
}

std::int64_t QueryReader::checked_int(std::string_view name, std::string_view text, IntRule rule) {
  auto const number = parse_int(text);
  if (!number || *number < rule.min || *number > rule.max) {
    problem(name, fmt::format("must be a whole number from {} to {}", rule.min, rule.max));
    return rule.min;
  }
  return *number;
}

std::size_t QueryReader::checked_choice(std::string_view name, std::string_view text,
                                        std::span<std::string_view const> choices) {
  auto const found = std::ranges::find(choices, text);
  if (found != choices.end()) return std::size_t(found - choices.begin());
  problem(name, fmt::format("must be one of {}", fmt::join(choices, ", ")));
  return 0;
}

std::string QueryReader::required_text(std::string_view name, TextRule rule) {
  auto const* text = find_required(name);
  return text ? checked_text(name, *text, rule) : std::string();
}

std::optional<std::string> QueryReader::optional_text(std::string_view name, TextRule rule) {
  auto const* text = find(name);
  if (!text) return std::nullopt;
  return checked_text(name, *text, rule);
}

std::int64_t QueryReader::required_int(std::string_view name, IntRule rule) {
  auto const* text = find_required(name);
  return text ? checked_int(name, *text, rule) : rule.min;
}

std::optional<std::int64_t> QueryReader::optional_int(std::string_view name, IntRule rule) {
  auto const* text = find(name);
  if (!text) return std::nullopt;
  return checked_int(name, *text, rule);
}

std::optional<std::size_t> QueryReader::optional_choice(std::string_view name,
                                                        std::span<std::string_view const> choices) {
  auto const* text = find(name);
  if (!text) return std::nullopt;
  return checked_choice(name, *text, choices);
}

bool QueryReader::flag(std::string_view name) {
  auto const* text = find(name);
  if (!text) return false;
  if (text->empty()) return true;
  bool out = false;
  convert(name, *text, out);
  return out;
}

Page QueryReader::page() {
  return {.limit = optional_int("limit", {.min = 1, .max = limits::page_max}).value_or(limits::page_default),
          .cursor = optional_text("cursor", {.chars_min = 1, .chars_max = limits::cursor_chars_max})};
}

std::string QueryReader::path_text(std::string_view name, TextRule rule) {
  return checked_text(name, request_.parameter(name), rule);
}

std::int64_t QueryReader::path_int(std::string_view name, IntRule rule) {
  return checked_int(name, request_.parameter(name), rule);
}

std::size_t QueryReader::path_choice(std::string_view name, std::span<std::string_view const> choices) {
  return checked_choice(name, request_.parameter(name), choices);
}

void QueryReader::convert(std::string_view name, std::string_view text, Amount& out) {
  out = *Amount::from(checked_int(name, text, {.min = 0, .max = limits::amount_max}));
}

void QueryReader::convert(std::string_view name, std::string_view text, TimeMs& out) {
  auto const time = parse_rfc3339(text);
  if (!time) return problem(name, "must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z");
  out = *time;
}

void QueryReader::convert(std::string_view name, std::string_view text, bool& out) {
  if (text != "true" && text != "false") return problem(name, "must be true or false");
  out = text == "true";
}

}  // namespace larder::http
