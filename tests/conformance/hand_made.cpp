#include "hand_made.hpp"

namespace tickreel::hand_made {
namespace {

void put_stats(bytes& out, unsigned each, unsigned stuns) {
  for (int i = 0; i < 10; ++i) out.u8(each);
  out.halves({0}).u16(stuns);
}

void put_player(bytes& out, const player& player, map_code map) {
  out.u8(player.index).u8(player.slot).u8(player.state);
  if ((player.state & 0x20) != 0) put_stats(out, player.stat_difference, player.stuns_difference);
  if ((player.state & 0x40) != 0) {
    out.u16(player.ping_difference).halves({0});
    if (map == arena) out.u8(player.left_hand).u8(255);
  }
  if ((player.state & 0x80) != 0) out.halves({0, 0, 0});
  out.u8(player.pose_mask);
  for (int part = 0; part < 4; ++part) {
    const unsigned mask = player.pose_mask >> (2 * part);
    if ((mask & 1) != 0) out.halves({part == 0 ? player.head_x : 0u, 0, 0});
    if ((mask & 2) != 0) out.u32(identity_s3);
  }
  if (map == combat) out.u8(0);
}

}  // namespace

byte_vector file(const head& head, const std::vector<std::uint32_t>& table,
                 const std::vector<byte_vector>& chunks) {
  bytes out;
  out.u8(head.version).u16(head.interval).u8(head.compression).text(head.client_name);
  for (unsigned i = 0; i < 16; ++i) out.u8(0xA0 + i);
  out.u8(127).u8(0).u8(0).u8(1).u8(static_cast<unsigned>(head.players.size()));
  for (const auto& entry : head.players) out.text(entry.name);
  for (const auto& entry : head.players) out.i64(entry.userid);
  for (std::size_t i = 0; i < head.players.size(); ++i) out.u8(7);
  for (std::size_t i = 0; i < head.players.size(); ++i) out.u8(50);
  out.u8(3).u8(head.round_scores).u8(head.map << 1 | (head.private_match ? 1u : 0u));
  out.u32(table.size());
  for (const std::uint32_t size : table) out.u32(size);
  for (const byte_vector& chunk : chunks) out.raw(chunk);
  return out.get();
}

byte_vector file(const head& head, const std::vector<byte_vector>& chunks) {
  std::vector<std::uint32_t> table;
  for (const byte_vector& chunk : chunks) table.push_back(static_cast<std::uint32_t>(chunk.size()));
  return file(head, table, chunks);
}

byte_vector encode(const frame& frame, map_code map) {
  const auto has = [&](int part) { return (frame.included >> part & 1u) != 0; };
  bytes out;
  out.u16(frame.keyframe ? 0xFEFC : 0xFEFE);
  frame.keyframe ? out.i64(frame.time) : out.u16(static_cast<unsigned>(frame.time));
  out.f32(frame.clock).u8(frame.included);
  if (has(0)) {
    out.u8(frame.status);
    if (map == arena) out.u8(frame.blue_points).u8(0);
    if (map == combat) out.halves({frame.blue_points, 0});
    out.u8(0);
  }
  if (has(1)) out.u8(frame.pause_flags).zeros(5);
  if (has(2)) out.zeros(7);
  if (has(3)) out.zeros(26);
  if (has(4)) out.zeros(6).u32(identity_s3);
  if (has(5)) out.halves({frame.disc_x, 0, 0}).u32(identity_s3).zeros(6);
  if (has(6)) out.u8(1).zeros(6);
  if (has(7)) out.i64(77).text("Rita");
  out.u8(frame.stats_of_teams);
  for (unsigned team = 0; team < 3; ++team) {
    if ((frame.stats_of_teams >> (2 + team) & 1u) != 0) put_stats(out, frame.team_stat, 0);
    static const std::vector<player> nobody;
    const std::vector<player>& players = team == 0 ? frame.blue : team == 1 ? frame.orange : nobody;
    out.u8(static_cast<unsigned>(players.size()));
    for (const player& player : players) put_player(out, player, map);
  }
  out.u8(frame.bone_players < 0 ? 0u : static_cast<unsigned>(frame.bone_players) << 1 | 1u);
  for (int i = 0; i < frame.bone_players; ++i) {
    // One position, that of the first bone, and no rotation.
    out.u8(1).zeros(5).u8(frame.bone_x).zeros(2);
  }
  return out.get();
}

byte_vector join(const std::vector<byte_vector>& parts) {
  bytes out;
  for (const byte_vector& part : parts) out.raw(part);
  return out.get();
}

}  // namespace tickreel::hand_made
