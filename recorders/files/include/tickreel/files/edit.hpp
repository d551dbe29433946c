// A copy of a recording with something changed in it, in the same format.
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
  // Of anonymise(), for Echo VR: with the same secret text the same person becomes the same in every file;
  // without one he is numbered in each.
  std::string salt = {};
  monitor watch = {};
};

struct edit_report {
  std::uint64_t bytes = 0;    // of the output
  std::uint64_t changes = 0;  // places that differ from the input
  // What the reader of the output should know, as sentences: "the signatures no longer hold".
  std::vector<std::string> notes;
  // What could not be done as asked, as sentences; not empty means exit code 3.
  std::vector<std::string> lost = {};
  // What only some edits know, for the end of the JSON document.
  std::vector<fact> facts = {};
};

// Names, identities and what was said become neutral: "Player 1", "Player 2". The same player has the same
// new name everywhere in the file, and the game itself stays as it was. unsupported_operation where the
// format has no such edit. The output appears whole or not at all; the input is only read.
result<edit_report> anonymise(const file_path& input, const file_path& output,
                              const edit_options& options = {});

// The same content, compressed otherwise.
struct recompress_options {
  // Empty: what suits the format, at the level that gives the smallest files.
  std::optional<codec_options> codec = std::nullopt;
  bool overwrite = false;
  monitor watch = {};
};
// invalid_argument or unsupported_codec for a codec that the format has not.
result<edit_report> recompress(const file_path& input, const file_path& output,
                               const recompress_options& options = {});

// The same without what people said aloud.
result<edit_report> strip_voice(const file_path& input, const file_path& output,
                                const edit_options& options = {});

// The same ticks for the archive: blocks of ten seconds, coded as small as they get, which takes more time to
// write and to open. Every value, tick, event and gap is what it was; what is lost in the input is a gap in
// the output, and told. unsupported_operation for all but reels of described structs. Facts: bytes_before.
result<edit_report> compact(const file_path& input, const file_path& output,
                            const edit_options& options = {});

// What compact() would make of a few blocks of a reel, and the bytes they have in it.
struct compaction_sample {
  std::uint64_t bytes = 0;  // 0: the reel has no chunk that can be read
  std::uint64_t compacted_bytes = 0;
};
// Reads and codes two blocks of at most ten seconds, for callers that must not spend the time of compact()
// where it saves little. Fails as compact() does.
result<compaction_sample> sample_compaction(const file_path& input, const monitor& watch = {});

// Finds what happened anew, by the rules of this version, and keeps it in a reel: of a reel with its ticks as
// they are, in the place of the events that were there. Of a reel the output may be the input, with
// `overwrite`; it is replaced all at once, and has to be whole (wrong_state) and free (in_use).
// unsupported_operation where nothing is derived from such recordings, or the format has no place for it;
// invalid_argument for an output that is not named as a reel. Facts: ticks, events, events_before.
result<edit_report> derive(const file_path& input, const file_path& output, const edit_options& options = {});

// Signs a match with all that is recorded, as a relay would that saw it. Facts: signer, signatures,
// covers_keyframes.
struct sign_options {
  std::array<std::byte, 32> key_seed{};  // see key_file.hpp
  std::uint32_t interval_ticks = 30;
  bool replace = false;  // signatures that are there; else wrong_state
  bool overwrite = false;
  monitor watch = {};
};
result<edit_report> sign(const file_path& input, const file_path& output, const sign_options& options);

}  // namespace tickreel::files
