// Four poses at once: what of them must be written, and as what.
#pragma once

#include <cstddef>
#include <cstring>

#include "lane_rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// What a decoder holds of four poses.
struct held_poses {
  std::array<float, 4> x{};
  std::array<float, 4> y{};
  std::array<float, 4> z{};
  std::array<std::uint32_t, 4> rotation{};  // as packed; the decoder never adds rotations of poses up
};

// How far the four that are held are from the four wanted. One bit a pose in the masks.
struct pose_steps {
  unsigned moved = 0;        // its position is too far off, and can be brought nearer
  unsigned turned = 0;       // its rotation is
  unsigned aimless = 0;      // its axes make no rotation
  unsigned unreachable = 0;  // its way is longer than halves can tell, or not a number
  std::array<std::array<std::uint32_t, 4>, 3> halves;  // the ways x, y, z
  std::array<std::array<float, 4>, 3> reached;         // where they lead to
  std::array<std::uint32_t, 4> packed;
};

struct pose_limits {
  float position_square;
  float rotation_chord_square;
};

template <class Lanes>
struct pose_group {
  using floats = typename Lanes::floats;
  using ints = typename Lanes::ints;
  struct vector {
    floats x, y, z;

    friend vector operator*(const vector& a, const floats& by) noexcept {
      return {a.x * by, a.y * by, a.z * by};
    }
  };

  // Always inlined into the one or two places that call it.
  static void measure(const std::array<const echo::pose*, 4>& wanted, const held_poses& held,
                      const step_rounding& rounding, const pose_limits& limits, pose_steps& out) noexcept {
    // Four vectors without a gap, in this order.
    static_assert(offsetof(echo::pose, position) == 0 && offsetof(echo::pose, forward) == 12);
    static_assert(offsetof(echo::pose, left) == 24 && offsetof(echo::pose, up) == 36);
    floats column[12];
    for (std::size_t i = 0; i < 12; i += 4) {
      const std::array<const void*, 4> rows = {numbers_from(*wanted[0], i), numbers_from(*wanted[1], i),
                                               numbers_from(*wanted[2], i), numbers_from(*wanted[3], i)};
      Lanes::load_columns(rows, column[i], column[i + 1], column[i + 2], column[i + 3]);
    }
    walk({column[0], column[1], column[2]}, held, rounding, limits, out);
    turn({column[3], column[4], column[5]}, {column[9], column[10], column[11]}, held, limits, out);
  }

 private:
  static const void* numbers_from(const echo::pose& of, std::size_t first) noexcept {
    return static_cast<const std::byte*>(static_cast<const void*>(&of)) + first * sizeof(float);
  }
  static vector cross(const vector& a, const vector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  static floats square(const vector& a) noexcept { return a.x * a.x + a.y * a.y + a.z * a.z; }

  static void walk(const vector& wanted, const held_poses& held, const step_rounding& rounding,
                   const pose_limits& limits, pose_steps& out) noexcept {
    const lane_rounding<Lanes> lanes(rounding);
    const vector from{Lanes::load(held.x.data()), Lanes::load(held.y.data()), Lanes::load(held.z.data())};
    const vector way{wanted.x - from.x, wanted.y - from.y, wanted.z - from.z};
    const floats distance = square(way);
    const vector told{lanes.tellable(way.x), lanes.tellable(way.y), lanes.tellable(way.z)};
    const ints x = lanes.halves(told.x);
    const ints y = lanes.halves(told.y);
    const ints z = lanes.halves(told.z);
    Lanes::store(out.halves[0].data(), x);
    Lanes::store(out.halves[1].data(), y);
    Lanes::store(out.halves[2].data(), z);
    Lanes::store(out.reached[0].data(), told.x + from.x);
    Lanes::store(out.reached[1].data(), told.y + from.y);
    Lanes::store(out.reached[2].data(), told.z + from.z);
    const ints near = Lanes::less_equal(distance, Lanes::all(limits.position_square));
    const ints stays = Lanes::equal(x | y | z, Lanes::all(0u));
    out.moved = ~Lanes::mask_of(near | stays) & 15u;
    out.unreachable = ~Lanes::mask_of(Lanes::less_equal(distance, Lanes::all(half_max * half_max))) & 15u;
  }

  // The rotation that quaternion_from_basis() gives, packed, with the component left out known beforehand.
  static void turn(const vector& forward, const vector& up, const held_poses& held, const pose_limits& limits,
                   pose_steps& out) noexcept {
    const floats one = Lanes::all(1.0f);
    const vector right = cross(up, forward);
    const vector bent_up = cross(forward, right);
    const floats forward_scale = one / Lanes::square_root(square(forward));
    const floats right_scale = one / Lanes::square_root(square(right));
    const vector f = forward * forward_scale;
    const vector r = right * right_scale;
    const vector v = bent_up * (forward_scale * right_scale);

    // Of the matrix with rows r, v, f: four times the squares of x, y, z, w.
    const floats squares[4] = {one + r.x - v.y - f.z, one + v.y - r.x - f.z, one + f.z - r.x - v.y,
                               one + r.x + v.y + f.z};
    floats largest = squares[0];
    ints left_out = Lanes::all(0u);
    for (std::uint32_t i = 1; i < 4; ++i) {
      const ints larger = Lanes::less(largest, squares[i]);
      largest = choose<Lanes>(larger, squares[i], largest);
      left_out = choose<Lanes>(larger, Lanes::all(i), left_out);
    }
    // Four times the products xy, xz, yz and wx, wy, wz; those with the largest are the other components.
    const floats xy = r.y + v.x;
    const floats xz = r.z + f.x;
    const floats yz = f.y + v.z;
    const floats wx = v.z - f.y;
    const floats wy = f.x - r.z;
    const floats wz = r.y - v.x;
    const ints is_x = Lanes::equal(left_out, Lanes::all(0u));
    const ints is_y = Lanes::equal(left_out, Lanes::all(1u));
    const ints is_w = Lanes::equal(left_out, Lanes::all(3u));
    const floats a = choose<Lanes>(is_x | is_y, xy, choose<Lanes>(is_w, wx, xz));
    const floats b = choose<Lanes>(is_x, xz, choose<Lanes>(is_w, wy, yz));
    const floats c = choose<Lanes>(is_x, wx, choose<Lanes>(is_y, wy, wz));
    const floats length_square = largest * largest + a * a + b * b + c * c;
    const floats scale = one / Lanes::square_root(length_square);

    const floats codes_per_unit = scale * Lanes::all(static_cast<float>(1 / smallest_three_step));
    const floats places[3] = {rotation_places<Lanes>(a, codes_per_unit),
                              rotation_places<Lanes>(b, codes_per_unit),
                              rotation_places<Lanes>(c, codes_per_unit)};
    const auto code = [](const floats& place) { return Lanes::to_ints(place + Lanes::all(0.5f)); };
    const ints packed = packed_rotation<Lanes>(left_out, code(places[0]), code(places[1]), code(places[2]));
    Lanes::store(out.packed.data(), packed);

    // The chord between two unit quaternions tells small angles better than their product.
    const ints had = Lanes::load(held.rotation.data());
    const floats middle = Lanes::all(511.5f);
    const floats codes[3] = {Lanes::to_floats(Lanes::template right<2>(had) & Lanes::all(1023u)),
                             Lanes::to_floats(Lanes::template right<12>(had) & Lanes::all(1023u)),
                             Lanes::to_floats(Lanes::template right<22>(had))};
    const floats unit = Lanes::all(static_cast<float>(smallest_three_step));
    const floats code_square = unit * unit;
    const floats kept = square({codes[0] - middle, codes[1] - middle, codes[2] - middle}) * code_square;
    const floats rest = Lanes::square_root(one - kept) - largest * scale;
    const floats off = square({places[0] - codes[0], places[1] - codes[1], places[2] - codes[2]});
    const floats chord_square = off * code_square + rest * rest;
    const ints same = Lanes::equal(had & Lanes::all(3u), left_out);
    const ints near = Lanes::less_equal(chord_square, Lanes::all(limits.rotation_chord_square));
    const ints stays = Lanes::equal(had, packed);
    // Neither zero nor infinite nor NaN.
    const ints aims =
        Lanes::less(Lanes::all(0.0f), length_square) & Lanes::less(length_square, Lanes::all(INFINITY));
    out.aimless = ~Lanes::mask_of(aims) & 15u;
    out.turned = Lanes::mask_of(aims) & ~Lanes::mask_of((same & near) | stays) & 15u;
  }
};

}  // namespace tickreel::butter
