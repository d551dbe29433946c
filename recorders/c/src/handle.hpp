// What all functions of the C ABI share: failures as codes, structs that grow, texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tickreel.h"
#include "tickreel/result.hpp"

namespace tickreel::c {

// describe(), or an empty text if there is no memory.
std::string sentence_of(const error& what) noexcept;
// Keeps the failure for tickreel_error(); returns its code.
std::int32_t set_failure(const error& what) noexcept;
// The same with a sentence of its own.
std::int32_t set_failure(error_code code, std::string&& sentence) noexcept;

template <class Work>
std::int32_t code_of(Work&& work) {
  auto done = work();
  if constexpr (std::is_same_v<decltype(done), std::int32_t>) {
    return done;
  } else {
    return done ? std::int32_t{TICKREEL_OK} : set_failure(done.error());
  }
}

// Calls a function that returns a code, result<void>, or result<std::int32_t>. Nothing is thrown out of it.
template <class Work>
std::int32_t guarded(Work&& work) noexcept {
#ifdef __cpp_exceptions
  try {
    return code_of(std::forward<Work>(work));
  } catch (const std::bad_alloc&) {
    return set_failure({error_code::out_of_memory});
  } catch (...) {
    return set_failure({error_code::io_failed, error::no_offset, "an unexpected failure of the system"});
  }
#else
  return code_of(std::forward<Work>(work));
#endif
}

inline tl::unexpected<error> fail_argument(const char* why) noexcept {
  return fail(error_code::invalid_argument, error::no_offset, why);
}

// A struct of the caller, which may be that of an older or newer version: members that it lacks are 0.
template <class Struct>
result<Struct> read_struct(const Struct* from) noexcept {
  Struct out{};
  if (from != nullptr) {
    if (from->struct_bytes < sizeof(std::uint32_t)) return fail_argument("struct_bytes is not set");
    std::memcpy(&out, from, std::min<std::size_t>(from->struct_bytes, sizeof(Struct)));
  }
  out.struct_bytes = sizeof(Struct);
  return out;
}

// Whether write_struct() can write to `to`: asked before the action whose answer it is.
template <class Struct>
result<void> check_struct(const Struct* to) noexcept {
  if (to != nullptr && to->struct_bytes < sizeof(std::uint32_t))
    return fail_argument("struct_bytes is not set");
  return {};
}

template <class Struct>
result<void> write_struct(Struct from, Struct* to) noexcept {
  if (to == nullptr) return {};
  const std::uint32_t bytes = to->struct_bytes;
  if (bytes < sizeof(std::uint32_t)) return fail_argument("struct_bytes is not set");
  from.struct_bytes = bytes;
  std::memcpy(to, &from, std::min<std::size_t>(bytes, sizeof(Struct)));
  return {};
}

inline std::string_view view_of(const char* text) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(text);
}
inline tickreel_text text_of(const std::string& text) noexcept {
  return {text.c_str(), text.size()};
}

}  // namespace tickreel::c
