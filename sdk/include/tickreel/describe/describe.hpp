// Names the recorded members of a struct, in one line beside it:
//
//   struct health { std::int32_t now, most; };
//   TICKREEL_DESCRIBE(health, now, most);
//
// This is the only reflection: serialisers, printers and comparisons are written against visit_fields() and
// know no struct by name. Each of them defines the member types that it supports; component.hpp, which produces
// bytes of one size, is the strictest.
//
// Put the line at namespace level, in the struct's own namespace. It names up to 64 public members in the order
// in which they are written. An empty list is valid. Specialise tickreel::described_as for a struct that cannot
// have the line, or to write a member under another name. boost_describe.hpp supports structs described with
// Boost.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tickreel {

// Whether T is an instance of a class template: is_instance<std::optional, T>. Serialisers ask for it.
template <template <class...> class Template, class T>
inline constexpr bool is_instance = false;
template <template <class...> class Template, class... Arguments>
inline constexpr bool is_instance<Template, Template<Arguments...>> = true;

// One member: its name and its pointer.
template <class Owner, class Type>
struct described_field {
  std::string_view name;
  Type Owner::* member;
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

// An inherited member counts as a member of the struct.
template <class Owner, class Base, class Type>
constexpr described_field<Owner, Type> field_of(std::string_view name, Type Base::* member) noexcept {
  return {name, member};
}

template <class T>
concept described_by_line = requires(const T* type) { tickreel_name(type); };
template <class T>
concept described_by_trait = requires { described_as<T>::fields; };

constexpr bool any_is_true(std::initializer_list<bool> all) noexcept {
  for (const bool one : all) {
    if (one) return true;
  }
  return false;
}

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
concept described = std::is_class_v<T> && (detail::described_by_trait<T> || detail::described_by_line<T>);

// The members of a described struct; at most 64, one bit each in a change mask.
template <described T>
inline constexpr std::size_t field_count = std::tuple_size_v<decltype(detail::fields_of<T>())>;

// The struct's name as in its TICKREEL_DESCRIBE, or described_as<T>::name; otherwise "struct".
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

// Calls visit(name, member) for each in order, like code written by hand; `value` may be const.
template <class T, class Visit>
requires described<std::remove_cvref_t<T>>
constexpr void visit_fields(T& value, Visit&& visit) {
  using type = std::remove_cvref_t<T>;
  if constexpr (detail::described_by_trait<type>) {
    std::apply([&](const auto&... fields) { (visit(fields.name, value.*(fields.member)), ...); },
               described_as<type>::fields);
  } else {
    tickreel_visit(static_cast<const type*>(nullptr), value, visit);
  }
}

}  // namespace tickreel

// The visitor is expanded member by member instead of iterating over the list, so that serialisers cost the
// same as hand-written code. It consists of templates, so only used parts are compiled. The name comes first:
// compilers report a second description of a struct as a redefinition.
#define TICKREEL_DESCRIBE(type, ...)                                                                       \
  TICKREEL_DETAIL_AT_NAMESPACE_LEVEL(TICKREEL_DESCRIBE)                                                    \
  __VA_OPT__(static_assert([]<class Self>(Self*) {                                                         \
               constexpr bool has_bit_field = ::tickreel::detail::any_is_true(                             \
                   {TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_BITS, type, __VA_ARGS__)});                       \
               static_assert(!has_bit_field,                                                               \
                             "tickreel: a bit-field of " #type                                             \
                             " cannot be recorded, as it has no address: make it a whole number");         \
               return true;                                                                                \
             }(static_cast<type*>(nullptr)));)                                                             \
  [[maybe_unused]] inline constexpr ::std::string_view tickreel_name(const type*) noexcept {               \
    return #type;                                                                                          \
  }                                                                                                        \
  template <int = 0>                                                                                       \
  constexpr auto tickreel_fields(const type*) noexcept {                                                   \
    return ::std::tuple(__VA_OPT__(TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_FIELD, type, __VA_ARGS__)));       \
  }                                                                                                        \
  template <class Self, class Visit>                                                                       \
  constexpr void tickreel_visit(const type*, [[maybe_unused]] Self& self, [[maybe_unused]] Visit& visit) { \
    __VA_OPT__(TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_VISIT, type, __VA_ARGS__);)                            \
  }                                                                                                        \
  static_assert(::std::is_same_v<type, ::std::remove_cvref_t<type>>)

#define TICKREEL_DETAIL_AT_NAMESPACE_LEVEL(line)                                                   \
  static_assert(__builtin_FUNCTION()[0] == 0,                                                      \
                "tickreel: " #line                                                                 \
                " must be at namespace level, not in a function: move it and its type out of the " \
                "function");
// A readable member without an address; for other mistakes compilers report the cause.
#define TICKREEL_DETAIL_BITS(type, one) (requires(Self& self) { self.one; } && !requires { &Self::one; })
#define TICKREEL_DETAIL_FIELD(type, member) (::tickreel::detail::field_of<type>(#member, &type::member))
#define TICKREEL_DETAIL_VISIT(type, member) static_cast<void>(visit(::std::string_view(#member), self.member))

// Sixteen members per pass, five passes: enough to reject more than 64 with a sentence. A compiler reports a
// misspelled member through each macro, so there are few.
#define TICKREEL_DETAIL_EACH(put, type, ...) \
  TICKREEL_DETAIL_PASS(TICKREEL_DETAIL_PASS( \
      TICKREEL_DETAIL_PASS(TICKREEL_DETAIL_PASS(TICKREEL_DETAIL_1(put, type, __VA_ARGS__)))))
#define TICKREEL_DETAIL_PASS(...) __VA_ARGS__
#define TICKREEL_DETAIL_1(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_2(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_2(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_3(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_3(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_4(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_4(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_5(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_5(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_6(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_6(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_7(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_7(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_8(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_8(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_9(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_9(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_10(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_10(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_11(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_11(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_12(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_12(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_13(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_13(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_14(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_14(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_15(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_15(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_16(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_16(put, type, member, ...) \
  put(type, member) __VA_OPT__(, TICKREEL_DETAIL_AGAIN TICKREEL_DETAIL_PARENTHESES(put, type, __VA_ARGS__))
#define TICKREEL_DETAIL_AGAIN() TICKREEL_DETAIL_1
#define TICKREEL_DETAIL_PARENTHESES ()
