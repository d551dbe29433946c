// Processes poses, four per task, several at a time: which must be written, and with which values.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "lane_rounding.hpp"
#include "pose_steps.hpp"

namespace tickreel::butter {

template <class Lanes>
struct pose_group {
  using floats = typename Lanes::floats;
  using ints = typename Lanes::ints;

  // As many in `out` as there are tasks.
  static void measure(std::span<const pose_task> tasks, const pose_limits& limits, pose_steps* out) noexcept {
    pose_steps spare;
    for (std::size_t i = 0; i < tasks.size(); i += fours) {
      const group of(tasks, i, out, spare);
      const columns wanted = load_wanted(of);
      walk<false>(wanted.position, of, limits);
      turn(wanted, of, limits, no_lead{});
    }
  }
  // The same, with rotations ahead of the motion where it continues as since the tick before. Values that
  // were already written like this are written unchanged: a second generation keeps the values of the first.
  static void measure_ahead(std::span<const pose_task> tasks, const lead& ahead, const pose_limits& limits,
                            pose_steps* out) noexcept {
    pose_steps spare;
    for (std::size_t i = 0; i < tasks.size(); i += fours) {
      const group of(tasks, i, out, spare);
      const columns wanted = load_wanted(of);
      walk<true>(wanted.position, of, limits);
      parts<const pose_axes::vectors> forward_before, up_before;
      parts<pose_axes::vectors> forward_now, up_now;
      for (std::size_t k = 0; k < fours; ++k) {
        forward_before[k] = &of.tasks[k]->axes_before->forward;
        up_before[k] = &of.tasks[k]->axes_before->up;
        forward_now[k] = &of.tasks[k]->axes_now->forward;
        up_now[k] = &of.tasks[k]->axes_now->up;
      }
      turn(wanted, of, limits, with_lead{ahead, load(forward_before), load(up_before)});
      store(forward_now, wanted.forward);
      store(up_now, wanted.up);
    }
  }

 private:
  // Number of tasks side by side.
  static constexpr std::size_t fours = Lanes::width / 4;
  template <class T>
  using parts = std::array<T*, fours>;

  // Missing tasks are filled with the first one.
  struct group {
    group(std::span<const pose_task> all, std::size_t first, pose_steps* out, pose_steps& spare) noexcept {
      for (std::size_t k = 0; k < fours; ++k) {
        const bool there = first + k < all.size();
        tasks[k] = &all[there ? first + k : first];
        held[k] = tasks[k]->held;
        steps[k] = there ? out + first + k : &spare;
      }
    }
    parts<const pose_task> tasks;
    parts<const held_poses> held;
    parts<pose_steps> steps;
  };

  struct vector {
    floats x, y, z;

    vector operator*(const floats& by) const noexcept { return {x * by, y * by, z * by}; }
    vector operator-(const vector& b) const noexcept { return {x - b.x, y - b.y, z - b.z}; }
    vector operator+(const vector& b) const noexcept { return {x + b.x, y + b.y, z + b.z}; }
  };
  struct columns {
    vector position, forward, up;
  };
  struct no_lead {};
  struct with_lead {
    const lead& ahead;
    vector forward_before;
    vector up_before;
  };

  // Of what has arrays x, y and z.
  template <class T>
  static vector load(const parts<T>& from) noexcept {
    parts<const float> x, y, z;
    for (std::size_t k = 0; k < fours; ++k) {
      x[k] = from[k]->x.data();
      y[k] = from[k]->y.data();
      z[k] = from[k]->z.data();
    }
    return {Lanes::load_parts(x), Lanes::load_parts(y), Lanes::load_parts(z)};
  }
  template <class T>
  static void store(const parts<T>& to, const vector& value) noexcept {
    parts<float> x, y, z;
    for (std::size_t k = 0; k < fours; ++k) {
      x[k] = to[k]->x.data();
      y[k] = to[k]->y.data();
      z[k] = to[k]->z.data();
    }
    Lanes::store_parts(x, value.x);
    Lanes::store_parts(y, value.y);
    Lanes::store_parts(z, value.z);
  }

  static columns load_wanted(const group& of) noexcept {
    // Four vectors without a gap, in this order.
    static_assert(offsetof(echo::pose, position) == 0 && offsetof(echo::pose, forward) == 12);
    static_assert(offsetof(echo::pose, left) == 24 && offsetof(echo::pose, up) == 36);
    floats column[12];
    for (std::size_t i = 0; i < 12; i += 4) {
      std::array<const void*, Lanes::width> rows;
      for (std::size_t j = 0; j < rows.size(); ++j) {
        const void* const pose = of.tasks[j / 4]->wanted[j % 4];
        rows[j] = static_cast<const std::byte*>(pose) + i * sizeof(float);
      }
      Lanes::load_columns(rows, column[i], column[i + 1], column[i + 2], column[i + 3]);
    }
    return {{column[0], column[1], column[2]},
            {column[3], column[4], column[5]},
            {column[9], column[10], column[11]}};
  }

  // The four bits of each task.
  static unsigned mask_of_part(unsigned mask, std::size_t k) noexcept { return mask >> (4 * k) & 15u; }

  static ints without(const ints& mask, const ints& other) noexcept {
    return mask & (other ^ Lanes::all(0xFFFFFFFFu));
  }

  static vector cross(const vector& a, const vector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  static floats square(const vector& a) noexcept { return a.x * a.x + a.y * a.y + a.z * a.z; }

  template <bool KeepsWritten>
  static void walk(const vector& wanted, const group& of, const pose_limits& limits) noexcept {
    const lane_rounding<Lanes> lanes(limits.rounding);
    const vector from = load(of.held);
    const vector way = wanted - from;
    const floats distance = square(way);
    const vector written{lanes.writable(way.x), lanes.writable(way.y), lanes.writable(way.z)};
    const vector reached = written + from;
    const ints x = lanes.halves(written.x);
    const ints y = lanes.halves(written.y);
    const ints z = lanes.halves(written.z);
    ints near = Lanes::less_equal(distance, Lanes::all(limits.position_square));
    if constexpr (KeepsWritten) {
      near = without(near, Lanes::less_equal(square(wanted - reached), Lanes::all(written_place_square)));
    }
    const ints stays = near | Lanes::equal(x | y | z, Lanes::all(0u));
    const unsigned staying = Lanes::mask_of(stays);
    const unsigned reachable = Lanes::mask_of(Lanes::less_equal(distance, Lanes::all(half_max * half_max)));
    parts<std::uint32_t> xy_half, z_half;
    parts<held_poses> to;
    for (std::size_t k = 0; k < fours; ++k) {
      pose_steps& out = *of.steps[k];
      out.moved = mask_of_part(~staying, k);
      out.unreachable = mask_of_part(~reachable, k);
      xy_half[k] = out.xy_half.data();
      z_half[k] = out.z_half.data();
      to[k] = &out.reached;
    }
    Lanes::store_parts(xy_half, x | Lanes::template left<16>(y));
    Lanes::store_parts(z_half, z);
    store(to, reached);
  }

  template <class Lead>
  static void turn(const columns& wanted, const group& of, const pose_limits& limits,
                   [[maybe_unused]] const Lead& leading) noexcept {
    parts<const std::uint32_t> held;
    for (std::size_t k = 0; k < fours; ++k) held[k] = of.held[k]->rotation.data();
    const rotation exact(wanted.forward, wanted.up);
    ints packed = exact.packed;
    const ints has = Lanes::load_parts(held);
    ints near = exact.is_close_to(has, limits);
    if constexpr (!std::is_same_v<Lead, no_lead>) {
      const ints written = exact.was_written();
      packed = choose<Lanes>(written, packed, prefer_ahead(wanted, exact, leading, limits));
      near = choose<Lanes>(written, Lanes::equal(has, packed), near);
    }

    const unsigned aiming = Lanes::mask_of(exact.aims);
    const unsigned close = Lanes::mask_of(near);
    parts<std::uint32_t> to;
    for (std::size_t k = 0; k < fours; ++k) {
      pose_steps& out = *of.steps[k];
      out.aimless = mask_of_part(~aiming, k);
      out.turned = mask_of_part(aiming & ~close, k);
      to[k] = out.reached.rotation.data();
    }
    Lanes::store_parts(to, packed);
  }

  // The rotation of quaternion_from_basis(), packed, with the omitted component known in advance.
  struct rotation {
    rotation(const vector& forward, const vector& up) noexcept {
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
      left_out = Lanes::all(0u);
      for (std::uint32_t i = 1; i < 4; ++i) {
        const ints larger = Lanes::less(largest, squares[i]);
        largest = choose<Lanes>(larger, squares[i], largest);
        left_out = choose<Lanes>(larger, Lanes::all(i), left_out);
      }
      // Four times the products xy, xz, yz and wx, wy, wz; those with the largest component are the other
      // components.
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
      rest = largest * scale;

      const floats codes_per_unit = scale * Lanes::all(static_cast<float>(1 / smallest_three_step));
      places = {rotation_places<Lanes>(a, codes_per_unit), rotation_places<Lanes>(b, codes_per_unit),
                rotation_places<Lanes>(c, codes_per_unit)};
      const floats half = Lanes::all(0.5f);
      packed = packed_rotation<Lanes>(left_out, Lanes::to_ints(places.x + half),
                                      Lanes::to_ints(places.y + half), Lanes::to_ints(places.z + half));
      // Neither zero nor infinite nor NaN.
      aims = Lanes::less(Lanes::all(0.0f), length_square) & Lanes::less(length_square, Lanes::all(INFINITY));
    }

    // Exactly on the codes, like a decoder's values and almost nothing else.
    [[nodiscard]] ints was_written() const noexcept {
      const floats most = Lanes::all(0x1p-6f);
      const auto on_code = [&](const floats& place) {
        using rounding = lane_rounding<Lanes>;
        return Lanes::less_equal(rounding::magnitude(place - rounding::nearest_whole(place)), most);
      };
      return on_code(places.x) & on_code(places.y) & on_code(places.z) & aims;
    }

    // Within the limit of a packed one, or packed equally.
    [[nodiscard]] ints is_close_to(const ints& other, const pose_limits& limits) const noexcept {
      // The chord between two unit quaternions measures small angles better than their product.
      const vector codes{Lanes::to_floats(Lanes::template right<2>(other) & Lanes::all(1023u)),
                         Lanes::to_floats(Lanes::template right<12>(other) & Lanes::all(1023u)),
                         Lanes::to_floats(Lanes::template right<22>(other))};
      const floats middle = Lanes::all(511.5f);
      const floats unit = Lanes::all(static_cast<float>(smallest_three_step));
      const floats code_square = unit * unit;
      const floats kept = square(codes - vector{middle, middle, middle}) * code_square;
      const floats rest_off = Lanes::square_root(Lanes::all(1.0f) - kept) - rest;
      const floats chord_square = square(places - codes) * code_square + rest_off * rest_off;
      const ints same = Lanes::equal(other & Lanes::all(3u), left_out);
      const ints near = Lanes::less_equal(chord_square, Lanes::all(limits.rotation_chord_square));
      return (same & near) | Lanes::equal(other, packed);
    }

    ints left_out;
    vector places;  // of the other components, between their codes
    floats rest;    // the omitted component
    ints packed;
    ints aims;
  };

  static ints prefer_ahead(const columns& wanted, const rotation& exact, const with_lead& leading,
                           const pose_limits& limits) noexcept {
    const vector forward_way = wanted.forward - leading.forward_before;
    const vector up_way = wanted.up - leading.up_before;
    const floats way_square = square(forward_way) + square(up_way);
    const ints useful = Lanes::less(Lanes::all(0.0f), way_square) &
                        Lanes::less(way_square, Lanes::all(leading.ahead.useful_square()));
    if (Lanes::mask_of(useful) == 0) return exact.packed;
    const floats share = Lanes::all(leading.ahead.reach()) / Lanes::square_root(way_square);
    // These axes are neither of unit length nor perpendicular.
    const rotation led(wanted.forward + forward_way * share, wanted.up + up_way * share);
    const ints better = useful & led.aims & exact.is_close_to(led.packed, limits);
    return choose<Lanes>(better, led.packed, exact.packed);
  }
};

}  // namespace tickreel::butter
