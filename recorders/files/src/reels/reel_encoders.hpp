// The known encoders of reels. Each belongs to the format that its reels are published as.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/format.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

class echo_input;     // echo/echo_input.hpp
struct echo_options;  // tickreel/files/echo_source.hpp

struct reel_encoder {
  std::string_view name;  // as in a reel's header
  bool (*reads_version)(std::uint32_t version) noexcept = nullptr;
  std::uint32_t newest_version = 0;
  // The error for an unsupported version, with that version and the newest supported one.
  const char* other_version = "";
  // Distinguishes encoders that share a name: whether this one wrote the reel. Null: always.
  bool (*holds)(const reel::header& head) = nullptr;

  result<std::unique_ptr<recording>> (*open)(const byte_source& from, const open_options& options) = nullptr;
  // Null if the frames are not Echo VR ticks.
  result<std::unique_ptr<echo_input>> (*open_echo)(reel::reader source,
                                                   const echo_options& options) = nullptr;

  // Whether its decoder accepts a frame of that reel. Null: the frames are not checked.
  result<reel::frame_check> (*check)(reel::reader& source) = nullptr;

  bool is_rounded = false;  // see echo_access
  page_reader reader = page_reader::others;
  content holds_content = content::ticks;

  recovery_target recovery = {};
  // Writes the frames as a file of `recovery`; null if the output is a reel.
  result<recover_report> (*recover)(const file_path& reel, const file_path& output,
                                    const recover_options& options) = nullptr;
  // The same for publish(), for a closed reel or one that is still being written; null if only convert() and
  // recover() write such files.
  result<publish_report> (*publish)(reel::reader source, const file_path& output,
                                    const publish_options& options, const monitor& watch) = nullptr;
};

// The error for an output that only a reel can be.
inline constexpr const char* only_a_reel = "a reel is recovered as a reel: name the output X.reel";

// Null for an unknown encoder.
[[nodiscard]] const reel_encoder* known_reel_encoder(const reel::header& head) noexcept;
// unsupported_operation for an unknown encoder, unsupported_version for an unknown version.
[[nodiscard]] result<const reel_encoder*> reel_encoder_of(const reel::header& head) noexcept;

// For a copy of the reel.
struct copy_check {
  reel::frame_check accepts;      // only ticks are checked if frames cannot be decoded
  std::vector<std::string> lost;  // says so, unless the encoder is unknown
};
[[nodiscard]] result<copy_check> check_for_copy(reel::reader& source);

}  // namespace tickreel::files
