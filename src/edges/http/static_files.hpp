// Serves files that are part of the binary to browsers.
//
//   embed_files(larder_web site)                                       in CMake
//
//   Answering get_file(Request const& request) {                       "/assets/{path...}"
//     static StaticFiles const files(files::site(), {.hashed = "assets/"});
//     co_return files.answer(request.parameter("path"), request);
//   }
#pragma once

#include "edges/http/http_types.hpp"

#include <span>
#include <unordered_map>

namespace larder::http {

// Made by embed_files() of cmake/modules.cmake.
struct EmbeddedFile {
  std::string_view name;  // path below its folder, like "assets/app.js"
  std::string_view hash;  // of the content, hexadecimal
  std::string_view content;
  std::string_view gzip = {};    // the compressed content; empty if compression does not help
  std::string_view brotli = {};  // the same, smaller still; empty if no build step has made it
};

struct StaticOptions {
  // The names that begin with this prefix contain a hash of the content, so the content of such a name never
  // changes. Browsers keep these files and do not ask again. Empty: there are no such files.
  std::string_view hashed = {};
};

// Never changes after construction, so threads may share it.
class StaticFiles {
 public:
  // The files must live as long as the program.
  explicit StaticFiles(std::span<EmbeddedFile const> files, StaticOptions options = {});

  // The file with exactly this name, compressed if the client accepts brotli or gzip. 304 if the client
  // already has it. Refuses with route_not_found.
  Result<Response> answer(std::string_view name, Request const& request) const;

 private:
  struct File {
    EmbeddedFile embedded;
    std::string_view content_type;
    std::string_view cache_control;
  };
  std::unordered_map<std::string_view, File> files_;
};

// "text/css; charset=utf-8" for "a/b.css"; application/octet-stream for an unknown extension.
std::string_view content_type_of(std::string_view name);

}  // namespace larder::http
