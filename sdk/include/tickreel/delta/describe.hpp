// Says which members of a struct matter, in one line beside it:
//
//   struct health { std::int32_t now, most; };
//   TICKREEL_DESCRIBE(health, now, most)
//
// From that component.hpp makes bytes, comparisons and names. The line stands at namespace level, in the
// struct's own namespace, and names up to 64 public members in the order in which they are written. A struct
// that cannot be given that line is described by specialising tickreel::described_as. For structs that Boost
// describes there is boost_describe.hpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tickreel {

// One member: its name and where it is.
template <class Owner, class Type>
struct described_field {
  std::string_view name;
  Type Owner::*member;
};
template <class Owner, class Type>
described_field(std::string_view, Type Owner::*) -> described_field<Owner, Type>;

// template <> struct tickreel::described_as<unit> {
//   static constexpr std::string_view name = "unit";
//   static constexpr auto fields = std::tuple(tickreel::described_field{"x", &unit::x});
// };
template <class T>
struct described_as {};

namespace detail {

template <class T>
concept described_by_line = requires(const T* type) {
  tickreel_fields(type);
};
template <class T>
concept described_by_trait = requires {
  described_as<T>::fields;
};

template <class T>
constexpr auto fields_of() noexcept {
  if constexpr (described_by_trait<T>) {
    return described_as<T>::fields;
  } else {
    return tickreel_fields(static_cast<const T*>(nullptr));
  }
}

}  // namespace detail

template <class T>
concept described = std::is_class_v<T> &&(detail::described_by_trait<T> || detail::described_by_line<T>);

// The members of a described struct; at most 64, one bit each in a change mask.
template <described T>
inline constexpr std::size_t field_count = std::tuple_size_v<decltype(detail::fields_of<T>())>;

// The struct's name as its line spells it, or described_as<T>::name; else "struct".
template <described T>
[[nodiscard]] constexpr std::string_view described_name() noexcept {
  if constexpr (requires { described_as<T>::name; }) {
    return described_as<T>::name;
  } else if constexpr (requires { tickreel_name(static_cast<const T*>(nullptr)); }) {
    return tickreel_name(static_cast<const T*>(nullptr));
  } else {
    return "struct";
  }
}

// Calls visit(name, member) for each in order; `value` may be const.
template <class T, class Visit>
requires described<std::remove_cvref_t<T>>
constexpr void visit_fields(T& value, Visit&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields.name, value.*(fields.member)), ...); },
             detail::fields_of<std::remove_cvref_t<T>>());
}

}  // namespace tickreel

#define TICKREEL_DESCRIBE(type, ...)                                                         \
  [[maybe_unused]] inline constexpr auto tickreel_fields(const type*) noexcept {             \
    return ::std::tuple(TICKREEL_DETAIL_EXPAND(TICKREEL_DETAIL_FIELDS(type, __VA_ARGS__)));  \
  }                                                                                          \
  [[maybe_unused]] inline constexpr ::std::string_view tickreel_name(const type*) noexcept { \
    return #type;                                                                            \
  }                                                                                          \
  static_assert(::std::is_same_v<type, ::std::remove_cvref_t<type>>)

// Each pass over the text puts in one more field; 4 * 4 * 4 passes and more are enough for 64.
#define TICKREEL_DETAIL_FIELDS(type, first, ...)                \
  ::tickreel::described_field{#first, &type::first} __VA_OPT__( \
      , TICKREEL_DETAIL_AGAIN TICKREEL_DETAIL_PARENTHESES(type, __VA_ARGS__))
#define TICKREEL_DETAIL_AGAIN() TICKREEL_DETAIL_FIELDS
#define TICKREEL_DETAIL_PARENTHESES ()
#define TICKREEL_DETAIL_EXPAND(...) \
  TICKREEL_DETAIL_PASS3(TICKREEL_DETAIL_PASS3(TICKREEL_DETAIL_PASS3(TICKREEL_DETAIL_PASS3(__VA_ARGS__))))
#define TICKREEL_DETAIL_PASS3(...) \
  TICKREEL_DETAIL_PASS2(TICKREEL_DETAIL_PASS2(TICKREEL_DETAIL_PASS2(TICKREEL_DETAIL_PASS2(__VA_ARGS__))))
#define TICKREEL_DETAIL_PASS2(...) \
  TICKREEL_DETAIL_PASS1(TICKREEL_DETAIL_PASS1(TICKREEL_DETAIL_PASS1(TICKREEL_DETAIL_PASS1(__VA_ARGS__))))
#define TICKREEL_DETAIL_PASS1(...) __VA_ARGS__
