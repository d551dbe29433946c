#include "tickreel/viewer/page.hpp"

#include <utility>

#include "page/embedded.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::pair<const char*, std::string_view> names_and_types[] = {
    {"index.html", "text/html; charset=utf-8"},
    {"app.js", "text/javascript; charset=utf-8"},
    {"worker.js", "text/javascript; charset=utf-8"},
    {"app.css", "text/css; charset=utf-8"},
    {"reader.wasm", "application/wasm"},
    {"others.wasm", "application/wasm"},
    {"captures.wasm", "application/wasm"},
    {"query.wasm", "application/wasm"},
};
static_assert(std::size(names_and_types) == std::tuple_size_v<decltype(page::files)>);

}  // namespace

const page_file* page::find(std::string_view name) const noexcept {
  for (const page_file& each : files) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

result<page> page_in(const file_path& folder) {
  constexpr std::uint64_t max_bytes = 64u * 1024 * 1024;
  page out;
  for (std::size_t at = 0; at < out.files.size(); ++at) {
    const auto& [name, type] = names_and_types[at];
    const file_path path(filesystem_path(folder) / name);
    const auto bytes = read_whole_file(path, max_bytes);
    if (!bytes) return fail(bytes.error().code, error::no_offset, name);
    out.files[at] = {name, type, std::string(as_text(*bytes))};
  }
  return out;
}

std::optional<page> built_in_page() {
  page out;
  for (std::size_t at = 0; at < out.files.size(); ++at) {
    const auto& [name, type] = names_and_types[at];
    const std::string_view bytes = embedded_file(name);
    if (bytes.empty()) return std::nullopt;
    out.files[at] = {name, type, std::string(bytes)};
  }
  return out;
}

}  // namespace tickreel::viewer
