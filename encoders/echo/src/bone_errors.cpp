#include "tickreel/echo/bone_errors.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include "tickreel/describe/schema.hpp"
#include "tickreel/echo/described.hpp"

namespace tickreel::echo {

namespace {

std::string shortest_number(double value) {
  char room[32];
  return std::string(room, std::to_chars(room, room + sizeof room, value).ptr);
}

}  // namespace

std::string sentence_of(const bone_errors& largest) {
  // Without the rounding error of the product, so that a limit is printed as it was given: 0.0005 m are 0.5
  // mm.
  const double mm = std::round(largest.position_m * 1e9) / 1e6;
  return shortest_number(mm) + " mm, " + shortest_number(largest.rotation_deg) + " degrees";
}

void allow_bone_errors(schema& of, const bone_errors& largest) {
  // Each of three coordinates. Each of four numbers of a quaternion: they are off by 2 x together at most, which is
  // the sine of half the angle.
  const double axis_m = largest.position_m / std::numbers::sqrt3;
  const double part = std::sin(largest.rotation_deg / 360 * std::numbers::pi) / 2;
  for (schema_type& type : of.types) {
    if (type.kind != type_kind::structure || type.name != described_name<bone_player>()) continue;
    for (schema_field& field : type.fields) {
      if (field.name == "positions") {
        field.declared.kept = precision::tolerance;
        field.declared.most = axis_m;
      } else if (field.name == "rotations") {
        field.declared.kept = precision::tolerance;
        field.declared.most = part;
        field.declared.how = relation::rotation;
      }
    }
  }
}

}  // namespace tickreel::echo
