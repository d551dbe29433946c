#include "reel_encoders.hpp"

#include <algorithm>

#include "described_reel.hpp"
#include "echo_rows.hpp"
#include "formats.hpp"
#include "icrep/icrep_recording.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echoreplay/decoder.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::files {

namespace {

constexpr bool reads_match_version(std::uint32_t version) noexcept {
  return version >= game::oldest_match_reel_version && version <= game::match_reel_version;
}

constexpr std::string_view echo_formats[] = {"butter", "echoreplay"};

constexpr reel_encoder encoder_table[] = {
    {butter::decoder::decoder_name, ".butter", &butter::decoder::reads_version,
     butter::encoder::encoder_version, "frames of the encoder butter, version {}; version {} is known",
     TICKREEL_OPENS(open_echo_reel_recording), TICKREEL_ECHO(open_butter_reel),
     TICKREEL_WRITES(publish_echo_reel)},
    {echoreplay::decoder::decoder_name, ".echoreplay", &echoreplay::decoder::reads_version,
     echoreplay::encoder::encoder_version,
     "frames of the encoder echoreplay, version {}; version {} is known",
     TICKREEL_OPENS(open_echo_reel_recording), TICKREEL_ECHO(open_echoreplay_reel),
     TICKREEL_WRITES(publish_echo_reel)},
    {game::match_reel_encoder, ".icrep", &reads_match_version, game::match_reel_version,
     "frames of the encoder icrep, version {}; version {} is known", TICKREEL_OPENS_OTHER(open_match_reel),
     nullptr, TICKREEL_WRITES(publish_match_reel)},
    // A finished reel is their file.
    {tracks::rows_name, ".recovered.reel", &tracks::row_decoder::reads_version, tracks::rows_version,
     "described structs, version {}; version {} is known", TICKREEL_OPENS(open_echo_reel_recording),
     TICKREEL_ECHO(open_row_reel), TICKREEL_WRITES(publish_row_reel), &holds_echo_rows, echo_formats},
    {tracks::rows_name, ".recovered.reel", &tracks::row_decoder::reads_version, tracks::rows_version,
     "described structs, version {}; version {} is known", TICKREEL_OPENS_OTHER(open_described_reel), nullptr,
     nullptr},
};

}  // namespace

std::span<const reel_encoder> reel_encoders() noexcept {
  return encoder_table;
}

const reel_encoder* known_reel_encoder(const reel::header& head) noexcept {
  const auto found =
      std::find_if(std::begin(encoder_table), std::end(encoder_table), [&head](const reel_encoder& each) {
        return each.name == head.encoder_name && (each.holds == nullptr || each.holds(head));
      });
  return found == std::end(encoder_table) ? nullptr : found;
}

result<const reel_encoder*> reel_encoder_of(const reel::header& head) noexcept {
  const reel_encoder* const found = known_reel_encoder(head);
  if (found == nullptr) {
    return fail(error_code::unsupported_operation, 0,
                "the reel's frames belong to no format that can be laid out");
  }
  if (!found->reads_version(head.encoder_version)) {
    return fail(error_code::unsupported_version, 0, found->other_version, head.encoder_version,
                found->newest_version);
  }
  return found;
}

}  // namespace tickreel::files
