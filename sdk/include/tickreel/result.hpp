// Errors as values. Nothing in the SDK throws; a function that can fail returns result<T>.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tickreel {

// Every reason to fail, grouped by range. sentence() describes each.
enum class error_code : std::uint16_t {
  // 1-99: the bytes of a file
  truncated = 1,        // the input ends inside an announced value
  bad_magic,            // these are not the bytes of this format
  unsupported_version,  // the format is known, this version of it is not
  unsupported_codec,    // compressed with a codec that this build lacks
  malformed,            // a field's value contradicts the format
  over_limit,           // a size or count is above the reader's limit
  checksum_mismatch,    // stored hash and content differ
  corrupt_compression,  // the compressed stream is damaged
  missing_keyframe,     // a delta without its baseline
  bad_json,             // not JSON, or JSON with another structure
  not_recognised,       // no format accepts this content
  // 100-199: the caller
  invalid_argument = 100,
  buffer_too_small,
  wrong_state,            // the call is invalid after earlier calls
  out_of_range,           // no such tick, chunk or time
  already_exists,         // the file exists and may not be overwritten
  unsupported_operation,  // the format does not support the operation
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
  bad_answer,  // the peer's response violates the protocol
  address_in_use,
  name_not_resolved,
  // 400-
  interrupted = 400,
};

// Whether the bytes are wrong, in contrast to a failure to read them.
[[nodiscard]] constexpr bool is_damage(error_code code) noexcept {
  return code < error_code::invalid_argument;
}

// A sentence for users; static storage.
[[nodiscard]] std::string_view sentence(error_code code) noexcept;

// The name as spelled above, for --json documents; static storage.
[[nodiscard]] std::string_view name(error_code code) noexcept;

// What went wrong and where. Small, trivially copyable, never allocates.
struct [[nodiscard]] error {
  static constexpr std::uint64_t no_offset = (std::numeric_limits<std::uint64_t>::max)();

  error_code code;
  // Byte offset in the input; no_offset if there is none.
  std::uint64_t offset = no_offset;
  // Static text. "{}", or "{u}" if unsigned, becomes the next of `values`; "{s}" an s unless it is 1: "{} tick{s}".
  const char* detail = "";
  std::int64_t values[2] = {0, 0};
  // errno or GetLastError() if the operating system failed, otherwise 0.
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

// Passes on an error from a result of another type.
[[nodiscard]] inline tl::unexpected<error> fail(const error& what) noexcept {
  return tl::unexpected<error>(what);
}

// Converts an error of the operating system (ENOSPC -> no_space, ...).
[[nodiscard]] error from_system_error(int errno_value, const char* detail = "") noexcept;

// A thread could not be started: out_of_memory for any number, because EAGAIN means in_use for files.
[[nodiscard]] error thread_refused(int errno_value, const char* detail) noexcept;

}  // namespace tickreel
