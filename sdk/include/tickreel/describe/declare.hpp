// Declares the meaning of members, so that they take fewer bytes or are displayed better. The declaration follows
// the struct's description. Members without a declaration are stored bit for bit.
//
//   struct player { std::array<float, 3> position, forward, up, left; float speed; };
//   TICKREEL_DESCRIBE(player, position, forward, up, left, speed);
//   TICKREEL_DECLARE(player, (position, decimals(3), unit_name("m")), (up, decimals(3), unit_vector),
//                    (left, cross("up", "forward")), (speed, tolerance(0.01), unit_name("m/s")));
//
// Only `tolerance` changes a value, by no more than the tolerance. All other declarations are hints: a value that
// violates one is stored exactly, and costs more.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/describe/describe.hpp"

namespace tickreel {

// How the values of a member are stored.
enum class precision : std::uint8_t {
  exact = 0,
  decimals = 1,   // decimal numbers with `places` digits after the point, exactly
  tolerance = 2,  // with an error of at most `most`; errors never accumulate
};

// The relation of a member to others of the same struct, given by their path from there: "head.position".
// `unit_vector` applies to three numbers in one member, `rotation` to nine or four: an array or a struct of
// them. In an array of such members it applies to each one.
enum class relation : std::uint8_t {
  none = 0,
  same_as = 1,      // equal to the other
  relative_to = 2,  // near the other, so the difference is small
  unit_vector = 3,  // of length 1: the first two numbers determine the third
  cross = 4,        // first x second; all three have three numbers
  orthogonal = 5,   // a unit vector at right angles to the first
  rotation = 6,     // nine numbers: three axes, the third first x second; four: a quaternion of length 1
  integral_of = 7,  // changes per tick by the other / ticks_per_second; both with `decimals` or `tolerance`
};

// All declarations of one member. Texts are in static storage.
struct declaration {
  precision kept = precision::exact;
  std::uint8_t places = 0;
  double most = 0;
  relation how = relation::none;
  std::string_view first = {};
  std::string_view second = {};
  std::string_view unit = {};          // for display: "m/s"
  std::uint32_t ticks_per_second = 0;  // integral_of

  friend constexpr declaration operator+(declaration a, const declaration& b) noexcept {
    if (b.kept != precision::exact) {
      a.kept = b.kept;
      a.places = b.places;
      a.most = b.most;
    }
    if (b.how != relation::none) {
      a.how = b.how;
      a.first = b.first;
      a.second = b.second;
      a.ticks_per_second = b.ticks_per_second;
    }
    if (!b.unit.empty()) a.unit = b.unit;
    return a;
  }
};

namespace declarations {

// 0 to 15 digits after the point.
[[nodiscard]] constexpr declaration decimals(std::uint8_t places) noexcept {
  return {.kept = precision::decimals, .places = places};
}
// Greater than 0, in the member's own unit.
[[nodiscard]] constexpr declaration tolerance(double most) noexcept {
  return {.kept = precision::tolerance, .most = most};
}
inline constexpr declaration unit_vector{.how = relation::unit_vector};
inline constexpr declaration rotation{.how = relation::rotation};
[[nodiscard]] constexpr declaration same_as(std::string_view other) noexcept {
  return {.how = relation::same_as, .first = other};
}
[[nodiscard]] constexpr declaration relative_to(std::string_view other) noexcept {
  return {.how = relation::relative_to, .first = other};
}
[[nodiscard]] constexpr declaration cross(std::string_view first, std::string_view second) noexcept {
  return {.how = relation::cross, .first = first, .second = second};
}
[[nodiscard]] constexpr declaration orthogonal(std::string_view other) noexcept {
  return {.how = relation::orthogonal, .first = other};
}
// 1 to 1,000,000 ticks.
[[nodiscard]] constexpr declaration integral_of(std::string_view velocity,
                                                std::uint32_t ticks_per_second) noexcept {
  return {.how = relation::integral_of, .first = velocity, .ticks_per_second = ticks_per_second};
}
[[nodiscard]] constexpr declaration unit_name(std::string_view name) noexcept {
  return {.unit = name};
}

}  // namespace declarations

// The declaration of member `name` of T; empty without TICKREEL_DECLARE.
template <described T>
[[nodiscard]] constexpr declaration declaration_of(std::string_view name) noexcept {
  if constexpr (requires { tickreel_declaration(static_cast<const T*>(nullptr), name); }) {
    return tickreel_declaration(static_cast<const T*>(nullptr), name);
  } else {
    return {};
  }
}

}  // namespace tickreel

// Follows the struct's TICKREEL_DESCRIBE, at namespace level: one group per declared member.
#define TICKREEL_DECLARE(type, ...)                                               \
  TICKREEL_DETAIL_AT_NAMESPACE_LEVEL(TICKREEL_DECLARE)                            \
  [[maybe_unused]] inline constexpr ::tickreel::declaration tickreel_declaration( \
      const type*, ::std::string_view tickreel_member) noexcept {                 \
    using namespace ::tickreel::declarations;                                     \
    ::tickreel::declaration tickreel_declared;                                    \
    TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_DECLARE_GROUP, type, __VA_ARGS__);       \
    return tickreel_declared;                                                     \
  }                                                                               \
  static_assert(::std::is_same_v<type, ::std::remove_cvref_t<type>>)

#define TICKREEL_DETAIL_DECLARE_GROUP(type, group) \
  TICKREEL_DETAIL_DECLARE_CALL(TICKREEL_DETAIL_DECLARE_MEMBER, type, TICKREEL_DETAIL_UNGROUP group)
#define TICKREEL_DETAIL_UNGROUP(...) __VA_ARGS__
#define TICKREEL_DETAIL_DECLARE_CALL(put, ...) put(__VA_ARGS__)
#define TICKREEL_DETAIL_DECLARE_MEMBER(type, member, ...) \
  static_cast<void>(                                      \
      static_cast<void>(&type::member),                   \
      tickreel_member == #member ? (tickreel_declared = ::tickreel::detail::all_of(__VA_ARGS__), 0) : 0)

namespace tickreel::detail {
template <class... Declaration>
constexpr declaration all_of(const Declaration&... each) noexcept {
  return (declaration{} + ... + each);
}
}  // namespace tickreel::detail
