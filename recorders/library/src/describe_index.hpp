// Describes a recording by the index object of an archive, without reading the recording.
#pragma once

#include "describe_file.hpp"
#include "tickreel/store/index_object.hpp"

namespace tickreel::library {

// Empty if the index object contains too little.
[[nodiscard]] std::optional<description> describe_index(const store::index_object& from);

}  // namespace tickreel::library
