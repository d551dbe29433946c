#include "peer.hpp"

#ifdef TICKREEL_BENCH_HAS_PROTOBUF

#include <zstd.h>

#include <array>

#include "peers.pb.h"

namespace tickreel::bench {
namespace {

void fill(wire::vec3& to, const echo::vec3& from) {
  to.set_x(from.x);
  to.set_y(from.y);
  to.set_z(from.z);
}
void fill(wire::pose& to, const echo::pose& from) {
  fill(*to.mutable_position(), from.position);
  fill(*to.mutable_forward(), from.forward);
  fill(*to.mutable_left(), from.left);
  fill(*to.mutable_up(), from.up);
}
void fill(wire::stats& to, const echo::stats& from) {
  to.set_possession_time(from.possession_time);
  to.set_points(from.points);
  to.set_saves(from.saves);
  to.set_goals(from.goals);
  to.set_stuns(from.stuns);
  to.set_passes(from.passes);
  to.set_catches(from.catches);
  to.set_steals(from.steals);
  to.set_blocks(from.blocks);
  to.set_interceptions(from.interceptions);
  to.set_assists(from.assists);
  to.set_shots_taken(from.shots_taken);
}
void fill(wire::player& to, const echo::player& from) {
  to.set_name(std::string(from.name.view()));
  to.set_playerid(from.playerid);
  to.set_userid(from.userid);
  to.set_number(from.number);
  to.set_level(from.level);
  to.set_ping(from.ping);
  to.set_packetlossratio(from.packetlossratio);
  fill(*to.mutable_velocity(), from.velocity);
  fill(*to.mutable_head(), from.head);
  fill(*to.mutable_body(), from.body);
  fill(*to.mutable_lhand(), from.lhand);
  fill(*to.mutable_rhand(), from.rhand);
  fill(*to.mutable_totals(), from.stats);
  to.set_stunned(from.stunned);
  to.set_invulnerable(from.invulnerable);
  to.set_blocking(from.blocking);
  to.set_possession(from.possession);
}
void fill(wire::bone_player& to, const echo::bone_player& from) {
  to.set_playerid(from.playerid);
  for (const echo::vec3& at : from.positions) {
    for (const float value : {at.x, at.y, at.z}) to.add_positions(value);
  }
  for (const echo::quat& turn : from.rotations) {
    for (const float value : {turn.x, turn.y, turn.z, turn.w}) to.add_rotations(value);
  }
}
void fill(wire::match_tick& to, const echo::state& from) {
  to.set_recorded_time_ms(from.recorded_time_ms);
  to.set_sessionid(std::string(from.match.sessionid.view()));
  to.set_game_status(std::string(from.match.game_status.view()));
  to.set_game_clock(from.match.game_clock);
  to.set_blue_points(static_cast<std::int32_t>(from.match.blue_points));
  to.set_orange_points(static_cast<std::int32_t>(from.match.orange_points));
  fill(*to.mutable_disc(), from.match.disc.at);
  fill(*to.mutable_disc_velocity(), from.match.disc.velocity);
  for (std::size_t i = 0; i < from.match.player_count; ++i) fill(*to.add_players(), from.players[i]);
  for (std::size_t i = 0; i < from.bone_player_count; ++i) fill(*to.add_bones(), from.bone_players[i]);
}
template <class World>
void fill(wire::world_tick& to, const World& from) {
  for (std::size_t i = 0; i < from.placements.size(); ++i) {
    wire::entity& entity = *to.add_entities();
    const placement& at = from.placements[i];
    entity.set_x(at.x);
    entity.set_y(at.y);
    entity.set_z(at.z);
    entity.set_dx(at.dx);
    entity.set_dy(at.dy);
    entity.set_dz(at.dz);
    entity.set_heading(at.heading);
    entity.set_pitch(at.pitch);
    entity.set_animation(at.animation);
    const condition& of = from.conditions[i];
    entity.set_health(of.health);
    entity.set_shield(of.shield);
    entity.set_energy(of.energy);
    entity.set_target(of.target);
    entity.set_owner(of.owner);
    entity.set_order(of.order);
    entity.set_cooldown(of.cooldown);
    entity.set_flags(of.flags);
  }
}

void fill(wire::physics_tick& to, const physics_state& from) {
  const auto fill_vector = [](wire::vec3& part, const std::array<float, 3>& of) {
    part.set_x(of[0]);
    part.set_y(of[1]);
    part.set_z(of[2]);
  };
  for (const body& each : from.bodies) {
    wire::body& of = *to.add_bodies();
    fill_vector(*of.mutable_position(), each.position);
    fill_vector(*of.mutable_velocity(), each.velocity);
    fill_vector(*of.mutable_spin(), each.spin);
    for (const float value : each.rotation) of.add_rotation(value);
  }
}

template <class State, class Message>
class protobuf_stream final : public peer<State> {
 public:
  explicit protobuf_stream(const std::string& path) : file_(path), codec_(ZSTD_createCCtx()) {
    if (codec_ == nullptr) stop("zstd");
  }
  ~protobuf_stream() override { ZSTD_freeCCtx(codec_); }

  void record(const State& tick) override {
    message_.Clear();  // keeps its memory
    fill(message_, tick);
    if (!message_.SerializeToString(&text_)) stop("protobuf");
    const auto size = static_cast<std::uint32_t>(text_.size());
    const std::array<unsigned char, 4> length{
        static_cast<unsigned char>(size), static_cast<unsigned char>(size >> 8),
        static_cast<unsigned char>(size >> 16), static_cast<unsigned char>(size >> 24)};
    compress(length.data(), length.size(), ZSTD_e_continue);
    compress(text_.data(), text_.size(), ZSTD_e_continue);
  }
  void finish() override {
    compress(nullptr, 0, ZSTD_e_end);
    file_.close();
  }

 private:
  void compress(const void* bytes, std::size_t size, ZSTD_EndDirective how) {
    ZSTD_inBuffer in{bytes, size, 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{room_, sizeof room_, 0};
      left = ZSTD_compressStream2(codec_, &out, &in, how);
      if (ZSTD_isError(left) != 0) stop("zstd");
      file_.write(room_, out.pos);
    } while (how == ZSTD_e_end ? left != 0 : in.pos < in.size);
  }

  plain_file file_;
  ZSTD_CCtx* codec_;
  Message message_;
  std::string text_;
  char room_[128 << 10];
};

}  // namespace

template <class State>
std::unique_ptr<peer<State>> make_protobuf(const std::string& path) {
  if constexpr (std::is_same_v<State, echo::state>) {
    return std::make_unique<protobuf_stream<State, wire::match_tick>>(path);
  } else if constexpr (std::is_same_v<State, physics_state>) {
    return std::make_unique<protobuf_stream<State, wire::physics_tick>>(path);
  } else {
    return std::make_unique<protobuf_stream<State, wire::world_tick>>(path);
  }
}

#else

namespace tickreel::bench {

template <class State>
std::unique_ptr<peer<State>> make_protobuf(const std::string&) {
  return nullptr;
}

#endif

template std::unique_ptr<peer<echo::state>> make_protobuf(const std::string&);
template std::unique_ptr<peer<shooter_state>> make_protobuf(const std::string&);
template std::unique_ptr<peer<strategy_state>> make_protobuf(const std::string&);
template std::unique_ptr<peer<physics_state>> make_protobuf(const std::string&);

}  // namespace tickreel::bench
