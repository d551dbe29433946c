#include "parts_writer.hpp"

namespace tickreel::echo {

namespace {

void append_positions(json_output& out, const bone_player& from) {
  out.key("bone_t");
  out.begin_array();
  for (const vec3& at : from.positions) {
    out.value(at.x);
    out.value(at.y);
    out.value(at.z);
  }
  out.end_array();
}

void append_rotations(json_output& out, const bone_player& from) {
  out.key("bone_o");
  out.begin_array();
  for (const quat& turn : from.rotations) {
    out.value(turn.x);
    out.value(turn.y);
    out.value(turn.z);
    out.value(turn.w);
  }
  out.end_array();
}

void append_user_bones(json_output& out, const state& from, json_shape shape) {
  out.key("user_bones");
  if (from.bones != bones_kind::present) {
    out.null();
    return;
  }
  out.begin_array();
  for (std::size_t i = 0; i < std::min<std::size_t>(from.bone_player_count, max_players); ++i) {
    const bone_player& bones = from.bone_players[i];
    out.begin_object();
    if (shape == json_shape::model) {
      append_rotations(out, bones);
      append_positions(out, bones);
    } else {
      append_positions(out, bones);
      if (bones.playerid != -1) out.member("playerid", bones.playerid);
      append_rotations(out, bones);
    }
    out.end_object();
  }
  out.end_array();
}

}  // namespace

void append_session_json(const state& from, json_shape shape, number_style numbers, std::string& out) {
  json_output json(out, numbers);
  if (shape == json_shape::api) {
    append_session_as_api(json, from);
  } else {
    append_session_as_model(json, from);
  }
}

void append_bones_json(const state& from, json_shape shape, number_style numbers, std::string& out) {
  if (shape == json_shape::model && from.bones == bones_kind::absent) return;
  json_output json(out, numbers);
  json.begin_object();
  if (shape == json_shape::model) {
    append_user_bones(json, from, shape);
    json.member("error_code", std::int32_t{0});
    json.key("err_description");
    json.null();
  } else {
    if (from.bones == bones_kind::present) append_user_bones(json, from, shape);
    json.member("err_code", std::int32_t{0});
  }
  json.end_object();
}

}  // namespace tickreel::echo
