#include "tickreel/tape/round_trip.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tickreel/counted.hpp"
#include "tickreel/echo/described.hpp"

namespace tickreel::tape {

namespace {

// The frequent case. Different padding only costs the comparison of the members.
template <class T>
bool has_equal_bytes(const T& a, const T& b) noexcept {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
inline constexpr bool is_short_text = false;
template <std::size_t Capacity>
inline constexpr bool is_short_text<echo::text<Capacity>> = true;

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t Count>
inline constexpr bool is_std_array<std::array<T, Count>> = true;

// The same member of another struct of the same type.
template <class Owner, class Member>
const Member& same_member(const Owner& of, const Member& member, const Owner& other) noexcept {
  const auto offset = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&of);
  return *reinterpret_cast<const Member*>(reinterpret_cast<const char*>(&other) + offset);
}

}  // namespace

void round_trip::differs(std::string_view name) {
  std::string path;
  for (const std::string_view each : path_) path.append(each).push_back('.');
  if (name != "fields") path += name;
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const entry& each) { return each.path == path; });
  entry& one = found != entries_.end() ? *found : entries_.emplace_back(entry{std::move(path), 0, tick_});
  ++one.count;
}

void round_trip::compare_pose(std::string_view name, const echo::pose& from, const echo::pose& back) {
  path_.push_back(name);
  if (from.fields != back.fields) differs("fields");
  compare_value("position", from.position, back.position);
  path_.pop_back();
  if (from.forward == back.forward && from.left == back.left && from.up == back.up) return;
  const auto error = [&](const echo::vec3& a, const echo::vec3& b) {
    return (std::max)({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
  };
  const float worst =
      (std::max)({error(from.forward, back.forward), error(from.left, back.left), error(from.up, back.up)});
  // False for NaN.
  if (worst <= rounded_axis) return;
  if (rotations_++ == 0) first_rotation_ = tick_;
  worst_axis_ = (std::max)(worst_axis_, worst);
}

template <class T>
void round_trip::compare_value(std::string_view name, const T& from, const T& back) {
  if constexpr (std::is_same_v<T, echo::pose>) {
    compare_pose(name, from, back);
  } else if constexpr (is_short_text<T> || std::is_same_v<T, echo::holding>) {
    if (!(from == back)) differs(name);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!(from == back) && !(std::isnan(from) && std::isnan(back))) differs(name);
  } else if constexpr (std::is_array_v<T> || is_std_array<T>) {
    for (std::size_t i = 0; i < std::size(from); ++i) compare_value(name, from[i], back[i]);
  } else if constexpr (described<T>) {
    path_.push_back(name);
    visit_fields(from, [&](std::string_view member_name, const auto& member) {
      compare_value(member_name, member, same_member(from, member, back));
    });
    path_.pop_back();
  } else {
    if (from != back) differs(name);
  }
}

void round_trip::compare(const echo::state& from, const echo::state& back, std::uint64_t tick) {
  tick_ = tick;
  path_.clear();
  compare_value("recorded_time_ms", from.recorded_time_ms, back.recorded_time_ms);
  compare_value("session", from.match, back.match);
  if (from.match.player_count == back.match.player_count) {
    for (std::size_t i = 0; i < from.match.player_count; ++i) {
      if (has_equal_bytes(from.players[i], back.players[i])) continue;
      compare_value("players", from.players[i], back.players[i]);
    }
  } else {
    differs("players");
  }
  if (from.bones != back.bones) differs("bones");
  if (from.bone_player_count != back.bone_player_count) return differs("skeletons");
  for (std::size_t i = 0; i < from.bone_player_count; ++i) {
    if (has_equal_bytes(from.bone_players[i], back.bone_players[i])) continue;
    compare_value("skeletons", from.bone_players[i], back.bone_players[i]);
  }
}

std::vector<std::string> round_trip::sentences() const {
  std::vector<std::string> all;
  if (rotations_ != 0) {
    char digits[64];  // the largest float has 39 digits before its decimal point
    const auto [end, status] = std::to_chars(digits, digits + sizeof(digits),
                                             static_cast<double>(worst_axis_), std::chars_format::fixed, 6);
    all.push_back(counted(rotations_, "pose was", "poses were") +
                  " stored as quaternions, with axes that differ by up to " + std::string(digits, end) +
                  "; the first is in tick " + std::to_string(first_rotation_));
  }
  for (const entry& each : entries_) {
    const bool is_of_keys = each.path.empty() || each.path.back() == '.';
    const std::string owner =
        is_of_keys && !each.path.empty() ? each.path.substr(0, each.path.size() - 1) : "the tick";
    all.push_back((is_of_keys ? "which keys of " + owner + " are present cannot be stored, in " +
                                    counted(each.count, "case")
                              : counted(each.count, "value") + " of " + each.path + " cannot be stored") +
                  "; the first is in tick " + std::to_string(each.first_tick));
  }
  return all;
}

}  // namespace tickreel::tape
