// VC-MP recordings of everything: each packet is a tick.
#pragma once

#include <memory>

#include "rec_file.hpp"
#include "tickreel/recording/recording.hpp"

namespace tickreel::recording {

// The file is held in memory: packets have no fixed size.
result<std::unique_ptr<recording>> open_rec_packets(rec_file from);

}  // namespace tickreel::recording
