// The encoders whose reels are known here: one row each.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "echo/echo_input.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct reel_encoder {
  std::string_view name;       // as a reel's header names it
  std::string_view extension;  // of the file that its reels are published as
  bool (*reads_version)(std::uint32_t version) noexcept;
  std::uint32_t newest_version;
  // Says what cannot be read: the version found, and the newest that is known.
  const char* other_version;
  result<std::unique_ptr<recording>> (*open)(const byte_source& from, const open_options& options);
  // Null where the frames are no Echo VR ticks.
  result<std::unique_ptr<echo_input>> (*open_echo)(reel::reader source, const echo_options& options);
  // Lays the frames out as the file of `extension`, or one of `other_formats` as its name tells; null where
  // the reel itself is that file.
  result<recover_report> (*publish)(const file_path& reel, const file_path& output,
                                    const recover_options& options);
  // Of encoders of one name: whether the reel is this row's. Null: it is.
  bool (*holds)(const reel::header& head) = nullptr;
  std::span<const std::string_view> other_formats = {};
};

[[nodiscard]] std::span<const reel_encoder> reel_encoders() noexcept;

// Null for an encoder that is not known here.
[[nodiscard]] const reel_encoder* known_reel_encoder(const reel::header& head) noexcept;
// unsupported_operation for an encoder that is not known here, unsupported_version for another version of
// one.
[[nodiscard]] result<const reel_encoder*> reel_encoder_of(const reel::header& head) noexcept;

result<std::unique_ptr<echo_input>> open_butter_reel(reel::reader source, const echo_options& options);
result<std::unique_ptr<echo_input>> open_echoreplay_reel(reel::reader source, const echo_options& options);
result<std::unique_ptr<echo_input>> open_row_reel(reel::reader source, const echo_options& options);
result<std::unique_ptr<recording>> open_echo_reel_recording(const byte_source& from,
                                                            const open_options& options);
result<recover_report> publish_echo_reel(const file_path& reel, const file_path& output,
                                         const recover_options& options);
result<recover_report> publish_row_reel(const file_path& reel, const file_path& output,
                                        const recover_options& options);
result<recover_report> publish_match_reel(const file_path& reel, const file_path& output,
                                          const recover_options& options);

}  // namespace tickreel::files
