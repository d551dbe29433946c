#include "places.hpp"

#include <simdjson.h>
#include <algorithm>
#include <cmath>
#include <span>

#include "tickreel/echo/state.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

namespace {

using json_array = simdjson::dom::array;
using json_element = simdjson::dom::element;
using json_object = simdjson::dom::object;

constexpr int max_place_depth = 10;
constexpr double max_coordinate = 1e15;

constexpr std::string_view position_names[] = {
    "pos",         "position", "location",  "origin", "place",  "coord",  "coords",      "loc",
    "coordinates", "pose",     "transform", "point",  "centre", "center", "translation", "coordinate"};
// Words in names of vectors that are no position, also in the plural.
constexpr std::string_view other_words[] = {
    "veloc",   "velocity",  "speed",   "accel",    "acceleration", "force",  "momentum",
    "forward", "normal",    "rot",     "rotation", "quat",         "angle",  "quaternion",
    "euler",   "angular",   "scale",   "size",     "color",        "colour", "orientation",
    "axis",    "direction", "gravity", "orient",   "extent",       "spin",   "bone",
    "offset",  "inertia",   "range",   "bounds",   "velocities",   "axes"};
constexpr std::string_view other_whole_names[] = {"left", "right", "up", "down", "dir", "min", "max"};
// Words in names of positions that are not the object's own.
constexpr std::string_view elsewhere_words[] = {"goal",   "target", "dest", "destination", "aim",  "look",
                                                "camera", "view",   "prev", "previous",    "last", "old",
                                                "start",  "spawn",  "home", "waypoint"};

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}
bool is_position(std::string_view name) {
  return std::ranges::count(position_names, std::string_view(in_lower_case(name))) != 0;
}
// "last_position" and "lastPosition" have the words "last" and "position".
bool has_word(std::string_view name, std::span<const std::string_view> words) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const bool is_end = at == name.size() || !text::is_letter(name[at]);
    const bool is_capital = !is_end && name[at] <= 'Z' && at != begin && name[at - 1] >= 'a';
    if (!is_end && !is_capital) continue;
    std::string word = in_lower_case(name.substr(begin, at - begin));
    if (std::ranges::count(words, std::string_view(word)) != 0) return true;
    if (word.ends_with('s')) word.pop_back();
    if (std::ranges::count(words, std::string_view(word)) != 0) return true;
    begin = is_end ? at + 1 : at;
  }
  return false;
}
bool is_other(std::string_view name) {
  return std::ranges::count(other_whole_names, std::string_view(in_lower_case(name))) != 0 ||
         has_word(name, other_words);
}

struct place_vector {
  double x = 0;
  double y = 0;
  double z = 0;
};
bool is_valid(double value) {
  return std::isfinite(value) && std::abs(value) <= max_coordinate;
}
// `from`: an element, or the result of looking for one.
template <class Element>
bool read_number(const Element& from, double& out) {
  return from.get_double().get(out) == simdjson::SUCCESS && is_valid(out);
}

// "x" of "x", "X", "pos_x" and "positionX": the name without its last letter must be that of a position.
bool begins_coordinates(std::string_view key) {
  if (key.empty() || (key.back() != 'x' && key.back() != 'X')) return false;
  key.remove_suffix(1);
  while (key.ends_with('_')) key.remove_suffix(1);
  if (key.empty()) return true;
  const std::size_t word = key.rfind('_');
  return is_position(word == std::string_view::npos ? key : key.substr(word + 1));
}
// Its own coordinates, as members of the object.
bool read_members(const json_object& from, place_vector& out) {
  for (const auto [key, value] : from) {
    if (!begins_coordinates(key) || !read_number(value, out.x)) continue;
    const char step = key.back() == 'X' ? 'Y' : 'y';
    std::string other(key);
    other.back() = step;
    if (!read_number(from[other], out.y)) continue;
    other.back() = static_cast<char>(step + 1);
    if (!read_number(from[other], out.z)) out.z = 0;
    return true;
  }
  return false;
}
bool read_list(const json_array& from, place_vector& out) {
  if (from.size() != 2 && from.size() != 3) return false;
  double* const to[] = {&out.x, &out.y, &out.z};
  std::size_t at = 0;
  out.z = 0;
  for (const json_element each : from) {
    if (!read_number(each, *to[at++])) return false;
  }
  return true;
}

// The first of these members that is a text or a whole number.
std::string word_of(const json_object& from, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    std::string_view text;
    std::int64_t number = 0;
    if (from[key].get(text) == simdjson::SUCCESS) return std::string(text);
    if (from[key].get(number) == simdjson::SUCCESS) return std::to_string(number);
  }
  return {};
}

class place_search {
 public:
  explicit place_search(std::vector<place>& out) : out_(out) {}

  // `path` is the place's id, `outer` has the name of the object around it. `is_elsewhere`: its own coordinates are those
  // of another place.
  void object_at(const json_object& from, const std::string& path, const place& outer, int depth,
                 bool is_elsewhere = false) {
    if (depth > max_place_depth) return;
    place own = outer;
    if (std::string name = word_of(from, {"name", "label", "player_name", "id"}); !name.empty())
      own.name = std::move(name);
    if (std::string group = word_of(from, {"team", "owner", "faction", "side"}); !group.empty())
      own.group = std::move(group);
    place_vector at;
    if (!is_elsewhere && read_members(from, at)) add(own, path, at);
    for (const auto [key, value] : from) {
      if (is_other(key)) continue;
      const std::string inside = path.empty() ? std::string(key) : path + '.' + std::string(key);
      json_object members;
      json_array items;
      if (value.get(members) == simdjson::SUCCESS) {
        object_at(members, inside, named(own, key), depth + 1, has_word(key, elsewhere_words));
      } else if (value.get(items) == simdjson::SUCCESS) {
        if (is_position(key) && read_list(items, at)) {
          add(named(own, key), inside, at);
        } else {
          list_at(items, inside, named(own, key), depth + 1);
        }
      }
    }
  }
  [[nodiscard]] std::uint64_t hidden() const noexcept { return hidden_; }

 private:
  void list_at(const json_array& from, const std::string& path, const place& outer, int depth) {
    std::size_t number = 0;
    for (const json_element each : from) {
      json_object members;
      if (each.get(members) == simdjson::SUCCESS) {
        object_at(members, path + '[' + std::to_string(number) + ']', outer, depth + 1);
      }
      ++number;
    }
  }
  // An object without a name has that of its member.
  static place named(const place& own, std::string_view key) {
    place out = own;
    if (out.name.empty()) out.name = key;
    return out;
  }
  void add(const place& of, const std::string& path, const place_vector& at) {
    if (out_.size() == max_places) {
      ++hidden_;
      return;
    }
    place& added = out_.emplace_back(of);
    added.id = path.empty() ? "tick" : path;
    added.x = at.x;
    added.y = at.y;
    added.z = at.z;
  }

  std::vector<place>& out_;
  std::uint64_t hidden_ = 0;
};

// Echo VR's y points up; viewers expect z. The order of the axes stays cyclic, so that nothing is mirrored.
bool set_position(const echo::pose& from, place& to) {
  if ((from.fields & echo::pose::has_position) == 0) return false;
  to.x = static_cast<double>(from.position.z);
  to.y = static_cast<double>(from.position.x);
  to.z = static_cast<double>(from.position.y);
  return is_valid(to.x) && is_valid(to.y) && is_valid(to.z);
}

}  // namespace

void places_of(const echo::state& tick, std::vector<place>& out) {
  out.clear();
  const echo::session& match = tick.match;
  place disc{.id = "disc", .diameter = 0.3};
  if ((match.fields & echo::session::has_disc) != 0 && set_position(match.disc.at, disc)) out.push_back(disc);
  std::size_t at = 0;
  for (std::size_t team = 0; team < match.team_count; ++team) {
    constexpr std::string_view groups[] = {"blue", "orange", "spectator"};
    for (std::size_t member = 0; member < match.teams[team].player_count && at < tick.players.size();
         ++member, ++at) {
      const echo::player& each = tick.players[at];
      place one{.id = "player " + std::to_string(at),
                .name = std::string(each.name.view()),
                .group = std::string(groups[std::min(team, std::size(groups) - 1)]),
                .diameter = 0.5};
      if (set_position(each.head, one) || set_position(each.body, one)) out.push_back(std::move(one));
    }
  }
}

struct place_finder::parser {
  simdjson::dom::parser json;
};

place_finder::place_finder() : parser_(std::make_unique<parser>()) {}
place_finder::~place_finder() = default;

std::uint64_t place_finder::find(std::string_view tick, std::vector<place>& out) {
  out.clear();
  json_object root;
  if (parser_->json.parse(tick.data(), tick.size()).get(root) != simdjson::SUCCESS) return 0;
  place_search search(out);
  search.object_at(root, {}, {}, 0);
  return search.hidden();
}

}  // namespace tickreel::files
