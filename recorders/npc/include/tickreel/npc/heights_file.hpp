// The ground of San Andreas from a height map (.hmap) of 72 MB, read on demand.
#pragma once

#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/npc/plan.hpp"
#include "tickreel/result.hpp"

namespace tickreel::npc {

// Fails with the system's error, or not_recognised for a file of another size. The function keeps the file
// open, interpolates the four heights around a place, and is for one thread at a time.
result<height_function> open_heights(const file_path& path);
// The same for a map with other edges.
result<height_function> heights_of(const byte_source& from);

}  // namespace tickreel::npc
