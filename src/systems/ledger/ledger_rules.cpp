#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

std::optional<Error> check_entry(Entry const& entry, ScoreType const& type, TimeMs now) {
  if (entry.op != Op::reset && entry.amount == Amount{}) {
    return Error{.code = larder::errors::invalid_request,
                 .detail = fmt::format("amount must be at least 1 to {}", name_of(entry.op)),
                 .field = "amount"};
  }
  if (type.starts_at && now < *type.starts_at) {
    return Error{.code = errors::type_not_active,
                 .detail = fmt::format("type {} starts at {}", type.id, to_rfc3339(*type.starts_at))};
  }
  if (type.ends_at && now >= *type.ends_at) {
    return Error{.code = errors::type_not_active,
                 .detail = fmt::format("type {} ended at {}", type.id, to_rfc3339(*type.ends_at))};
  }
  return std::nullopt;
}

std::vector<std::string_view> conflicting_fields(Entry const& entry, Outcome const& first) {
  std::vector<std::string_view> fields;
  if (entry.op != first.op) fields.push_back("op");
  if (entry.account.type != first.type) fields.push_back("type");
  if (entry.account.domain != first.domain) fields.push_back("domain");
  if (entry.amount != first.amount) fields.push_back("amount");
  return fields;
}

}  // namespace larder::ledger
