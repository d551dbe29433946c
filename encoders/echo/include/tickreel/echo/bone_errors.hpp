// Bones that are recorded near their values instead of exactly, in reels of columns.
#pragma once

#include <string>

namespace tickreel {
struct schema;
}

namespace tickreel::echo {

// How far the bones of a recording may be from those of the game: a distance, and an angle.
struct bone_errors {
  double position_m = 0;
  double rotation_deg = 0;
};

// The key of sentence_of() in a reel's metadata.
inline constexpr const char* bone_errors_key = "bone_errors";
// "0.5 mm, 0.1 degrees"
[[nodiscard]] std::string sentence_of(const bone_errors& largest);

// Declares it in the schema of a recorded_tick (described.hpp). All other members stay exact, and so does a number
// that is NaN or infinite. Errors do not accumulate.
void allow_bone_errors(schema& of, const bone_errors& largest);

}  // namespace tickreel::echo
