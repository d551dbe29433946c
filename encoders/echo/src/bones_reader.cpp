#include "answer_reader.hpp"

namespace tickreel::echo {

namespace {

bool positions(answer_reader& reader, member& from, bone_player& to) {
  float numbers[bone_count * 3];
  if (!reader.take(from, numbers, std::size(numbers))) return false;
  for (std::size_t i = 0; i < bone_count; ++i) {
    to.positions[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  }
  return true;
}

bool rotations(answer_reader& reader, member& from, bone_player& to) {
  float numbers[bone_count * 4];
  if (!reader.take(from, numbers, std::size(numbers))) return false;
  for (std::size_t i = 0; i < bone_count; ++i) {
    to.rotations[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
  }
  return true;
}

bool playerid(answer_reader& reader, member& from, bone_player& to) {
  return reader.take(from, to.playerid);
}

constexpr std::uint64_t both_arrays = 3;  // the first two entries of the table

constexpr auto bone_player_keys = make_key_table<bone_player>({
    {"bone_t", positions},
    {"bone_o", rotations},
    {"playerid", playerid},
});

bool user_bones(answer_reader& reader, member& from, state& to) {
  to.bone_player_count = 0;
  const bool is_list = reader.array(from, [&](member& element) {
    if (to.bone_player_count == max_players) {
      reader.note(omission_kind::dropped_player, element, reader.naming(element, "playerid"));
      return;
    }
    bone_player& next = to.bone_players[to.bone_player_count];
    next = bone_player{};
    std::uint64_t seen = 0;
    if (!reader.object(element, bone_player_keys, next, &seen)) return;
    if ((seen & both_arrays) != both_arrays) reader.note(omission_kind::missing_part, element, {});
    ++to.bone_player_count;
  });
  if (is_list) to.bones = bones_kind::present;
  return is_list;
}

// Error fields of the response, in the notations of the API and of the known .butter decoder's model. A state
// cannot store them.
bool ignored(answer_reader&, member&, state&) {
  return true;
}

constexpr auto bones_keys = make_key_table<state>({
    {"user_bones", user_bones},
    {"err_code", ignored},
    {"error_code", ignored},
    {"err_description", ignored},
});

}  // namespace

void read_bones(answer_reader& reader, simdjson::ondemand::object& root) noexcept {
  reader.members(root, place{}, bones_keys, reader.out());
}

}  // namespace tickreel::echo
