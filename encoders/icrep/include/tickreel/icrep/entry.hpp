// The check of everything that is written into a file. A reader's limits are the writer's too, so everything that
// passes can be read.
//
// Texts come from networks and players, so they are corrected: a byte that is not UTF-8 becomes U+FFFD, and longer
// text ends at its last whole character. Everything else that a reader would reject is rejected.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// Whether readers accept it unchanged.
[[nodiscard]] bool is_sound_text(std::string_view text,
                                 std::size_t max_bytes = limits{}.string_bytes) noexcept;
// Corrects it; false if that was necessary. Allocates only then.
bool fix_text(std::string& text, std::size_t max_bytes = limits{}.string_bytes);

namespace detail {

struct refusal {
  error_code code = error_code::invalid_argument;
  const char* detail = nullptr;
  std::int64_t value = 0;
};

// Corresponds to read_bc1(): accepts what that accepts.
template <class T>
void check_bc1(const T& value, const limits& most, refusal& why) noexcept {
  if (why.detail != nullptr) return;
  const auto refuse = [&why](error_code code, const char* detail, std::uint64_t number) {
    why = {code, detail, static_cast<std::int64_t>(number)};
  };
  if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T> || byte_array_size<T> != 0 ||
                std::is_same_v<T, byte_vector>) {
    return;
  } else if constexpr (std::is_enum_v<T>) {
    const auto number = static_cast<std::uint32_t>(value);
    if (number >= words(std::type_identity<T>{}).size()) {
      refuse(error_code::invalid_argument, "unknown value {} of an enumeration", number);
    }
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (value.size() > most.string_bytes) {
      refuse(error_code::over_limit, "a text of {} bytes", value.size());
    } else if (!is_sound_text(value, most.string_bytes)) {
      refuse(error_code::invalid_argument, "a text that is not UTF-8", 0);
    }
  } else if constexpr (is_instance<std::optional, T>) {
    if (value) check_bc1(*value, most, why);
  } else if constexpr (is_instance<std::vector, T>) {
    using item = typename T::value_type;
    if (value.size() > item_limit(most, std::type_identity<item>{})) {
      return refuse(error_code::over_limit, "{} items in a list", value.size());
    }
    if constexpr (!std::is_integral_v<item>) {
      for (const item& one : value) check_bc1(one, most, why);
    }
  } else if constexpr (is_instance<std::map, T>) {
    for (const auto& [key, content] : value) {
      check_bc1(key, most, why);
      check_bc1(content, most, why);
    }
  } else if constexpr (is_instance<std::variant, T>) {
    std::visit([&](const auto& kind) { check_bc1(kind, most, why); }, value);
  } else {
    static_assert(described<T>);
    visit_fields(value, [&](std::string_view, const auto& field) { check_bc1(field, most, why); });
  }
}

template <class T>
void fix_bc1(T& value, const limits& most, std::uint64_t& fixed_texts) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (fix_text(value, most.string_bytes)) ++fixed_texts;
  } else if constexpr (is_instance<std::optional, T>) {
    if (value) fix_bc1(*value, most, fixed_texts);
  } else if constexpr (is_instance<std::vector, T>) {
    if constexpr (!std::is_integral_v<typename T::value_type>) {
      for (auto& one : value) fix_bc1(one, most, fixed_texts);
    }
  } else if constexpr (is_instance<std::variant, T>) {
    std::visit([&](auto& kind) { fix_bc1(kind, most, fixed_texts); }, value);
  } else if constexpr (described<T>) {
    visit_fields(value, [&](std::string_view, auto& field) { fix_bc1(field, most, fixed_texts); });
  }
}

}  // namespace detail

// Whether read_bc1() accepts the bytes of `value`: over_limit or invalid_argument, with the reason. The
// caller checks the total size.
template <class T>
[[nodiscard]] result<void> check_bc1(const T& value, const limits& most = {}) noexcept {
  detail::refusal why;
  detail::check_bc1(value, most, why);
  if (why.detail == nullptr) return {};
  return fail(why.code, error::no_offset, why.detail, why.value);
}

// Corrects the texts in `value`; returns the number of changed texts. Keys of maps stay unchanged.
template <class T>
std::uint64_t fix_bc1(T& value, const limits& most = {}) {
  std::uint64_t fixed_texts = 0;
  detail::fix_bc1(value, most, fixed_texts);
  return fixed_texts;
}

}  // namespace tickreel::icrep
