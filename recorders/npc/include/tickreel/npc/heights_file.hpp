// The ground of San Andreas from a height map (.hmap), looked up in its file: 72 MB stay where they are.
#pragma once

#include <memory>

#include "tickreel/gta_world/height_map.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/npc/plan.hpp"
#include "tickreel/result.hpp"

namespace tickreel::npc {

// What the system says; not_recognised for a file of another size. The function keeps the file open, mixes
// the four heights about a place, and is for one thread at a time.
result<height_function> open_heights(const file_path& path);
// The same for a map that lies elsewhere.
result<height_function> heights_of(const byte_source& from);

}  // namespace tickreel::npc
