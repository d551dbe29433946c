// The bones of a player, four at a time: what of them must be written, and as what.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "bone_grid.hpp"
#include "lane_rounding.hpp"
#include "lead.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// Whole groups; one bone more than there are.
inline constexpr std::size_t bone_places = (echo::bone_count + 3) / 4 * 4;

// What a decoder holds of a player's bones.
struct held_bones {
  std::array<float, 3 * bone_places> positions{};  // x, y, z of the first, of the second ...
  struct rotations_by_component {
    std::array<float, bone_places> x, y, z, w;
  } rotations;

  // Without places and turns, as before a keyframe.
  void clear() noexcept {
    positions = {};
    rotations = {};
    rotations.w.fill(1.0f);
  }
};

struct bone_steps {
  std::array<std::uint32_t, 3 * bone_places> codes;     // signed, in steps of the grid
  std::array<float, 3 * bone_places> reached;           // where they lead to
  std::array<float, 3 * bone_places> distance_squares;  // of each component, before the step
  std::array<std::uint32_t, bone_places> packed;        // turns
  std::uint32_t turned = 0;                             // whose rotation must be written
  std::uint32_t aimless = 0;                            // whose rotation is none
};

struct bone_limits {
  float sine_square;
  unsigned coarse_axes;
  float even_codes_limit;
};

template <class Lanes>
struct bone_group {
  using floats = typename Lanes::floats;
  using ints = typename Lanes::ints;

  static void walk(const echo::bone_player& wanted, const held_bones& held, const step_rounding& rounding,
                   bone_steps& out) noexcept {
    std::array<float, 3 * bone_places> places{};
    static_assert(sizeof(wanted.positions) == 3 * echo::bone_count * sizeof(float));
    std::memcpy(places.data(), wanted.positions.data(), sizeof(wanted.positions));
    const lane_rounding<Lanes> rounded(rounding);
    const floats lowest = Lanes::all(bone_grid::lowest);
    const floats highest = Lanes::all(bone_grid::highest);
    const floats step = Lanes::all(static_cast<float>(bone_grid::step));
    const floats codes_per_metre = Lanes::all(static_cast<float>(1 / bone_grid::step));
    for (std::size_t i = 0; i < places.size(); i += 4) {
      const floats from = Lanes::load(&held.positions[i]);
      const floats way = Lanes::load(&places[i]) - from;
      Lanes::store(&out.distance_squares[i], way * way);
      // Comparisons with NaN fail: what is not a number goes nowhere.
      const ints above = Lanes::less(highest, way);
      const ints below = Lanes::less(way, lowest);
      const ints inside = Lanes::less_equal(way, highest) & Lanes::less_equal(lowest, way);
      const floats near = Lanes::from_bits(Lanes::bits(rounded.whole_steps(way)) & inside);
      const floats bent = choose<Lanes>(above, highest, choose<Lanes>(below, lowest, near));
      const ints codes = Lanes::to_ints(bent * codes_per_metre);
      Lanes::store(&out.codes[i], codes);
      Lanes::store(&out.reached[i], from + Lanes::to_floats(codes) * step);
    }
  }

  // Brings `held` to what is written.
  static void turn(const echo::bone_player& wanted, held_bones& held, const bone_limits& limits,
                   bone_steps& out) noexcept {
    out.turned = 0;
    out.aimless = 0;
    for (std::size_t i = 0; i < whole; i += 4) {
      turn_four(load(&wanted.rotations[i]), i, held, limits, no_lead{}, out);
    }
    turn_four(load(rest_of(wanted).data()), whole, held, limits, no_lead{}, out);
  }
  // The same, where it can be to what lies ahead for one that turned as it did since `before`.
  static void turn_ahead(const echo::bone_player& wanted, const echo::bone_player& before, const lead& ahead,
                         held_bones& held, const bone_limits& limits, bone_steps& out) noexcept {
    out.turned = 0;
    out.aimless = 0;
    for (std::size_t i = 0; i < whole; i += 4) {
      turn_four(load(&wanted.rotations[i]), i, held, limits, goes_on{ahead, load(&before.rotations[i])}, out);
    }
    turn_four(load(rest_of(wanted).data()), whole, held, limits, goes_on{ahead, load(rest_of(before).data())},
              out);
  }

 private:
  struct quaternions {
    floats x, y, z, w;
  };
  struct no_lead {};
  struct goes_on {
    const lead& ahead;
    quaternions before;
  };

  static constexpr std::size_t whole = echo::bone_count / 4 * 4;
  static std::array<echo::quat, 4> rest_of(const echo::bone_player& from) noexcept {
    std::array<echo::quat, 4> rest{};
    std::copy(from.rotations.begin() + whole, from.rotations.end(), rest.begin());
    return rest;
  }

  static quaternions load(const echo::quat* from) noexcept {
    static_assert(sizeof(echo::quat) == 4 * sizeof(float));
    std::array<std::array<float, 4>, 4> rows;
    std::memcpy(rows.data(), from, sizeof(rows));
    quaternions q{Lanes::load(rows[0].data()), Lanes::load(rows[1].data()), Lanes::load(rows[2].data()),
                  Lanes::load(rows[3].data())};
    Lanes::transpose(q.x, q.y, q.z, q.w);
    return q;
  }

  template <class Lead>
  static void turn_four(const quaternions& wanted, std::size_t first, held_bones& held,
                        const bone_limits& limits, [[maybe_unused]] const Lead& leading,
                        bone_steps& out) noexcept {
    held_bones::rotations_by_component& has = held.rotations;
    const quaternions from{Lanes::load(&has.x[first]), Lanes::load(&has.y[first]), Lanes::load(&has.z[first]),
                           Lanes::load(&has.w[first])};
    const turn_between turn(from, wanted);
    // Neither zero nor infinite nor NaN.
    const ints aims = Lanes::less(Lanes::all(0.0f), turn.length_square) &
                      Lanes::less(turn.length_square, Lanes::all(INFINITY));
    const ints near = turn.within(limits);
    const unsigned places = first + 4 <= echo::bone_count ? 15u : (1u << (echo::bone_count - first)) - 1;
    out.aimless |= (~Lanes::mask_of(aims) & places) << first;
    const unsigned turned = Lanes::mask_of(aims) & ~Lanes::mask_of(near) & places;
    if (turned == 0) return;
    out.turned |= turned << first;

    step_taken taken = take(turn, from, limits);
    if constexpr (std::is_same_v<Lead, goes_on>) prefer_ahead(wanted, leading, from, limits, taken);
    Lanes::store(&out.packed[first], taken.packed);
    static constexpr std::array<std::uint32_t, 4> bits{1, 2, 4, 8};
    const ints bit = Lanes::load(bits.data());
    const ints written = Lanes::equal(Lanes::all(turned) & bit, bit);
    const auto bring = [&](std::array<float, bone_places>& to, const floats& had, const floats& reached) {
      Lanes::store(&to[first], choose<Lanes>(written, reached, had));
    };
    bring(has.x, from.x, taken.reached.x);
    bring(has.y, from.y, taken.reached.y);
    bring(has.z, from.z, taken.reached.z);
    bring(has.w, from.w, taken.reached.w);
  }

  // wanted * conjugate(from)
  struct turn_between {
    turn_between(const quaternions& from, const quaternions& to) noexcept
        : by{from.w * to.x - to.w * from.x - (to.y * from.z - to.z * from.y),
             from.w * to.y - to.w * from.y - (to.z * from.x - to.x * from.z),
             from.w * to.z - to.w * from.z - (to.x * from.y - to.y * from.x),
             to.w * from.w + to.x * from.x + to.y * from.y + to.z * from.z},
          sines(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]),
          length_square(sines + by[3] * by[3]) {}

    [[nodiscard]] ints within(const bone_limits& limits) const noexcept {
      return Lanes::less_equal(sines, length_square * Lanes::all(limits.sine_square));
    }

    floats by[4];
    floats sines;
    floats length_square;
  };

  struct step_taken {
    ints packed;
    quaternions reached;
  };

  static step_taken take(const turn_between& turn, const quaternions& from,
                         const bone_limits& limits) noexcept {
    // Between two ticks nothing turns far: w is the largest by far.
    const bool little = Lanes::mask_of(Lanes::less(turn.sines, turn.by[3] * turn.by[3])) == 15u;
    const packed_turn packed =
        little ? pack_little(turn.by, turn.length_square, limits) : pack(turn.by, turn.length_square, limits);
    const quaternions step = little ? unpack_little(packed) : unpack(packed);
    // step * from, in the order of operations of product()
    const floats cross_x = step.y * from.z - step.z * from.y;
    const floats cross_y = step.z * from.x - step.x * from.z;
    const floats cross_z = step.x * from.y - step.y * from.x;
    const floats dot = step.x * from.x + step.y * from.y + step.z * from.z;
    return {packed.whole,
            {step.x * from.w + from.x * step.w + cross_x, step.y * from.w + from.y * step.w + cross_y,
             step.z * from.w + from.z * step.w + cross_z, step.w * from.w - dot}};
  }

  static void prefer_ahead(const quaternions& wanted, const goes_on& leading, const quaternions& from,
                           const bone_limits& limits, step_taken& taken) noexcept {
    const quaternions& before = leading.before;
    // A quaternion and its negative are the same rotation.
    const floats product =
        wanted.x * before.x + wanted.y * before.y + wanted.z * before.z + wanted.w * before.w;
    const ints sign = Lanes::bits(product) & Lanes::all(0x80000000u);
    const auto way_of = [&](const floats& now, const floats& then) {
      return now - Lanes::from_bits(Lanes::bits(then) ^ sign);
    };
    const quaternions way{way_of(wanted.x, before.x), way_of(wanted.y, before.y), way_of(wanted.z, before.z),
                          way_of(wanted.w, before.w)};
    const floats way_square = way.x * way.x + way.y * way.y + way.z * way.z + way.w * way.w;
    const ints useful = Lanes::less(Lanes::all(0.0f), way_square) &
                        Lanes::less(way_square, Lanes::all(leading.ahead.useful_square()));
    if (Lanes::mask_of(useful) == 0) return;
    const floats share = Lanes::all(leading.ahead.reach()) / Lanes::square_root(way_square);
    const quaternions target{wanted.x + share * way.x, wanted.y + share * way.y, wanted.z + share * way.z,
                             wanted.w + share * way.w};
    const step_taken led = take(turn_between(from, target), from, limits);
    // Not true of what is not a number.
    const ints better = useful & turn_between(led.reached, wanted).within(limits);
    taken.packed = choose<Lanes>(better, led.packed, taken.packed);
    taken.reached = {choose<Lanes>(better, led.reached.x, taken.reached.x),
                     choose<Lanes>(better, led.reached.y, taken.reached.y),
                     choose<Lanes>(better, led.reached.z, taken.reached.z),
                     choose<Lanes>(better, led.reached.w, taken.reached.w)};
  }

  struct packed_turn {
    ints left_out;
    ints codes[3];
    ints whole;
  };

  static packed_turn pack(const floats (&turn)[4], const floats& length_square,
                          const bone_limits& limits) noexcept {
    floats largest = lane_rounding<Lanes>::magnitude(turn[0]);
    ints left_out = Lanes::all(0u);
    ints sign = Lanes::bits(turn[0]);
    for (std::uint32_t i = 1; i < 4; ++i) {
      const floats size = lane_rounding<Lanes>::magnitude(turn[i]);
      const ints larger = Lanes::less(largest, size);
      largest = choose<Lanes>(larger, size, largest);
      left_out = choose<Lanes>(larger, Lanes::all(i), left_out);
      sign = choose<Lanes>(larger, Lanes::bits(turn[i]), sign);
    }
    // From the one left out on, those behind move up.
    const auto kept = [&](std::uint32_t i) {
      return choose<Lanes>(Lanes::less(left_out, Lanes::all(i + 1)), turn[i + 1], turn[i]);
    };
    return codes_of({kept(0), kept(1), kept(2)}, sign, left_out, length_square, limits);
  }
  // pack() where w is the largest.
  static packed_turn pack_little(const floats (&turn)[4], const floats& length_square,
                                 const bone_limits& limits) noexcept {
    return codes_of({turn[0], turn[1], turn[2]}, Lanes::bits(turn[3]), Lanes::all(3u), length_square, limits);
  }

  static packed_turn codes_of(const floats (&kept)[3], const ints& sign, const ints& left_out,
                              const floats& length_square, const bone_limits& limits) noexcept {
    const floats scale =
        Lanes::all(static_cast<float>(1 / smallest_three_step)) / Lanes::square_root(length_square);
    const floats signed_scale = Lanes::from_bits(Lanes::bits(scale) ^ (sign & Lanes::all(0x80000000u)));
    packed_turn out{left_out, {}, {}};
    const floats half = Lanes::all(0.5f);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const floats place = rotation_places<Lanes>(kept[i], signed_scale);
      out.codes[i] = Lanes::to_ints(place + half);
      if (i + limits.coarse_axes < 3) continue;
      const ints even = Lanes::template left<1>(Lanes::to_ints(place * half + half));
      const floats off = lane_rounding<Lanes>::magnitude(Lanes::to_floats(even) - place);
      const ints take_even =
          Lanes::less_equal(off, Lanes::all(limits.even_codes_limit)) & Lanes::less(even, Lanes::all(1024u));
      out.codes[i] = choose<Lanes>(take_even, even, out.codes[i]);
    }
    out.whole = packed_rotation<Lanes>(left_out, out.codes[0], out.codes[1], out.codes[2]);
    return out;
  }

  // What smallest_three_unpack() gives.
  static quaternions unpack(const packed_turn& packed) noexcept {
    const auto [a, b, c, rest] = unpack_little(packed);
    const ints is_x = Lanes::equal(packed.left_out, Lanes::all(0u));
    const ints is_y = Lanes::equal(packed.left_out, Lanes::all(1u));
    const ints is_z = Lanes::equal(packed.left_out, Lanes::all(2u));
    const ints is_w = Lanes::equal(packed.left_out, Lanes::all(3u));
    return {choose<Lanes>(is_x, rest, a), choose<Lanes>(is_x, a, choose<Lanes>(is_y, rest, b)),
            choose<Lanes>(is_z, rest, choose<Lanes>(is_w, c, b)), choose<Lanes>(is_w, rest, c)};
  }
  // unpack() where w was left out.
  static quaternions unpack_little(const packed_turn& packed) noexcept {
    const floats a = Lanes::rotation_components(packed.codes[0]);
    const floats b = Lanes::rotation_components(packed.codes[1]);
    const floats c = Lanes::rotation_components(packed.codes[2]);
    return {a, b, c, Lanes::square_root(Lanes::all(1.0f) - a * a - b * b - c * c)};
  }
};

}  // namespace tickreel::butter
