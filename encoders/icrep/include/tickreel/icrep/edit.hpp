// Copies finished files with changes: signed, compressed again, without names, without voice. Pure functions from
// the bytes of one file to the bytes of another, which is written again from its sections.
//
// All of them fail with wrong_state for a file that is still live, and with the reader's error for damage
// that prevents the operation: recover such files first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/icrep/signature.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct sign_options {
  // One state hash is signed per this many ticks, if the file has it; also every keyframe whose hash can be
  // computed, and the end.
  std::uint32_t interval_ticks = 30;
  // A signed file is rejected with wrong_state, unless its signatures may be replaced. One whose signatures are
  // not valid is always rejected, with checksum_mismatch.
  bool replace = false;
  limits most = {};
};

struct signed_file {
  byte_vector file;
  public_key signer{};
  std::size_t entries = 0;
  // Missing ticks of the recording, as stated by the signatures.
  std::uint64_t skipped_ticks = 0;
  // Signed state hashes are those of keyframes: core_hash(). Otherwise only the game can check, by a
  // simulation, that keyframes follow from the orders.
  bool covers_keyframes = false;
};

// Signs the state hashes in the file, and seals all of its content. The key pair is derived from 32 secret
// random bytes. Of a hash whose first 8 bytes alone are in the file, as in order frames, the other bytes are
// signed as zeros. Rejects a file in which verify() finds damage, and with unsupported_operation one without
// any state hash. Blocks that differ from the form of our writers are rewritten.
[[nodiscard]] result<signed_file> sign_file(byte_span file, std::span<const std::byte, 32> key_seed,
                                            const sign_options& options = {});

// verify_signatures(), and a check of the signer; another signer counts as tampered.
[[nodiscard]] signature_report verify_signatures_of(const reader& from, const public_key& expected);

struct recompress_options {
  bool compress = true;  // LZ4, or stored
  int level = 0;         // 3 to 12: slower and smaller; others: LZ4's fast default
  // Ticks of an order block, 32 to 1024: longer ones compress better, shorter ones are read faster.
  std::uint32_t block_ticks = 256;
  limits most = {};
};

// Writes orders, events and voice in blocks of full length and compresses them and the keyframes again. Their
// content stays unchanged byte for byte, so signatures stay valid. Metadata and embedded resources stay
// unchanged. unsupported_codec in a build without LZ4.
[[nodiscard]] result<byte_vector> recompress_file(byte_span file, const recompress_options& options = {});

// The position of a text in component bytes: a u16 length, the text, zeros up to size_bytes. A schema
// contains only sizes of components, so the caller supplies these.
struct text_value {
  enum class list : std::uint8_t { components, player_fields, world };
  list of = list::components;
  std::uint32_t slot = 0;
  std::uint32_t offset = 0;
  std::uint32_t size_bytes = 0;  // with the length
};

struct anonymise_options {
  std::vector<text_value> texts = {};
  // Metadata keys whose values contain no names.
  std::vector<std::string> keep_keys = {};
  // For metadata without a schema.
  std::optional<icrep::schema> schema = {};
  limits most = {};
};

struct anonymised_file {
  byte_vector file;
  std::uint64_t changes = 0;  // replaced names
  bool dropped_signature = false;
  bool has_voice = false;  // by which a person may be recognised
  // Places that only the game can read and that still contain a name's bytes: its own orders and states.
  std::uint64_t unreadable_places = 0;
};

// Every player's name becomes "Player N", where N is the player's index in the metadata: in the metadata,
// chat, commands, console variables, votes, interned strings, script texts, and components that contain
// texts. Names are matched as whole words, without regard to the case of A to Z. Hashes of states with names
// are computed again, or become unknown; signatures become invalid and are removed.
[[nodiscard]] result<anonymised_file> anonymise_file(byte_span file, const anonymise_options& options = {});

struct silent_file {
  byte_vector file;
  bool had_voice = false;     // false: `file` is a copy, without trailing bytes
  bool dropped_seal = false;  // only states remain signed
};

// The same file without voice. The chain of state hashes stays valid; the seal over everything is removed.
[[nodiscard]] result<silent_file> strip_voice(byte_span file, const limits& most = {});

}  // namespace tickreel::icrep
