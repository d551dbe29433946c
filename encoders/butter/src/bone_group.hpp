// Processes a player's bones several at a time: which must be written, and with which values.
#pragma once

#include <algorithm>
#include <type_traits>

#include "bone_grid.hpp"
#include "bone_steps.hpp"
#include "lane_rounding.hpp"

namespace tickreel::butter {

template <class Lanes>
struct bone_group {
  using floats = typename Lanes::floats;
  using ints = typename Lanes::ints;

  // Updates `held` to the written values.
  static void step(const echo::bone_player& wanted, held_bones& held, const bone_limits& limits,
                   bone_steps& out) noexcept {
    begin(out);
    // Separate loops: their groups do not depend on each other, and several fit into the processor's
    // pipeline.
    const lane_rounding<Lanes> rounding(limits.rounding);
    for (std::size_t i = 0; i < bone_places; i += width) {
      walk(load(wanted.positions, i), i, held, rounding, limits, no_lead{}, out);
    }
    for (std::size_t i = 0; i < bone_places; i += width) {
      turn(load(wanted.rotations, i), i, held, limits, no_lead{}, out);
    }
    finish(out);
    for (std::size_t i = 0; i < bone_places; i += width) follow(i, held, out);
  }
  // The same, with values ahead of the motion for a player that continues to move as since `before`.
  static void step_ahead(const echo::bone_player& wanted, const echo::bone_player& before,
                         const bone_leads& leads, held_bones& held, const bone_limits& limits,
                         bone_steps& out) noexcept {
    begin(out);
    const lane_rounding<Lanes> rounding(limits.rounding);
    for (std::size_t i = 0; i < bone_places; i += width) {
      const with_lead<vectors> leading{leads.positions, load(before.positions, i)};
      walk(load(wanted.positions, i), i, held, rounding, limits, leading, out);
    }
    for (std::size_t i = 0; i < bone_places; i += width) {
      const with_lead<quaternions> leading{leads.rotations, load(before.rotations, i)};
      turn(load(wanted.rotations, i), i, held, limits, leading, out);
    }
    finish(out);
    for (std::size_t i = 0; i < bone_places; i += width) follow(i, held, out);
  }

 private:
  static constexpr std::size_t width = Lanes::width;
  static constexpr unsigned lane_bits = (1u << width) - 1;
  static constexpr std::size_t whole = echo::bone_count / width * width;
  static_assert(bone_places % width == 0 && bone_places - whole == width);

  struct vectors {
    floats x, y, z;
  };
  struct quaternions {
    floats x, y, z, w;
  };
  struct no_lead {};
  template <class Before>
  struct with_lead {
    const lead& ahead;
    Before before;
  };

  static void begin(bone_steps& out) noexcept {
    out.moved = 0;
    out.turned = 0;
    out.aimless = 0;
    out.bent = 0;
    out.longer = 0;
  }
  // The last place contains no bone.
  static void finish(bone_steps& out) noexcept {
    out.moved &= all_bones;
    out.turned &= all_bones;
    out.aimless &= all_bones;
    out.bent &= all_bones;
  }

  // A group. The last place of the last one contains no bone.
  template <class T>
  static auto load(const std::array<T, echo::bone_count>& from, std::size_t first) noexcept {
    if (first < whole) return load(&from[first]);
    std::array<T, width> rest{};
    std::copy(from.begin() + whole, from.end(), rest.begin());
    return load(rest.data());
  }
  static vectors load(const echo::vec3* from) noexcept {
    static_assert(sizeof(echo::vec3) == 3 * sizeof(float));
    vectors v;
    Lanes::load_vectors(from, v.x, v.y, v.z);
    return v;
  }
  static quaternions load(const echo::quat* from) noexcept {
    static_assert(sizeof(echo::quat) == 4 * sizeof(float));
    std::array<const void*, width> rows;
    for (std::size_t i = 0; i < width; ++i) rows[i] = from + i;
    quaternions q;
    Lanes::load_columns(rows, q.x, q.y, q.z, q.w);
    return q;
  }
  static floats square(const vectors& v) noexcept { return v.x * v.x + v.y * v.y + v.z * v.z; }
  static vectors minus(const vectors& a, const vectors& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }

  // Positions

  struct walk_taken {
    ints x, y, z;  // codes
    vectors reached;
  };

  template <class Lead>
  static void walk(const vectors& asked, std::size_t first, held_bones& held,
                   const lane_rounding<Lanes>& rounding, const bone_limits& limits,
                   [[maybe_unused]] const Lead& leading, bone_steps& out) noexcept {
    const vectors wanted = within_reach(asked, first, out);
    held_bones::positions_by_component& has = held.positions;
    const vectors from{Lanes::load(&has.x[first]), Lanes::load(&has.y[first]), Lanes::load(&has.z[first])};
    const floats limit = Lanes::all(limits.position_square);
    const vectors way = minus(wanted, from);
    walk_taken taken = take(way, from, rounding);
    ints near = Lanes::less_equal(square(way), limit);
    if constexpr (!std::is_same_v<Lead, no_lead>) {
      const walk_taken nearest = taken;
      const ints written =
          Lanes::less_equal(square(minus(wanted, taken.reached)), Lanes::all(written_place_square));
      prefer_ahead(wanted, leading, from, rounding, limit, taken);
      taken = choose_walk(written, nearest, taken);
      near = without(near, written);
    }
    const ints stays = near | Lanes::equal(taken.x | taken.y | taken.z, Lanes::all(0u));
    out.moved |= (~Lanes::mask_of(stays) & lane_bits) << first;
    Lanes::store(&has.x[first], choose<Lanes>(stays, from.x, taken.reached.x));
    Lanes::store(&has.y[first], choose<Lanes>(stays, from.y, taken.reached.y));
    Lanes::store(&has.z[first], choose<Lanes>(stays, from.z, taken.reached.z));

    const ints x = zigzag(taken.x);
    const ints y = zigzag(taken.y);
    const ints z = zigzag(taken.z);
    Lanes::store(&out.x[first], x);
    Lanes::store(&out.y[first], y);
    Lanes::store(&out.z[first], z);
    Lanes::store(&out.triples[first], x | Lanes::template left<8>(y) | Lanes::template left<16>(z));
    const ints last = Lanes::all(prefix_varint_last_single);
    const ints longer = Lanes::less(last, x) | Lanes::less(last, y) | Lanes::less(last, z);
    out.longer |= (Lanes::mask_of(longer) & lane_bits) << first;
  }

  // A difference after a position that no keyframe can express could grow without limit, and would take as
  // long to return.
  static vectors within_reach(const vectors& asked, std::size_t first, bone_steps& out) noexcept {
    const floats lowest = Lanes::all(bone_grid::lowest);
    const floats highest = Lanes::all(bone_grid::highest);
    const auto beyond = [&](const floats& c) { return Lanes::less(highest, c) | Lanes::less(c, lowest); };
    const unsigned bent = Lanes::mask_of(beyond(asked.x) | beyond(asked.y) | beyond(asked.z)) & lane_bits;
    if (bent == 0) return asked;
    out.bent |= bent << first;
    const auto nearest = [&](const floats& c) {
      return choose<Lanes>(Lanes::less(highest, c), highest,
                           choose<Lanes>(Lanes::less(c, lowest), lowest, c));
    };
    return {nearest(asked.x), nearest(asked.y), nearest(asked.z)};
  }

  static walk_taken take(const vectors& way, const vectors& from,
                         const lane_rounding<Lanes>& rounding) noexcept {
    const ints x = codes_of(way.x, rounding);
    const ints y = codes_of(way.y, rounding);
    const ints z = codes_of(way.z, rounding);
    const floats step = Lanes::all(static_cast<float>(bone_grid::step));
    return {x,
            y,
            z,
            {from.x + Lanes::to_floats(x) * step, from.y + Lanes::to_floats(y) * step,
             from.z + Lanes::to_floats(z) * step}};
  }

  static ints codes_of(const floats& way, const lane_rounding<Lanes>& rounding) noexcept {
    const floats lowest = Lanes::all(bone_grid::lowest);
    const floats highest = Lanes::all(bone_grid::highest);
    // Comparisons with NaN are false, so NaN has no movement.
    const ints above = Lanes::less(highest, way);
    const ints below = Lanes::less(way, lowest);
    const ints inside = Lanes::less_equal(way, highest) & Lanes::less_equal(lowest, way);
    const floats near = Lanes::from_bits(Lanes::bits(rounding.whole_steps(way)) & inside);
    const floats bent = choose<Lanes>(above, highest, choose<Lanes>(below, lowest, near));
    return Lanes::to_ints(bent * Lanes::all(static_cast<float>(1 / bone_grid::step)));
  }

  static void prefer_ahead(const vectors& wanted, const with_lead<vectors>& leading, const vectors& from,
                           const lane_rounding<Lanes>& rounding, const floats& limit,
                           walk_taken& taken) noexcept {
    const vectors way = minus(wanted, leading.before);
    const floats way_square = square(way);
    const ints useful = Lanes::less(Lanes::all(0.0f), way_square) &
                        Lanes::less(way_square, Lanes::all(leading.ahead.useful_square()));
    if (Lanes::mask_of(useful) == 0) return;
    const floats share = Lanes::all(leading.ahead.reach()) / Lanes::square_root(way_square);
    const vectors target{wanted.x + share * way.x, wanted.y + share * way.y, wanted.z + share * way.z};
    const walk_taken led = take(minus(target, from), from, rounding);
    // False for NaN.
    const ints better = useful & Lanes::less_equal(square(minus(led.reached, wanted)), limit);
    taken = choose_walk(better, led, taken);
  }

  static walk_taken choose_walk(const ints& mask, const walk_taken& a, const walk_taken& b) noexcept {
    return {choose<Lanes>(mask, a.x, b.x),
            choose<Lanes>(mask, a.y, b.y),
            choose<Lanes>(mask, a.z, b.z),
            {choose<Lanes>(mask, a.reached.x, b.reached.x), choose<Lanes>(mask, a.reached.y, b.reached.y),
             choose<Lanes>(mask, a.reached.z, b.reached.z)}};
  }
  static ints without(const ints& mask, const ints& other) noexcept {
    return mask & (other ^ Lanes::all(0xFFFFFFFFu));
  }

  static ints zigzag(const ints& codes) noexcept {
    return Lanes::template left<1>(codes) ^ Lanes::less(codes, Lanes::all(0u));
  }

  // Rotations

  template <class Lead>
  static void turn(const quaternions& wanted, std::size_t first, const held_bones& held,
                   const bone_limits& limits, [[maybe_unused]] const Lead& leading,
                   bone_steps& out) noexcept {
    const quaternions from = held_rotations(held, first);
    const turn_between between(from, wanted);
    // Neither zero nor infinite nor NaN.
    const ints aims = Lanes::less(Lanes::all(0.0f), between.length_square) &
                      Lanes::less(between.length_square, Lanes::all(INFINITY));
    ints near = between.within(limits);
    [[maybe_unused]] ints nearest = Lanes::all(0u);
    [[maybe_unused]] ints written = Lanes::all(0u);
    if constexpr (!std::is_same_v<Lead, no_lead>) {
      nearest = pack(between, limits);
      const turn_between off(product(unpack(nearest), from), wanted);
      written = Lanes::less_equal(off.sines, off.length_square * Lanes::all(written_sine_square)) & aims;
      near = without(near, written);
    }
    const ints stays = near | Lanes::equal(aims, Lanes::all(0u));
    out.aimless |= (~Lanes::mask_of(aims) & lane_bits) << first;
    const unsigned turned = ~Lanes::mask_of(stays) & lane_bits;
    if (turned == 0) return;
    out.turned |= turned << first;

    if constexpr (std::is_same_v<Lead, no_lead>) {
      Lanes::store(&out.packed[first], pack(between, limits));
    } else {
      const ints ahead = prefer_ahead(wanted, leading, from, limits, nearest);
      Lanes::store(&out.packed[first], choose<Lanes>(written, nearest, ahead));
    }
  }

  // Rotates the held values by the written ones, like a decoder.
  static void follow(std::size_t first, held_bones& held, const bone_steps& steps) noexcept {
    const unsigned turned = steps.turned >> first & lane_bits;
    if (turned == 0) return;
    held_bones::rotations_by_component& has = held.rotations;
    const quaternions from = held_rotations(held, first);
    const quaternions reached = product(unpack(Lanes::load(&steps.packed[first])), from);
    const ints turns = Lanes::where(turned);
    Lanes::store(&has.x[first], choose<Lanes>(turns, reached.x, from.x));
    Lanes::store(&has.y[first], choose<Lanes>(turns, reached.y, from.y));
    Lanes::store(&has.z[first], choose<Lanes>(turns, reached.z, from.z));
    Lanes::store(&has.w[first], choose<Lanes>(turns, reached.w, from.w));
  }

  static quaternions held_rotations(const held_bones& held, std::size_t first) noexcept {
    const held_bones::rotations_by_component& has = held.rotations;
    return {Lanes::load(&has.x[first]), Lanes::load(&has.y[first]), Lanes::load(&has.z[first]),
            Lanes::load(&has.w[first])};
  }
  // In the order of operations of product() for single values.
  static quaternions product(const quaternions& a, const quaternions& b) noexcept {
    const floats cross_x = a.y * b.z - a.z * b.y;
    const floats cross_y = a.z * b.x - a.x * b.z;
    const floats cross_z = a.x * b.y - a.y * b.x;
    const floats dot = a.x * b.x + a.y * b.y + a.z * b.z;
    return {a.x * b.w + b.x * a.w + cross_x, a.y * b.w + b.y * a.w + cross_y, a.z * b.w + b.z * a.w + cross_z,
            a.w * b.w - dot};
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

  static ints prefer_ahead(const quaternions& wanted, const with_lead<quaternions>& leading,
                           const quaternions& from, const bone_limits& limits, const ints& packed) noexcept {
    const quaternions& before = leading.before;
    // A quaternion and its negative are the same rotation.
    const floats cosine =
        wanted.x * before.x + wanted.y * before.y + wanted.z * before.z + wanted.w * before.w;
    const ints sign = Lanes::bits(cosine) & Lanes::all(0x80000000u);
    const auto way_of = [&](const floats& now, const floats& then) {
      return now - Lanes::from_bits(Lanes::bits(then) ^ sign);
    };
    const quaternions way{way_of(wanted.x, before.x), way_of(wanted.y, before.y), way_of(wanted.z, before.z),
                          way_of(wanted.w, before.w)};
    const floats way_square = way.x * way.x + way.y * way.y + way.z * way.z + way.w * way.w;
    const ints useful = Lanes::less(Lanes::all(0.0f), way_square) &
                        Lanes::less(way_square, Lanes::all(leading.ahead.useful_square()));
    if (Lanes::mask_of(useful) == 0) return packed;
    const floats share = Lanes::all(leading.ahead.reach()) / Lanes::square_root(way_square);
    const quaternions target{wanted.x + share * way.x, wanted.y + share * way.y, wanted.z + share * way.z,
                             wanted.w + share * way.w};
    const ints led = pack(turn_between(from, target), limits);
    // False for NaN.
    const ints better = useful & turn_between(product(unpack(led), from), wanted).within(limits);
    return choose<Lanes>(better, led, packed);
  }

  static ints pack(const turn_between& turn, const bone_limits& limits) noexcept {
    const floats(&by)[4] = turn.by;
    // Between two ticks rotations are small: w is by far the largest component.
    if (Lanes::mask_of(Lanes::less(turn.sines, by[3] * by[3])) == lane_bits) {
      return pack_kept({by[0], by[1], by[2]}, Lanes::bits(by[3]), Lanes::all(3u), turn.length_square, limits);
    }
    floats largest = lane_rounding<Lanes>::magnitude(by[0]);
    ints left_out = Lanes::all(0u);
    ints sign = Lanes::bits(by[0]);
    for (std::uint32_t i = 1; i < 4; ++i) {
      const floats size = lane_rounding<Lanes>::magnitude(by[i]);
      const ints larger = Lanes::less(largest, size);
      largest = choose<Lanes>(larger, size, largest);
      left_out = choose<Lanes>(larger, Lanes::all(i), left_out);
      sign = choose<Lanes>(larger, Lanes::bits(by[i]), sign);
    }
    // Components after the omitted one move up.
    const auto kept = [&](std::uint32_t i) {
      return choose<Lanes>(Lanes::less(left_out, Lanes::all(i + 1)), by[i + 1], by[i]);
    };
    return pack_kept({kept(0), kept(1), kept(2)}, sign, left_out, turn.length_square, limits);
  }
  static ints pack_kept(const floats (&kept)[3], const ints& sign, const ints& left_out,
                        const floats& length_square, const bone_limits& limits) noexcept {
    const floats scale =
        Lanes::all(static_cast<float>(1 / smallest_three_step)) / Lanes::square_root(length_square);
    const floats signed_scale = Lanes::from_bits(Lanes::bits(scale) ^ (sign & Lanes::all(0x80000000u)));
    ints codes[3];
    const floats half = Lanes::all(0.5f);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const floats place = rotation_places<Lanes>(kept[i], signed_scale);
      codes[i] = Lanes::to_ints(place + half);
      if (i + limits.coarse_axes < 3) continue;
      const ints even = Lanes::template left<1>(Lanes::to_ints(place * half + half));
      const floats off = lane_rounding<Lanes>::magnitude(Lanes::to_floats(even) - place);
      const ints take_even =
          Lanes::less_equal(off, Lanes::all(limits.even_codes_limit)) & Lanes::less(even, Lanes::all(1024u));
      codes[i] = choose<Lanes>(take_even, even, codes[i]);
    }
    return packed_rotation<Lanes>(left_out, codes[0], codes[1], codes[2]);
  }

  // The result of smallest_three_unpack().
  static quaternions unpack(const ints& packed) noexcept {
    const ints code = Lanes::all(1023u);
    const floats a = Lanes::rotation_components(Lanes::template right<2>(packed) & code);
    const floats b = Lanes::rotation_components(Lanes::template right<12>(packed) & code);
    const floats c = Lanes::rotation_components(Lanes::template right<22>(packed));
    const floats rest = Lanes::square_root(Lanes::all(1.0f) - a * a - b * b - c * c);
    const ints left_out = packed & Lanes::all(3u);
    const ints is_w = Lanes::equal(left_out, Lanes::all(3u));
    if (Lanes::mask_of(is_w) == lane_bits) return {a, b, c, rest};
    const ints is_x = Lanes::equal(left_out, Lanes::all(0u));
    const ints is_y = Lanes::equal(left_out, Lanes::all(1u));
    const ints is_z = Lanes::equal(left_out, Lanes::all(2u));
    return {choose<Lanes>(is_x, rest, a), choose<Lanes>(is_x, a, choose<Lanes>(is_y, rest, b)),
            choose<Lanes>(is_z, rest, choose<Lanes>(is_w, c, b)), choose<Lanes>(is_w, rest, c)};
  }
};

}  // namespace tickreel::butter
