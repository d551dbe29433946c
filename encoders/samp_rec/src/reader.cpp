#include "tickreel/samp_rec/reader.hpp"

#include <cmath>

namespace tickreel::samp_rec {

namespace {

float squared(vector3 v) noexcept {
  return v.x * v.x + v.y * v.y + v.z * v.z;
}
float squared(quaternion q) noexcept {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

// Slightly inside the limits, so that rounding cannot hide a block from the exact check.
constexpr float near_position_squared = 3.999e8f;
constexpr float low_velocity_squared = 99.9f;
constexpr float shortest_rotation_squared = 0.961f;
constexpr float longest_rotation_squared = 1.040f;

// No findings about position, velocity, rotation and weapon; false for NaN.
template <class Block>
bool is_plain(const Block& block) noexcept {
  const float rotation = squared(block.rotation);
  return squared(block.position_m) <= near_position_squared &&
         squared(block.velocity_m_per_20ms) <= low_velocity_squared &&
         rotation >= shortest_rotation_squared && rotation <= longest_rotation_squared &&
         weapon_id(block.weapon_and_key) <= last_weapon_id;
}

quaternion scaled_to_one(quaternion q) noexcept {
  const double size = length(q);
  if (!(size > 0)) return {};
  const auto scaled = [size](float part) { return static_cast<float>(static_cast<double>(part) / size); };
  return {scaled(q.w), scaled(q.x), scaled(q.y), scaled(q.z)};
}

template <class Old, class Block>
void read_legacy(byte_reader& from, Block& to) noexcept {
  Old old;
  read(from, old);
  to = modernised(old);
}

template <block_type Block>
result<void> read_blocks(byte_span file, const read_options& options, recording& out,
                         std::vector<Block>& to) {
  stream_reader<Block> reader(out.shape, options);
  to.reserve(static_cast<std::size_t>(out.shape.block_count));
  auto fed = reader.feed(file, [&](const Block& block) { to.push_back(block); });
  if (!fed) return fed;
  reader.finish();
  out.report = reader.report();
  return {};
}

}  // namespace

std::string_view name(oddity_kind kind) noexcept {
  switch (kind) {
    case oddity_kind::not_finite:
      return "not_finite";
    case oddity_kind::far_position:
      return "far_position";
    case oddity_kind::high_velocity:
      return "high_velocity";
    case oddity_kind::rotation_length:
      return "rotation_length";
    case oddity_kind::time_backwards:
      return "time_backwards";
    case oddity_kind::long_gap:
      return "long_gap";
    case oddity_kind::unknown_weapon:
      return "unknown_weapon";
    case oddity_kind::cut_tail:
      return "cut_tail";
  }
  return "";
}

std::string_view sentence(oddity_kind kind) noexcept {
  switch (kind) {
    case oddity_kind::not_finite:
      return "position, rotation or velocity is not a number";
    case oddity_kind::far_position:
      return "the position is farther than 20,000 m from the world's centre";
    case oddity_kind::high_velocity:
      return "the velocity is above 10 metres per 20 ms";
    case oddity_kind::rotation_length:
      return "the rotation's length is off 1 by more than 0.02";
    case oddity_kind::time_backwards:
      return "time goes back";
    case oddity_kind::long_gap:
      return "more than 30 s pass since the block before";
    case oddity_kind::unknown_weapon:
      return "there is no weapon above 46";
    case oddity_kind::cut_tail:
      return "the file ends inside a block";
  }
  return "";
}

block_inspector::block_inspector(const file_shape& shape, const read_options& options)
    : shape_(shape), options_(options) {}

void block_inspector::note(oddity_kind kind, double value) {
  ++report_.oddity_count;
  if (report_.oddities.size() >= options_.oddities) return;
  report_.oddities.push_back({kind, index_, shape_.block_offset(index_), value});
}

template <block_type Block>
result<bool> block_inspector::look_at(Block& block) {
  if (!is_plain(block)) {
    if (!is_finite(block)) {
      if (options_.mode == strictness::strict) {
        return fail(error_code::malformed, shape_.block_offset(index_),
                    "block {}: position, rotation or velocity is not a number",
                    static_cast<std::int64_t>(index_));
      }
      note(oddity_kind::not_finite, 0);
      if (options_.mode == strictness::lenient) {
        ++report_.blocks_left_out;
        ++index_;
        return false;
      }
    }
    if (const double far = length(block.position_m); far > far_position_m) {
      note(oddity_kind::far_position, far);
    }
    if (const double fast = length(block.velocity_m_per_20ms); fast > high_velocity_m_per_20ms) {
      note(oddity_kind::high_velocity, fast);
    }
    if (const double size = length(block.rotation); std::abs(size - 1) > rotation_length_tolerance) {
      note(oddity_kind::rotation_length, size);
      if (options_.mode == strictness::lenient) block.rotation = scaled_to_one(block.rotation);
    }
    if (const auto id = weapon_id(block.weapon_and_key); id > last_weapon_id) {
      note(oddity_kind::unknown_weapon, id);
    }
  }
  if (has_time_) {
    if (block.time_ms < last_time_ms_) {
      note(oddity_kind::time_backwards, static_cast<double>(last_time_ms_ - block.time_ms));
    } else if (block.time_ms - last_time_ms_ > long_gap_ms) {
      note(oddity_kind::long_gap, static_cast<double>(block.time_ms - last_time_ms_));
    }
  }
  has_time_ = true;
  last_time_ms_ = block.time_ms;
  ++report_.blocks_read;
  ++index_;
  return true;
}

template result<bool> block_inspector::look_at(vehicle_block&);
template result<bool> block_inspector::look_at(on_foot_block&);

void block_inspector::finish() {
  if (shape_.tail_bytes != 0) note(oddity_kind::cut_tail, shape_.tail_bytes);
}

void read_as(block_layout layout, byte_span bytes, vehicle_block& to) noexcept {
  byte_reader from(bytes);
  if (layout == block_layout::legacy_vehicle) {
    read_legacy<legacy_vehicle_block>(from, to);
  } else {
    read(from, to);
  }
}

void read_as(block_layout layout, byte_span bytes, on_foot_block& to) noexcept {
  byte_reader from(bytes);
  if (layout == block_layout::legacy_on_foot) {
    read_legacy<legacy_on_foot_block>(from, to);
  } else {
    read(from, to);
  }
}

result<recording> read_recording(byte_span file, const read_options& options) {
  auto shape = detect(file, {.limits = options.limits});
  if (!shape) return fail(shape.error());
  if (is_vcmp(shape->layout)) {
    return fail(error_code::unsupported_operation, 0, "a VC-MP recording has blocks of its own");
  }
  recording out;
  out.shape = *shape;
  out.kind = shape->kind;
  result<void> done;
  if (out.kind == recording_kind::vehicle) done = read_blocks(file, options, out, out.vehicle);
  if (out.kind == recording_kind::on_foot) done = read_blocks(file, options, out, out.on_foot);
  if (!done) return fail(done.error());
  return out;
}

}  // namespace tickreel::samp_rec
