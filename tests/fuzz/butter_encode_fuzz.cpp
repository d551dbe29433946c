// States from random bytes, encoded: our reader must read every frame.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"

namespace {

using namespace tickreel;

// Returns the input, then zeros.
class source {
 public:
  explicit source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  void fill(void* to, std::size_t size) {
    const std::size_t taken = std::min(size, bytes_.size());
    std::memcpy(to, bytes_.data(), taken);
    bytes_ = bytes_.subspan(taken);
  }
  [[nodiscard]] std::uint8_t byte() {
    std::uint8_t value = 0;
    fill(&value, 1);
    return value;
  }
  // Overwrites a range of bytes in a part of the state.
  template <class T>
  void scribble(T& part) {
    std::uint16_t at = 0;
    fill(&at, 2);
    const std::size_t size = byte();
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&part);
    if (at < sizeof(T)) fill(bytes + at, std::min(size, sizeof(T) - at));
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

template <std::size_t Capacity>
void fix(echo::text<Capacity>& text) {
  if (text.length > Capacity) text.length = Capacity;
}

// Restores what the types require: bools of 0 and 1, texts and counts within their capacity.
void fix(echo::state& state) {
  echo::session& m = state.match;
  const auto fix_bool = [](bool& value) {
    std::uint8_t raw;
    std::memcpy(&raw, &value, 1);
    value = (raw & 1) != 0;
  };
  for (bool* value : {&m.private_match, &m.tournament_match, &m.blue_team_restart_request,
                      &m.orange_team_restart_request, &m.contested}) {
    fix_bool(*value);
  }
  fix(m.sessionid), fix(m.sessionip), fix(m.client_name), fix(m.match_type), fix(m.map_name);
  fix(m.game_status), fix(m.game_clock_display), fix(m.rules_changed_by), fix(m.err_description);
  fix(m.pause.state), fix(m.pause.unpaused_team), fix(m.pause.paused_requested_team);
  fix(m.last_score.team), fix(m.last_score.goal_type), fix(m.last_score.person_scored);
  fix(m.last_score.assist_scored);
  for (echo::team& team : m.teams) {
    fix_bool(team.possession);
    fix(team.name);
  }
  for (echo::player& player : state.players) {
    for (bool* value : {&player.stunned, &player.invulnerable, &player.blocking, &player.possession,
                        &player.is_emote_playing}) {
      fix_bool(*value);
    }
    fix(player.name), fix(player.weapon), fix(player.ordnance), fix(player.tac_mod), fix(player.arm);
    for (echo::holding* hand : {&player.holding_left, &player.holding_right}) {
      std::uint8_t raw;
      std::memcpy(&raw, &hand->what, 1);
      hand->what = static_cast<echo::holding::kind>(raw % 6);
      fix(hand->word);
    }
  }
  state.bones = static_cast<echo::bones_kind>(static_cast<std::uint8_t>(state.bones) % 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  source input(std::span(data, size));
  static constexpr const char* maps[] = {"mpl_arena_a", "mpl_combat_dyson", "mpl_lobby_b2", "elsewhere"};
  const auto state = std::make_unique<echo::state>();
  state->match.map_name.assign(maps[input.byte() % 4]);
  butter::encoder encoder({.hold = input.byte() % 2 == 0 ? butter::tolerances{} : butter::small_profile});
  byte_vector room(encoder.max_frame_size());
  byte_vector frames;
  std::size_t count = 0;
  for (; !input.empty() && count < 64; ++count) {
    for (int n = input.byte() % 8; n > 0; --n) {
      switch (input.byte() % 4) {
        case 0:
          input.scribble(state->match);
          break;
        case 1:
          input.scribble(state->players[input.byte() % 8u]);
          break;
        case 2:
          input.scribble(state->bone_players[input.byte() % 4u]);
          break;
        default:
          input.scribble(*state);
      }
    }
    fix(*state);
    byte_writer out(room);
    encoder.encode(*state, count == 0 ? frame_kind::keyframe : frame_kind::delta, out);
    if (!out.ok()) std::abort();
    frames.insert(frames.end(), out.written().begin(), out.written().end());
  }
  byte_vector header(encoder.max_header_size());
  byte_writer out(header);
  encoder.write_header(out);
  if (!out.ok()) std::abort();
  const std::array sizes = {static_cast<std::uint32_t>(frames.size())};
  auto file = butter::encode_head(out.written(), 300, butter::compression::none, sizes);
  if (!file) std::abort();
  file->insert(file->end(), frames.begin(), frames.end());
  auto reader = butter::reader::open(*file);
  if (!reader) std::abort();
  for (std::size_t i = 0; i < count; ++i) {
    const auto more = reader->next(*state);
    if (!more || !*more) std::abort();
  }
  return 0;
}
