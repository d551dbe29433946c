// Complete VC-MP recordings: each packet is a tick.
#pragma once

#include <memory>

#include "rec_file.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// The file is read into memory: packets have no fixed size.
result<std::unique_ptr<recording>> open_rec_packets(rec_file from);

}  // namespace tickreel::files
