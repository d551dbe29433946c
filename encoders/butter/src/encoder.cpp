#include "tickreel/butter/encoder.hpp"

#include <utility>

#include "bone_grid.hpp"
#include "model.hpp"
#include "tables.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::butter {
namespace {

// Maximum sizes in bytes: frame head, all blocks of the match, teams, players, bones.
constexpr std::size_t head_size = 2 + 8 + 4 + 1;
constexpr std::size_t match_size = 7 + 6 + 7 + 26 + 10 + 16 + 7 + (8 + 65);
constexpr std::size_t teams_size = 1 + echo::max_teams * (14 + 1);
constexpr std::size_t bone_player_size = 6 + echo::bone_count * (3 * 3 + 4);
constexpr std::size_t frame_size_without_bones =
    head_size + match_size + teams_size + echo::max_players * player_size + 1;
constexpr std::size_t frame_size_with_bones = frame_size_without_bones + echo::max_players * bone_player_size;

// How far forward and up move together for a rotation by this angle. The third axis moves too; of the sum of
// the squares of all three, 8 sin^2(a/2), these two have two thirds on average.
float axes_limit(float degrees) noexcept {
  return std::sqrt(angle_limit(degrees).sine_square() * (8 * 2.0f / 3));
}

}  // namespace

encoder::model::model(const encoder_options& given)
    : options(given),
      velocity_rounding_(given.hold.velocity_step_mps, given.hold.even_steps_limit),
      pose_limits_{step_rounding(given.hold.position_step_m, given.hold.even_steps_limit),
                   given.hold.position_m * given.hold.position_m,
                   angle_limit(given.hold.rotation_deg).chord_square()},
      velocity_limit_(given.hold.velocity_mps * given.hold.velocity_mps),
      pose_lead_(given.hold.lead, axes_limit(given.hold.rotation_deg)),
      bone_limits_{step_rounding(std::max(given.hold.bone_position_step_m, 0x1p-12f),
                                 given.hold.bone_even_steps_limit),
                   given.hold.bone_position_m * given.hold.bone_position_m,
                   angle_limit(given.hold.bone_rotation_deg).sine_square(),
                   given.hold.bone_rotation_coarse_axes, given.hold.even_codes_limit},
      bone_leads_{lead(given.hold.lead, std::max(given.hold.bone_position_m, 0.0f)),
                  lead(given.hold.lead, std::sqrt(angle_limit(given.hold.bone_rotation_deg).chord_square()))},
      seen_(given.hold.lead > 0 ? std::make_unique<lead_memory>() : nullptr) {}

encoder::encoder(const encoder_options& options) : model_(std::make_unique<model>(options)) {}
encoder::encoder(encoder&&) noexcept = default;
encoder& encoder::operator=(encoder&&) noexcept = default;
encoder::~encoder() = default;

std::size_t encoder::max_frame_size() const noexcept {
  return model_->options.bones ? frame_size_with_bones : frame_size_without_bones;
}

bool encoder::needs_keyframe(const echo::state& next) const noexcept {
  return model_->needs_keyframe(next);
}

void encoder::encode(const echo::state& next, frame_kind kind, byte_writer& out) noexcept {
  model_->encode(next, kind, out);
}

std::uint32_t encoder::header_revision() const noexcept {
  return model_->table.revision();
}
std::size_t encoder::max_header_size() const noexcept {
  return player_table::max_size();
}
void encoder::write_header(byte_writer& out) const noexcept {
  model_->table.write(out);
}
const omissions& encoder::left_out() const noexcept {
  return model_->left_out;
}

bool encoder::needs_new_file(const echo::state& next) const noexcept {
  const player_table& table = model_->table;
  if (!table.begun()) return false;
  if (!table.is_about(next.match)) return true;
  const std::size_t count = std::min<std::size_t>(next.match.player_count, echo::max_players);
  if (table.size() + count <= max_table_players) return false;
  std::size_t fresh = 0;
  for (std::size_t i = 0; i < count; ++i) fresh += table.find(next.players[i]) == 0 ? 1u : 0u;
  return table.size() + fresh > max_table_players;
}

void encoder::model::encode(const echo::state& next, frame_kind kind, byte_writer& out) noexcept {
  if (!table.begun()) table.begin(next.match);
  keyframe_ = kind == frame_kind::keyframe;
  match_roster(next, roster_);
  if (!keyframe_ && needs_keyframe(next, roster_)) {
    keyframe_ = true;
    ++left_out.forced_keyframes;
  }
  started_ = true;
  ++left_out.frames;
  if (keyframe_) {
    held_ = {};
    player_counts_[now_] = 0;
    roster_.bases.fill(nullptr);
  }

  out.u16(keyframe_ ? keyframe_magic : delta_magic);
  if (keyframe_) {
    out.i64(next.recorded_time_ms);
  } else {
    out.u16(static_cast<std::uint16_t>(next.recorded_time_ms - held_.recorded_time_ms));
  }
  held_.recorded_time_ms = next.recorded_time_ms;

  const float clock = next.match.game_clock;
  // Twice the maximum of any private rule; far larger values would break readers that print minutes.
  constexpr float clock_limit = 1e7f;
  const float wanted = clock >= -clock_limit && clock <= clock_limit ? clock : held_.game_clock;
  float step = wanted - held_.game_clock;
  if (held_.game_clock + step != wanted) {
    // The difference of numbers of very different size is rounded; the neighbouring ones are tried.
    for (const float direction : {-INFINITY, INFINITY}) {
      const float other = std::nextafter(step, direction);
      if (held_.game_clock + other == wanted) step = other;
    }
  }
  out.f32(step);
  held_.game_clock = step + held_.game_clock;

  // The table first, so that a scorer who first appears in this frame has an index.
  place_players(next);
  measure_poses(next);
  encode_match(next, out);
  encode_teams(next, out);
  encode_bones(next, out);
  count_unsupported(next);
  left_out.transliterated_names = table.transliterated();
  left_out.clamped_values += table.clamped() - std::exchange(clamped_in_table_, table.clamped());
}

std::vector<std::string> sentences(const omissions& all) {
  std::vector<std::string> out;
  const auto say = [&](std::uint64_t count, const char* one, const char* many) {
    if (count != 0) out.push_back(counted(count, one, many));
  };
  say(all.unsupported_fields, "field of the game's answers cannot be stored in a .butter and was left out",
      "fields of the game's answers cannot be stored in a .butter and were left out");
  say(all.clamped_values, "value is outside the range of a .butter and was replaced by the nearest one",
      "values are outside the range of a .butter and were replaced by the nearest ones");
  say(all.transliterated_names, "name with letters that a .butter lacks was spelled without them",
      "names with letters that a .butter lacks were spelled without them");
  return out;
}

}  // namespace tickreel::butter
