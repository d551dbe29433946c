// Objects of a tick that have a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::echo {
struct state;
}

namespace tickreel::files {

// Of one tick; as in the viewer.
inline constexpr std::size_t max_places = 20'000;

struct place {
  std::string id = {};     // unique in the tick, and the same in the next
  std::string name = {};   // may be empty
  std::string group = {};  // a team, an owner; may be empty
  double x = 0;
  double y = 0;
  double z = 0;  // up
  double diameter = 1;
};

// The disc and the players of an Echo VR tick. Replaces `out`.
void places_of(const echo::state& tick, std::vector<place>& out);

// Finds positions in the JSON of any tick, by the names of members: objects with x and y (and z), and members such as
// "position" or "pos" that are lists of two or three numbers. Names of velocities, rotations, targets and the like
// are no positions. Objects are named by their members name, label or id.
class place_finder {
 public:
  place_finder();
  ~place_finder();
  // Replaces `out`. Returns the number of positions beyond max_places.
  std::uint64_t find(std::string_view tick, std::vector<place>& out);

 private:
  struct parser;
  std::unique_ptr<parser> parser_;
};

}  // namespace tickreel::files
