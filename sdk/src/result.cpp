#include "tickreel/result.hpp"

#include <cerrno>
#include <iterator>
#include <system_error>

namespace tickreel {

namespace {

struct entry {
  error_code code;
  std::string_view name;
  std::string_view sentence;
};

// One table of sentences, in the order of the enum.
constexpr entry entries[] = {
    {error_code::truncated, "truncated", "the input ends early"},
    {error_code::bad_magic, "bad_magic", "this is not a file of that format"},
    {error_code::unsupported_version, "unsupported_version", "this version of the format is not supported"},
    {error_code::unsupported_codec, "unsupported_codec",
     "compressed with a codec that this build cannot open"},
    {error_code::malformed, "malformed", "a value contradicts the format"},
    {error_code::over_limit, "over_limit", "a size or count is above the reader's limit"},
    {error_code::checksum_mismatch, "checksum_mismatch", "the content does not match its checksum"},
    {error_code::corrupt_compression, "corrupt_compression", "the compressed data is damaged"},
    {error_code::missing_keyframe, "missing_keyframe", "a delta comes before any keyframe"},
    {error_code::bad_json, "bad_json", "this is not the JSON that was expected"},
    {error_code::not_recognised, "not_recognised", "no known format recognises this content"},
    {error_code::invalid_argument, "invalid_argument", "an argument is not valid"},
    {error_code::buffer_too_small, "buffer_too_small", "the buffer is too small"},
    {error_code::wrong_state, "wrong_state", "not possible in this state"},
    {error_code::out_of_range, "out_of_range", "outside the recording"},
    {error_code::already_exists, "already_exists", "the file exists already"},
    {error_code::unsupported_operation, "unsupported_operation", "operation not supported"},
    {error_code::not_found, "not_found", "no such file or folder"},
    {error_code::permission_denied, "permission_denied", "permission denied"},
    {error_code::no_space, "no_space", "the disk is full"},
    {error_code::io_failed, "io_failed", "reading or writing failed"},
    {error_code::in_use, "in_use", "this file is being written already"},
    {error_code::out_of_memory, "out_of_memory", "not enough memory"},
    {error_code::connection_refused, "connection_refused", "the connection was refused"},
    {error_code::connection_lost, "connection_lost", "the connection was lost"},
    {error_code::timed_out, "timed_out", "no answer in time"},
    {error_code::bad_answer, "bad_answer", "the answer is not what the protocol promises"},
    {error_code::address_in_use, "address_in_use", "the address is in use"},
    {error_code::name_not_resolved, "name_not_resolved", "the host name is not known"},
    {error_code::interrupted, "interrupted", "interrupted"},
};

const entry* find(error_code code) noexcept {
  for (const entry& candidate : entries) {
    if (candidate.code == code) return &candidate;
  }
  return nullptr;
}

}  // namespace

std::string_view sentence(error_code code) noexcept {
  const entry* found = find(code);
  return found ? found->sentence : "unknown error";
}

std::string_view name(error_code code) noexcept {
  const entry* found = find(code);
  return found ? found->name : "unknown";
}

std::string describe(const error& what) {
  std::string text(sentence(what.code));
  if (what.offset != error::no_offset) {
    text += " at offset ";
    text += std::to_string(what.offset);
  }
  if (what.detail != nullptr && *what.detail != '\0') {
    text += ": ";
    const std::int64_t* value = what.values;
    std::string_view rest(what.detail);
    while (!rest.empty()) {
      std::size_t used = 1;
      const bool is_unsigned = rest.starts_with("{u}");
      if (value != std::end(what.values) && (is_unsigned || rest.starts_with("{}"))) {
        text += is_unsigned ? std::to_string(static_cast<std::uint64_t>(*value)) : std::to_string(*value);
        ++value;
        used = is_unsigned ? 3 : 2;
      } else if (value != what.values && rest.starts_with("{s}")) {
        if (value[-1] != 1) text += 's';
        used = 3;
      } else {
        text += rest.front();
      }
      rest.remove_prefix(used);
    }
  }
  // The sentence of not_found is the system's.
  if (what.system_error != 0 && what.code != error_code::not_found) {
    text += " (";
    text += std::generic_category().message(what.system_error);
    text += ")";
  }
  return text;
}

error from_system_error(int errno_value, const char* detail) noexcept {
  error_code code = error_code::io_failed;
  switch (errno_value) {
    case ENOENT:
      code = error_code::not_found;
      break;
    case EEXIST:
      code = error_code::already_exists;
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      code = error_code::permission_denied;
      break;
    case ENOSPC:
#ifdef EDQUOT
    case EDQUOT:
#endif
      code = error_code::no_space;
      break;
    case EAGAIN:
      code = error_code::in_use;
      break;
    case ENOMEM:
      code = error_code::out_of_memory;
      break;
    case ECONNREFUSED:
      code = error_code::connection_refused;
      break;
    case ECONNRESET:
    case EPIPE:
      code = error_code::connection_lost;
      break;
    case ETIMEDOUT:
      code = error_code::timed_out;
      break;
    case EADDRINUSE:
      code = error_code::address_in_use;
      break;
    case EINTR:
      code = error_code::interrupted;
      break;
    default:
      break;
  }
  return error{code, error::no_offset, detail, {0, 0}, errno_value};
}

error thread_refused(int errno_value, const char* detail) noexcept {
  return error{error_code::out_of_memory, error::no_offset, detail, {0, 0}, errno_value};
}

}  // namespace tickreel
