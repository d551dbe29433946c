// Detects an .echoreplay, and finds its end in a longer file.
#include <algorithm>

#include "byte_stream.hpp"
#include "echoreplay_format.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/zip/archive.hpp"

namespace tickreel::files {

namespace {

// Whether a line in `text` begins like a tick: time TAB {.
bool looks_like_ticks(std::string_view text) noexcept {
  constexpr std::size_t longest_time = 40;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t tab = line.substr(0, longest_time).find('\t');
    if (tab != std::string_view::npos && line.substr(tab + 1).starts_with('{')) {
      std::string_view time = line.substr(0, tab);
      constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
      if (time.starts_with(byte_order_mark)) time.remove_prefix(byte_order_mark.size());
      if (echo::parse_time(time)) return true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

claim claims_echoreplay(const probe& file) noexcept {
  const std::string_view text = as_text(file.head);
  if (!text.starts_with("PK")) return looks_like_ticks(text) ? claim::certain : claim::no;
  const auto entry = zip::read_first_entry(file.head);
  if (!entry) return claim::no;
  constexpr std::size_t enough = 256u << 10;
  const byte_span data = file.head.subspan(static_cast<std::size_t>(entry->data_offset));
  const byte_vector begin =
      entry->method == 0 ? byte_vector(data.begin(), data.end()) : inflate_prefix(data, enough);
  if (looks_like_ticks(as_text(begin))) return claim::certain;
  // Other entries may come first; then only the name identifies the format.
  constexpr std::string_view extension = ".echoreplay";
  return std::string_view(entry->name).ends_with(extension) || text.find(extension) != std::string_view::npos
             ? claim::plausible
             : claim::no;
}

std::optional<std::uint64_t> find_end_of_echoreplay(byte_source& from, std::uint64_t file_bytes) {
  return zip::find_archive_end(reads_of(from), file_bytes);
}

}  // namespace tickreel::files
