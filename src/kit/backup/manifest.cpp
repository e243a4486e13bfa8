#include "kit/backup/manifest.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/read_file.hpp"

#include <fmt/format.h>

namespace larder::backup {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t newest_format = 1;
constexpr std::size_t manifest_bytes_max = 1024 * 1024;
constexpr std::size_t hash_chars = 64;

SetupError damaged(std::string const& what) {
  return SetupError(fmt::format("the backup is damaged: {}. Nothing was changed", what));
}

template <class T>
json::object object_of(std::map<std::string, T> const& values) {
  json::object object;
  for (auto const& [name, value] : values) object[name] = value;
  return object;
}

std::string text_of(Manifest const& manifest) {
  json::object files;
  for (auto const& [name, sum] : manifest.files) files[name] = {{"bytes", sum.bytes}, {"sha256", sum.sha256}};
  json::object const all{{"format", newest_format},
                         {"larder", manifest.version},
                         {"made_at", to_rfc3339(manifest.made_at)},
                         {"schema", object_of(manifest.schema)},
                         {"settings", object_of(manifest.settings)},
                         {"files", files}};
  return json::serialize(all) + "\n";
}

std::string sum_line(std::string_view text) {
  return fmt::format("{}  {}\n", sha256_hex(text), manifest_name);
}

// What Larder has written in another way is a bug, but never a reason to crash.
Manifest parse(std::string const& text) {
  Manifest manifest;
  auto const all = json::parse(text).as_object();
  if (all.at("format").to_number<std::int64_t>() > newest_format)
    throw SetupError("a newer larder has made this backup; restore it with that version");
  manifest.version = all.at("larder").as_string();
  auto const made_at = parse_rfc3339(all.at("made_at").as_string());
  if (!made_at) throw std::runtime_error("made_at");
  manifest.made_at = *made_at;
  for (auto const& [name, version] : all.at("schema").as_object())
    manifest.schema[name] = version.to_number<std::int64_t>();
  for (auto const& [name, value] : all.at("settings").as_object())
    manifest.settings[name] = value.as_string();
  for (auto const& [name, file] : all.at("files").as_object()) {
    if (name != database_name && redis_directory_of(name).empty()) throw std::runtime_error("files");
    manifest.files[name] = {.bytes = file.at("bytes").to_number<std::uint64_t>(),
                            .sha256 = std::string(file.at("sha256").as_string())};
  }
  return manifest;
}

}  // namespace

std::string rdb_of(std::string_view redis_directory) {
  return fmt::format("{}{}", redis_directory, rdb_ending);
}

std::string redis_directory_of(std::string_view file) {
  if (!file.ends_with(rdb_ending)) return "";
  file.remove_suffix(rdb_ending.size());
  bool const plain = std::ranges::all_of(file, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
  return plain && (file == redis_name || file.starts_with(fmt::format("{}-", redis_name))) ? std::string(file)
                                                                                           : "";
}

void write_manifest(fs::path const& directory, Manifest const& manifest) {
  auto const text = text_of(manifest);
  write_file(directory / manifest_name, text);
  write_file(directory / manifest_sum_name, sum_line(text));
}

Manifest read_manifest(fs::path const& directory) {
  if (!fs::exists(directory / manifest_name)) {
    throw SetupError(fmt::format("{} is no backup: it has no {}. A backup has it once it is complete",
                                 directory.string(), manifest_name));
  }
  auto const text = read_file((directory / manifest_name).string(), "manifest", manifest_bytes_max);
  auto const sum = read_file((directory / manifest_sum_name).string(), "checksum", 2 * hash_chars);
  if (sum != sum_line(text)) {
    throw damaged(
        fmt::format("{} does not have the checksum that is in {}", manifest_name, manifest_sum_name));
  }
  Manifest manifest;
  try {
    manifest = parse(text);
  } catch (SetupError const&) {
    throw;
  } catch (std::exception const& error) {
    throw damaged(fmt::format("{} cannot be read ({})", manifest_name, error.what()));
  }
  for (auto const& name : {std::string(database_name), rdb_of(redis_name)}) {
    if (!manifest.files.contains(name))
      throw damaged(fmt::format("{} does not name {}", manifest_name, name));
  }
  for (auto const& [name, file] : manifest.files) {
    std::error_code code;
    auto const bytes = fs::file_size(directory / name, code);
    if (code) throw damaged(fmt::format("{}: {}", name, code.message()));
    if (bytes != file.bytes)
      throw damaged(fmt::format("{} has {} bytes instead of {}", name, bytes, file.bytes));
  }
  return manifest;
}

void check_sum(std::string const& name, FileSum const& is, FileSum const& should_be) {
  if (is == should_be) return;
  throw damaged(is.bytes == should_be.bytes
                    ? fmt::format("{} does not have the checksum that is in {}", name, manifest_name)
                    : fmt::format("{} has {} bytes instead of {}", name, is.bytes, should_be.bytes));
}

}  // namespace larder::backup
