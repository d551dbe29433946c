#include "echoreplay_text.hpp"

#include <charconv>

#include "tickreel/bytes/span.hpp"
#include "zip.hpp"

namespace tickreel::files {

namespace {

void read_composed(std::string_view text, archive_notes& out) noexcept {
  const char* const end = text.data() + text.size();
  const auto [comma, status] = std::from_chars(text.data(), end, out.composed_lines);
  if (status != std::errc{} || comma == end || *comma != ',') out.composed_lines = 0;
  if (out.composed_lines != 0) (void)std::from_chars(comma + 1, end, out.first_composed);
}

archive_notes read_notes(std::string_view comment) {
  archive_notes out;
  out.is_doubtful = comment == doubtful_archive;
  if (comment.starts_with(cut_archive)) out.cut_from = comment.substr(cut_archive.size());
  if (comment.starts_with(composed_archive)) read_composed(comment.substr(composed_archive.size()), out);
  return out;
}

result<echoreplay_text> open_zipped_text(const byte_source& from) {
  auto bytes = open_zip_stream(from);
  if (bytes) {
    archive_notes notes = read_notes((*bytes)->comment());
    return echoreplay_text{from, true, line_stream(std::move(*bytes)), nullptr, std::move(notes)};
  }
  if (bytes.error().system_error != 0) return fail(bytes.error());
  // The directory is missing or invalid: reads without it.
  auto torn = open_torn_zip(from);
  if (!torn) return fail(bytes.error().code == error_code::truncated ? torn.error() : bytes.error());
  const torn_zip_stream* const stream = torn->get();
  return echoreplay_text{from, true, line_stream(std::move(*torn)), stream, {}};
}

}  // namespace

result<echoreplay_text> open_echoreplay_text(const byte_source& from) {
  std::byte head[2] = {};
  if (auto count = from.read_at(head, 0); !count) return fail(count.error());
  if (as_text(head) == "PK") return open_zipped_text(from);
  auto bytes = open_stream(from);
  if (!bytes) return fail(bytes.error());
  return echoreplay_text{from, false, line_stream(std::move(*bytes)), nullptr, {}};
}

bool is_archive_damage(error_code code) noexcept {
  return code == error_code::corrupt_compression || code == error_code::truncated ||
         code == error_code::checksum_mismatch;
}

result<bool> is_archive_intact(const echoreplay_text& text, const monitor& watch) {
  if (!text.is_zipped) return true;
  std::unique_ptr<byte_stream> all;
  const torn_zip_stream* torn = nullptr;
  if (text.torn == nullptr) {
    auto opened = open_zip_stream(text.from);
    if (!opened) return fail(opened.error());
    all = std::move(*opened);
  } else {
    auto opened = open_torn_zip(text.from);
    if (!opened) return fail(opened.error());
    torn = opened->get();
    all = std::move(*opened);
  }
  byte_vector block(256u << 10);
  for (;;) {
    if (watch.stop()) return fail(error_code::interrupted);
    const auto count = all->read(block);
    if (!count && is_archive_damage(count.error().code)) return false;
    if (!count) return fail(count.error());
    if (*count == 0) break;
  }
  return torn == nullptr || torn->end() != prefix_end::damaged;
}

}  // namespace tickreel::files
