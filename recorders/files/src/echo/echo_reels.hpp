// Reels with Echo VR ticks: frames of .butter and .echoreplay, or columns.
#pragma once

#include <memory>

#include "echo_input.hpp"
#include "reels/reel_encoders.hpp"

namespace tickreel::files {

result<std::unique_ptr<echo_input>> open_butter_reel(reel::reader source, const echo_options& options);
result<std::unique_ptr<echo_input>> open_echoreplay_reel(reel::reader source, const echo_options& options);
result<std::unique_ptr<echo_input>> open_row_reel(reel::reader source, const echo_options& options);
result<reel::frame_check> check_butter_frames(reel::reader& source);
result<reel::frame_check> check_echoreplay_frames(reel::reader& source);
result<std::unique_ptr<recording>> open_echo_reel_recording(const byte_source& from,
                                                            const open_options& options);
result<recover_report> publish_echo_reel(const file_path& reel, const file_path& output,
                                         const recover_options& options);
result<recover_report> publish_row_reel(const file_path& reel, const file_path& output,
                                        const recover_options& options);
result<publish_report> write_file_of_rows(reel::reader source, const file_path& output,
                                          const publish_options& options, const monitor& watch);
result<publish_report> write_butter_of_reel(reel::reader source, const file_path& output,
                                            const publish_options& options, const monitor& watch);
result<publish_report> write_echoreplay_of_reel(reel::reader source, const file_path& output,
                                                const publish_options& options, const monitor& watch);

}  // namespace tickreel::files
