// Edits: write a changed copy of a recording in the same format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct edit_options {
  bool overwrite = false;
  // For anonymise() of Echo VR. With the same secret text a player has the same new name in every file;
  // without it players are numbered in each file.
  std::string salt = {};
  monitor watch = {};
};

struct edit_report {
  std::uint64_t bytes = 0;    // of the output
  std::uint64_t changes = 0;  // places that differ from the input
  // Notes about the output, as sentences: "the signatures are no longer valid".
  std::vector<std::string> notes;
  // Parts that could not be edited as requested, as sentences. If not empty, the exit code is 3.
  std::vector<std::string> lost = {};
  // Facts of a single edit, added at the end of the JSON document.
  std::vector<fact> facts = {};
};

// Replaces names, ids and chat with neutral text: "Player 1", "Player 2". A player has the same new name
// everywhere in the file, and the game data stays unchanged. unsupported_operation if the format has no such
// edit. The output appears complete or not at all; the input is only read.
result<edit_report> anonymise(const file_path& input, const file_path& output,
                              const edit_options& options = {});

// Options of a copy with the same content in another compression.
struct recompress_options {
  // Empty: the default codec of the format, at the level that gives the smallest files.
  std::optional<codec_options> codec = std::nullopt;
  bool overwrite = false;
  monitor watch = {};
};
// invalid_argument or unsupported_codec for a codec that the format does not support.
result<edit_report> recompress(const file_path& input, const file_path& output,
                               const recompress_options& options = {});

// Removes recorded voice.
result<edit_report> strip_voice(const file_path& input, const file_path& output,
                                const edit_options& options = {});

// Encodes a reel again for the archive: blocks of ten seconds, as small as possible, which takes more time to
// write and to open. Values, ticks, events and gaps are unchanged. Losses of the input become gaps of the
// output and are reported. unsupported_operation for everything but reels of described structs. Facts:
// bytes_before.
result<edit_report> compact(const file_path& input, const file_path& output,
                            const edit_options& options = {});

// Result of compact() for a few blocks of a reel, and the size of those blocks in the reel.
struct compaction_sample {
  std::uint64_t bytes = 0;  // 0: no chunk of the reel is readable
  std::uint64_t compacted_bytes = 0;
};
// Reads and encodes two blocks of at most ten seconds, so that a caller can skip a compact() that would save
// little. Fails as compact() does.
result<compaction_sample> sample_compaction(const file_path& input, const monitor& watch = {});

// Derives the events again with the rules of this version and stores them in a reel. Of a reel, ticks are
// unchanged and earlier events are replaced. For a reel the output may be the input, with `overwrite`: it is
// replaced atomically, and must be complete (wrong_state) and not locked (in_use). unsupported_operation if
// no events are derived from such recordings, or the format cannot store them; invalid_argument if the
// output's name is not that of a reel. Facts: ticks, events, events_before.
result<edit_report> derive(const file_path& input, const file_path& output, const edit_options& options = {});

// Options of a signature over a recorded match, as made by a relay that received it. Facts: signer,
// signatures, covers_keyframes.
struct sign_options {
  std::array<std::byte, 32> key_seed{};  // see key_file.hpp
  std::uint32_t interval_ticks = 30;
  // Replace existing signatures; false: they are an error, wrong_state. Signatures that are not valid are always
  // an error, checksum_mismatch.
  bool replace = false;
  bool overwrite = false;
  monitor watch = {};
};
result<edit_report> sign(const file_path& input, const file_path& output, const sign_options& options);

}  // namespace tickreel::files
