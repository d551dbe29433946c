#include "tickreel/recording/format.hpp"

#include <algorithm>
#include <system_error>

#include "byte_stream.hpp"
#include "formats.hpp"
#include "salvage_butter.hpp"

namespace tickreel::recording {

namespace {

constexpr std::size_t probe_bytes = 64u << 10;

constexpr format table[] = {
    {"icrep", ".icrep", "begins with the bytes ICRP", &claims_icrep, &open_icrep_recording, &recover_icrep,
     &anonymise_icrep, &recompress_icrep, &strip_voice_of_icrep, &sign_icrep},
    {"reel", ".reel", "begins with the bytes TICKREEL", &claims_reel, &open_reel_recording, &recover_reel},
    {"echoreplay", ".echoreplay",
     "lines \"yyyy/MM/dd HH:mm:ss.fff TAB {session} [TAB {bones}]\", as plain text or as the entry of a zip",
     &claims_echoreplay, &open_echoreplay_recording, &recover_echoreplay, nullptr, &recompress_echo},
    {"butter", ".butter", "a version byte 1 to 3, then the head of a match", &claims_butter,
     &open_butter_recording, &salvage_butter, nullptr, &recompress_echo},
    {"gamecache", ".gamecache", "the cache of the DotA replay manager: a version or a count, then games",
     &claims_gamecache, &open_gamecache_recording},
    {"rec", ".rec", "the numbers 1000 and 1 or 2, then blocks of 67 or 72 bytes; the oldest lack the numbers",
     &claims_rec, &open_rec_recording, &recover_rec},
    {"sc2replay", ".SC2Replay", "the bytes MPQ and 1B, then a StarCraft II replay's header and archive",
     &claims_sc2replay, &open_sc2_recording, nullptr, &anonymise_sc2replay},
};

}  // namespace

std::span<const format> formats() noexcept {
  return table;
}

const format* format_named(std::string_view name) noexcept {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [name](const format& each) { return each.name == name; });
  return found == std::end(table) ? nullptr : found;
}

const format* detect(const probe& file) noexcept {
  const format* plausible = nullptr;
  for (const format& each : table) {
    const claim how_sure = each.claims(file);
    if (how_sure == claim::certain) return &each;
    if (how_sure == claim::plausible && plausible == nullptr) plausible = &each;
  }
  return plausible;
}

result<const format*> detect(const std::filesystem::path& path) {
  // Opening a pipe would wait for whoever writes it, and recordings are sought in.
  std::error_code unknown;
  const std::filesystem::file_status there = std::filesystem::status(path, unknown);
  if (std::filesystem::is_directory(there)) {
    return fail(error_code::invalid_argument, error::no_offset, "this is a folder");
  }
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "this is a pipe or a device; save what comes out of it to a file first");
  }
  auto input = file::open_for_reading(utf8(path));
  if (!input) return fail(input.error());
  auto size = input->size();
  if (!size) return fail(size.error());
  if (*size == 0) return fail(error_code::not_recognised, 0, "the file is empty");
  byte_vector head(static_cast<std::size_t>(std::min<std::uint64_t>(probe_bytes, *size)));
  auto count = input->read_at(head, 0);
  if (!count) return fail(count.error());
  const format* found = detect(probe{byte_span(head).first(*count), *size});
  if (found == nullptr) return fail(error_code::not_recognised, 0);
  return found;
}

}  // namespace tickreel::recording
