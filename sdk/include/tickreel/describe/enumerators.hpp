// The names of an enumeration's values. Names of 0 to 63 come from the compiler, if the enumeration is scoped or
// has an explicit underlying type. A line beside the enumeration names other values:
//
//   enum class rank { private_ = 100, general = 900 };
//   TICKREEL_DESCRIBE_ENUM(rank, private_, general);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tickreel/describe/describe.hpp"

namespace tickreel {

struct enumerator {
  std::string name;
  std::int64_t value = 0;
  bool operator==(const enumerator&) const = default;
};

namespace detail {

template <class E>
concept enumerated_by_line = requires(const E* type) { tickreel_enumerators(type); };

// The last name of the value between `before` and the first of `after` in the compiler's name of a function.
// Empty for "(space::mood)5" and "(enum space::mood)0x5", the forms of a value without a name.
constexpr std::string_view enumerator_in(std::string_view function, std::string_view before,
                                         std::string_view after) noexcept {
  const std::size_t begin = function.find(before);
  if (begin == std::string_view::npos) return {};
  function.remove_prefix(begin + before.size());
  function = function.substr(0, function.find_first_of(after));
  const std::size_t colon = function.rfind(':');
  if (colon != std::string_view::npos) function.remove_prefix(colon + 1);
  const bool is_number =
      function.empty() || (function.front() >= '0' && function.front() <= '9') || function.front() == '-';
  return is_number || function.find(')') != std::string_view::npos ? std::string_view() : function;
}

// How the compiler spells a value: "space::mood::calm".
template <auto Value>
constexpr std::string_view spelled_enumerator() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return enumerator_in(__PRETTY_FUNCTION__, "Value = ", ";]");
#elif defined(_MSC_VER)
  return enumerator_in(__FUNCSIG__, "spelled_enumerator<", ">");
#else
#error "tickreel: enumerators.hpp does not know how this compiler spells the name of a function"
#endif
}

template <class E, std::size_t... Value>
std::vector<enumerator> spelled_enumerators(std::index_sequence<Value...>) {
  constexpr std::array<std::string_view, sizeof...(Value)> names = {
      spelled_enumerator<static_cast<E>(Value)>()...};
  std::vector<enumerator> out;
  for (std::size_t value = 0; value < names.size(); ++value) {
    if (!names[value].empty()) out.push_back({std::string(names[value]), static_cast<std::int64_t>(value)});
  }
  return out;
}

}  // namespace detail

// By ascending value if the names come from the compiler, otherwise in the order of the line. Empty if there
// are none. Allocates.
template <class E>
[[nodiscard]] std::vector<enumerator> enumerators_of() {
  static_assert(std::is_enum_v<E>);
  if constexpr (detail::enumerated_by_line<E>) {
    std::vector<enumerator> out;
    for (const auto& [name, value] : tickreel_enumerators(static_cast<const E*>(nullptr))) {
      out.push_back({std::string(name), value});
    }
    return out;
  } else if constexpr (requires { E{0}; }) {
    constexpr std::size_t values = std::is_same_v<std::underlying_type_t<E>, bool> ? 2 : 64;
    return detail::spelled_enumerators<E>(std::make_index_sequence<values>{});
  } else {
    return {};
  }
}

}  // namespace tickreel

#define TICKREEL_DESCRIBE_ENUM(type, ...)                                               \
  TICKREEL_DETAIL_AT_NAMESPACE_LEVEL(TICKREEL_DESCRIBE_ENUM)                            \
  [[maybe_unused]] constexpr auto tickreel_enumerators(const type*) noexcept {          \
    return ::std::array{TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_WORD, type, __VA_ARGS__)}; \
  }                                                                                     \
  static_assert(::std::is_enum_v<type>)
#define TICKREEL_DETAIL_WORD(type, word) \
  (::std::pair<::std::string_view, ::std::int64_t>{#word, static_cast<::std::int64_t>(type::word)})
