#include "parts_writer.hpp"

namespace tickreel::echo {

namespace {

void append_positions(json_output& out, const bone_player& from) {
  out.key("bone_t");
  out.open_value('[');
  for (const vec3& at : from.positions) {
    out.value(at.x);
    out.value(at.y);
    out.value(at.z);
  }
  out.close(']');
}

void append_rotations(json_output& out, const bone_player& from) {
  out.key("bone_o");
  out.open_value('[');
  for (const quat& turn : from.rotations) {
    out.value(turn.x);
    out.value(turn.y);
    out.value(turn.z);
    out.value(turn.w);
  }
  out.close(']');
}

void append_user_bones(json_output& out, const state& from, json_shape shape) {
  out.key("user_bones");
  if (from.bones != bones_kind::present) return out.null();
  out.open_value('[');
  for (std::size_t i = 0; i < std::min<std::size_t>(from.bone_player_count, max_players); ++i) {
    const bone_player& bones = from.bone_players[i];
    out.open_value('{');
    if (shape == json_shape::model) {
      append_rotations(out, bones);
      append_positions(out, bones);
    } else {
      append_positions(out, bones);
      if (bones.playerid != -1) out.pair("playerid", bones.playerid);
      append_rotations(out, bones);
    }
    out.close('}');
  }
  out.close(']');
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
  json.open('{');
  if (shape == json_shape::model) {
    append_user_bones(json, from, shape);
    json.pair("error_code", std::int32_t{0});
    json.key("err_description");
    json.null();
  } else {
    if (from.bones == bones_kind::present) append_user_bones(json, from, shape);
    json.pair("err_code", std::int32_t{0});
  }
  json.close('}');
}

}  // namespace tickreel::echo
