#include "edges/api/admin/export_document.hpp"

#include <fmt/format.h>

namespace larder::api {

ExportDocument::ExportDocument(UserId const& user, TimeMs now, Out out) : out_(std::move(out)) {
  out_(fmt::format(R"({{"user_id":"{}","exported_at":"{}","systems":{{)", user.str(), to_rfc3339(now)));
}

void ExportDocument::write_name(std::string_view name) {
  std::string quoted;
  append_json_string(quoted, name);
  out_(quoted + ":");
}

void ExportDocument::begin_system(std::string_view name) {
  end_system();
  if (std::exchange(has_system_, true)) out_(",");
  write_name(name);
  out_("{");
  has_section_ = false;
}

void ExportDocument::add(std::string_view section, json::object const& object) {
  if (section != section_) {
    end_section();
    if (std::exchange(has_section_, true)) out_(",");
    write_name(section);
    out_("[");
    section_ = section;
  } else {
    out_(",");
  }
  out_("\n");
  out_(json::serialize(object));
}

void ExportDocument::end_section() {
  if (!section_.empty()) out_("]");
  section_.clear();
}

void ExportDocument::end_system() {
  end_section();
  if (has_system_) out_("}");
}

void ExportDocument::end(std::vector<std::string> const& not_exported) {
  end_system();
  json::array missing;
  for (auto const& what : not_exported) missing.emplace_back(what);
  out_(fmt::format("}},\"not_exported\":{}}}\n", json::serialize(missing)));
}

}  // namespace larder::api
