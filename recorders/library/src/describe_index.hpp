// What the index object of an archive tells of its recording, as if that had been read.
#pragma once

#include "describe_file.hpp"
#include "tickreel/store/index_object.hpp"

namespace tickreel::library {

// Nothing when it says too little to stand for the recording.
[[nodiscard]] std::optional<description> describe_index(const store::index_object& from);

}  // namespace tickreel::library
