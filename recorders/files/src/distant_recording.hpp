// Recordings whose bytes are fetched from another machine.
#pragma once

#include <memory>

#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// The bytes at a registered address.
result<distant_file> open_distant_bytes(const file_path& address);
// Opens the recording there. If bytes could not be fetched, its functions return that error, and not the damage that the
// format's reader found instead.
result<std::unique_ptr<recording>> open_distant_recording(const file_path& address,
                                                          const open_options& options);

}  // namespace tickreel::files
