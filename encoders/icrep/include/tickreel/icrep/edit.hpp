// Finished files made into others: signed, compressed anew, without names, without voice. Pure functions from
// the bytes of one file to the bytes of another, laid out anew from its sections.
//
// All of them fail with wrong_state for a file that is still live, and with what a reader says of damage
// where it stands in the way: recover such files first.
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
  // Every so many ticks one state hash is signed, where the file has it. Besides, every keyframe whose hash
  // can be computed, and the end.
  std::uint32_t interval_ticks = 30;
  // A file that is signed already is refused with wrong_state, unless its signatures may be replaced.
  bool replace = false;
  limits most = {};
};

struct signed_file {
  byte_vector file;
  public_key signer{};
  std::size_t entries = 0;
  // Ticks that the recording lacks, as the signatures say.
  std::uint64_t skipped_ticks = 0;
  // Signed state hashes are those of keyframes: they are core_hash(). Otherwise only the game can tell
  // whether keyframes follow from the orders, by playing them again.
  bool covers_keyframes = false;
};

// Signs the state hashes that the file holds, and seals everything in it. The key pair comes from 32 secret
// random bytes. Of a hash of which the file has only the first 8 bytes, as order frames do, the others are
// signed as zeros. Refuses a file that verify() finds damage in, and with unsupported_operation one without
// any state hash. Blocks that are not as our writers leave them are made anew.
[[nodiscard]] result<signed_file> sign_file(byte_span file, std::span<const std::byte, 32> key_seed,
                                            const sign_options& options = {});

// verify_signatures(), and that the signer is the one expected; another one counts as tampered.
[[nodiscard]] signature_report verify_signatures_of(const reader& from, const public_key& expected);

struct recompress_options {
  bool compress = true;  // LZ4, or stored
  int level = 0;         // 3 to 12: slower and smaller; others: LZ4's fast default
  // Ticks of an order block, 32 to 1024: longer ones compress better, shorter ones are read faster.
  std::uint32_t block_ticks = 256;
  limits most = {};
};

// Puts orders, events and voice into blocks of full length and compresses them and the keyframes anew. What
// they say stays the same byte for byte, so signatures go on holding. Metadata and embedded resources stay as
// they are. unsupported_codec in a build without LZ4.
[[nodiscard]] result<byte_vector> recompress_file(byte_span file, const recompress_options& options = {});

// Where component bytes hold a text: a u16 with its length, the text, zeros up to size_bytes. A schema says
// only how long components are, so whoever knows what is inside tells.
struct text_value {
  enum class list : std::uint8_t { components, player_fields, world };
  list of = list::components;
  std::uint32_t slot = 0;
  std::uint32_t offset = 0;
  std::uint32_t size_bytes = 0;  // with the length
};

struct anonymise_options {
  std::vector<text_value> texts = {};
  // Keys of the metadata whose values are no words about anybody.
  std::vector<std::string> keep_keys = {};
  // Where the metadata do not say.
  std::optional<icrep::schema> schema = {};
  limits most = {};
};

struct anonymised_file {
  byte_vector file;
  std::uint64_t changes = 0;  // places where a name stood
  bool dropped_signature = false;
  bool has_voice = false;  // and voices can be known
  // Places that only the game can read and that still hold a name's bytes: its own orders and states.
  std::uint64_t unreadable_places = 0;
};

// Every player's name becomes "Player N", N his place in the metadata: there, in chat, commands, console
// variables, votes, interned strings, script texts, and components that hold texts. A name is found as whole
// words, whatever the case of its letters A to Z. Hashes of states that hold names are computed anew, or
// become unknown; signatures, which no longer hold, go.
[[nodiscard]] result<anonymised_file> anonymise_file(byte_span file, const anonymise_options& options = {});

struct silent_file {
  byte_vector file;
  bool dropped_seal = false;  // what is signed is states only, from now on
};

// The same file without voice. The chain of state hashes goes on holding, the seal over everything recorded
// goes. wrong_state when there is no voice.
[[nodiscard]] result<silent_file> strip_voice(byte_span file, const limits& most = {});

}  // namespace tickreel::icrep
