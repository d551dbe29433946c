// Errors as values. Nothing in the SDK throws; a function that can fail returns result<T>.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tickreel {

// Every reason to fail, grouped by range. sentence() says each in words.
enum class error_code : std::uint16_t {
  // 1-99: the bytes of a file
  truncated = 1,        // the input ends inside something it promised
  bad_magic,            // these are not the bytes of this format
  unsupported_version,  // the format is known, this version of it is not
  unsupported_codec,    // compressed with something this build cannot open
  malformed,            // a field's value contradicts the format
  over_limit,           // a size or count is above the reader's limit
  checksum_mismatch,    // stored hash and content differ
  corrupt_compression,  // the compressor's own stream is damaged
  missing_keyframe,     // a delta has no baseline to stand on
  bad_json,             // not JSON, or JSON of another shape
  not_recognised,       // no format claims this content
  // 100-199: the caller
  invalid_argument = 100,
  buffer_too_small,
  wrong_state,            // the call does not fit what happened before it
  out_of_range,           // no such tick, chunk or time
  already_exists,         // refuses to overwrite
  unsupported_operation,  // this format has no such thing
  // 200-299: the machine
  not_found = 200,
  permission_denied,
  no_space,
  io_failed,
  in_use,  // another recorder holds the file
  out_of_memory,
  // 300-399: the network
  connection_refused = 300,
  connection_lost,
  timed_out,
  bad_answer,  // the peer answered, not what the protocol says
  address_in_use,
  name_not_resolved,
  // 400-
  interrupted = 400,
};

// A full sentence for users; static storage.
[[nodiscard]] std::string_view sentence(error_code code) noexcept;

// The name as spelled above, for --json documents; static storage.
[[nodiscard]] std::string_view name(error_code code) noexcept;

// What went wrong and where. Small, trivially copyable, never allocates.
struct [[nodiscard]] error {
  static constexpr std::uint64_t no_offset = (std::numeric_limits<std::uint64_t>::max)();

  error_code code;
  // Byte offset in the input, no_offset where there is no such thing.
  std::uint64_t offset = no_offset;
  // Static text that narrows the sentence down; every "{}" in it stands for the next of `values`.
  const char* detail = "";
  std::int64_t values[2] = {0, 0};
  // errno or GetLastError() where the operating system refused, else 0.
  int system_error = 0;
};

// "the input ends early at offset 123: chunk 4 of 9". The only function here that allocates.
[[nodiscard]] std::string describe(const error& what);

template <class T>
using result = tl::expected<T, error>;

// return fail(error_code::malformed, reader.offset(), "team code is {}", code);
[[nodiscard]] inline tl::unexpected<error> fail(error_code code, std::uint64_t offset = error::no_offset,
                                                const char* detail = "", std::int64_t first = 0,
                                                std::int64_t second = 0) noexcept {
  return tl::unexpected<error>(error{code, offset, detail, {first, second}, 0});
}

// Hands an error on from a result of another type.
[[nodiscard]] inline tl::unexpected<error> fail(const error& what) noexcept {
  return tl::unexpected<error>(what);
}

// The operating system's refusal as one of ours (ENOSPC -> no_space, ...).
[[nodiscard]] error from_system_error(int errno_value, const char* detail = "") noexcept;

// A thread that could not be started: out_of_memory, whatever the number, since EAGAIN means in_use for
// files.
[[nodiscard]] error thread_refused(int errno_value, const char* detail) noexcept;

}  // namespace tickreel
