#include "tickreel/files/format.hpp"

#include <algorithm>

#include "byte_stream.hpp"
#include "echo/salvage_butter.hpp"
#include "formats.hpp"
#include "gamecache/gamecache_recover.hpp"
#include "sc2replay/sc2_recover.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t probe_bytes = 64u << 10;

constexpr format table[] = {
    {"icrep", ".icrep", "begins with the bytes ICRP", &claims_icrep,
     TICKREEL_OPENS_OTHER(open_icrep_recording), TICKREEL_WRITES(recover_icrep),
     TICKREEL_WRITES(anonymise_icrep), TICKREEL_WRITES(recompress_icrep),
     TICKREEL_WRITES(strip_voice_of_icrep), TICKREEL_WRITES(sign_icrep)},
    {"reel", ".reel", "begins with the bytes TICKREEL", &claims_reel, &open_reel_recording,
     TICKREEL_WRITES(recover_reel), TICKREEL_WRITES(anonymise_echo), nullptr, nullptr, nullptr,
     TICKREEL_WRITES(compact_reel), TICKREEL_WRITES(derive_reel)},
    {"echoreplay", ".echoreplay",
     "lines \"yyyy/MM/dd HH:mm:ss.fff TAB {session} [TAB {bones}]\", as plain text or as the entry of a zip",
     &claims_echoreplay, TICKREEL_OPENS(open_echoreplay_recording), TICKREEL_WRITES(recover_echoreplay),
     TICKREEL_WRITES(anonymise_echo), TICKREEL_WRITES(recompress_echo), nullptr, nullptr, nullptr,
     TICKREEL_WRITES(derive_echo)},
    {"butter", ".butter", "a version byte 1 to 3, then the head of a match", &claims_butter,
     TICKREEL_OPENS(open_butter_recording), TICKREEL_WRITES(salvage_butter), TICKREEL_WRITES(anonymise_echo),
     TICKREEL_WRITES(recompress_echo), nullptr, nullptr, nullptr, TICKREEL_WRITES(derive_echo)},
    {"gamecache", ".gamecache", "the cache of the DotA replay manager: a version or a count, then games",
     &claims_gamecache, TICKREEL_OPENS_OTHER(open_gamecache_recording), TICKREEL_WRITES(recover_gamecache)},
    {"rec", ".rec", "the numbers 1000 and 1 or 2, then blocks of 67 or 72 bytes; the oldest lack the numbers",
     &claims_rec, TICKREEL_OPENS_OTHER(open_rec_recording), TICKREEL_WRITES(recover_rec)},
    {"sc2replay", ".SC2Replay", "the bytes MPQ and 1B, then a StarCraft II replay's header and archive",
     &claims_sc2replay, TICKREEL_OPENS_OTHER(open_sc2_recording), TICKREEL_WRITES(recover_sc2replay),
     TICKREEL_WRITES(anonymise_sc2replay)},
};

}  // namespace

std::span<const format> formats() noexcept {
  return table;
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

result<const format*> detect(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  if (*size == 0) return fail(error_code::not_recognised, 0, "the file is empty");
  byte_vector head(static_cast<std::size_t>(std::min<std::uint64_t>(probe_bytes, *size)));
  const auto count = from.read_at(head, 0);
  if (!count) return fail(count.error());
  const format* found = detect(probe{byte_span(head).first(*count), *size});
  if (found == nullptr) return fail(error_code::not_recognised, 0);
  return found;
}

result<const format*> detect(const file_path& path) {
  const auto from = open_file(path);
  if (!from) return fail(from.error());
  return detect(*from);
}

}  // namespace tickreel::files
