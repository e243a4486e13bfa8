// Writes the document of `larder user export`, piece by piece.
#pragma once

#include "base/time.hpp"
#include "kit/events/privacy/subject.hpp"

#include <functional>
#include <string>
#include <vector>

namespace larder::api {

// {"user_id": ..., "exported_at": ..., "systems": {"ledger": {"accounts": [...], "flows": [...]}, ...},
//  "not_exported": [...]}
class ExportDocument {
 public:
  using Out = std::function<void(std::string_view)>;

  ExportDocument(UserId const& user, TimeMs now, Out out);
  void begin_system(std::string_view name);
  // The objects of a section must come one after the other.
  void add(std::string_view section, json::object const& object);
  // `not_exported`: what is missing, in words.
  void end(std::vector<std::string> const& not_exported);

 private:
  void end_section();
  void end_system();
  void write_name(std::string_view name);

  Out out_;
  bool has_system_ = false;
  std::string section_;  // empty: none is open
  bool has_section_ = false;
};

}  // namespace larder::api
