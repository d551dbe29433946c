// Edits of Echo VR recordings.
#pragma once

#include "tickreel/files/edit.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// For .butter, .echoreplay and reels of either. Ticks are encoded again.
result<edit_report> anonymise_echo(const file_path& input, const file_path& output,
                                   const edit_options& options);
// For .butter and .echoreplay.
result<edit_report> recompress_echo(const file_path& input, const file_path& output,
                                    const recompress_options& options);
result<edit_report> derive_echo(const file_path& input, const file_path& output, const edit_options& options);
result<edit_report> derive_reel(const file_path& input, const file_path& output, const edit_options& options);

}  // namespace tickreel::files
