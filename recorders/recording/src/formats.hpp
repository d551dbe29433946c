// The functions behind the table in format.cpp: each format's own, in its own file.
#pragma once

#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

claim claims_butter(const probe& file) noexcept;
claim claims_echoreplay(const probe& file) noexcept;
claim claims_reel(const probe& file) noexcept;

result<std::unique_ptr<recording>> open_butter_recording(const std::filesystem::path& path,
                                                         const open_options& options);
result<std::unique_ptr<recording>> open_echoreplay_recording(const std::filesystem::path& path,
                                                             const open_options& options);
result<std::unique_ptr<recording>> open_reel_recording(const std::filesystem::path& path,
                                                       const open_options& options);

}  // namespace tickreel::recording
