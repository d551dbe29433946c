#include "rec_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>

#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

constexpr std::string_view hex_prefix = "0x";
constexpr std::size_t hex_digits = 8;

}  // namespace

namespace {

std::string remark(rec_text_form form, std::string_view key, std::string_view value, bool is_number) {
  std::string out;
  if (form == rec_text_form::csv) {
    ((out = "# samp_rec ") += key) += '=';
    out += value;
  } else {
    ((out = "{\"samp_rec\":{\"") += key) += "\":";
    if (!is_number) out += '"';
    out += value;
    if (!is_number) out += '"';
    out += "}}";
  }
  out += '\n';
  return out;
}

}  // namespace

std::string rec_text_before(rec_text_form form, const samp_rec::file_shape& shape) {
  std::string text;
  if (shape.header_bytes == 0) text += remark(form, "header_bytes", "0", true);
  const bool tells_layout =
      form == rec_text_form::csv ? shape.layout != samp_rec::block_layout::none : shape.block_count != 0;
  if (!tells_layout) text += remark(form, "layout", samp_rec::name(shape.layout), false);
  return text;
}

std::string rec_text_after(rec_text_form form, byte_span tail) {
  return tail.empty() ? std::string() : remark(form, "tail", text::to_hex(tail), false);
}

namespace {

void append_names(std::uint16_t keys, std::uint8_t weapon_and_key, std::string& out) {
  using namespace samp_rec;
  if (keys != 0) {
    out += ",\"keys_held\":[";
    bool first = true;
    for (unsigned bit = 1; bit < 0x8000; bit <<= 1) {
      const auto one = static_cast<key>(bit);
      if (!holds(keys, one) || name(one).empty()) continue;
      if (!first) out += ',';
      first = false;
      ((out += '"') += name(one)) += '"';
    }
    out += ']';
  }
  const auto held = name(static_cast<weapon>(weapon_id(weapon_and_key)));
  if (weapon_id(weapon_and_key) != 0 && !held.empty()) ((out += ",\"weapon\":\"") += held) += '"';
}

// The game's own range of a train's speed; in all known recordings it equals the velocity's length within 1
// %.
bool is_train_speed(const samp_rec::vehicle_block& block) noexcept {
  const float speed = block.train_speed_m_per_20ms();
  if (!std::isfinite(speed) || std::abs(speed) > 1) return false;
  const double size = samp_rec::length(block.velocity_m_per_20ms);
  return std::abs(std::abs(static_cast<double>(speed)) - size) <= 0.02 * size + 0.005;
}

}  // namespace

void append_rec_meaning(const samp_rec::vehicle_block& block, std::string& out) {
  append_names(block.keys, block.weapon_and_key, out);
  if (block.special == 0) return;
  const samp_rec::thruster_angles angles = block.thrusters();
  // As a float such angles are below 1e-26, which is no train's speed.
  if (angles.first <= samp_rec::thruster_angles::most && angles.second <= samp_rec::thruster_angles::most) {
    append_rec_number(angles.first, true, out += ",\"thrusters\":[");
    append_rec_number(angles.second, true, out += ',');
    out += ']';
  } else if (is_train_speed(block)) {
    out += ",\"train_speed_m_per_s\":";
    append_rec_float(block.train_speed_m_per_20ms() * static_cast<float>(samp_rec::m_per_s_per_unit), true,
                     out);
  }
}

void append_rec_meaning(const samp_rec::on_foot_block& block, std::string& out) {
  append_names(block.keys, block.weapon_and_key, out);
  if (const auto action = name(static_cast<samp_rec::special_action>(block.special_action));
      block.special_action != 0 && !action.empty()) {
    ((out += ",\"action\":\"") += action) += '"';
  }
  if (block.animation_id == 0) return;
  // Low byte: blend delta; then four switches, and the time.
  const unsigned flags = block.animation_flags;
  append_rec_number(flags & 0xFF, true, out += ",\"animation\":{\"delta\":");
  unsigned bit = 8;
  for (const char* each : {"loop", "lock_x", "lock_y", "freeze"}) {
    ((out += ",\"") += each) += "\":";
    out += (flags >> bit++ & 1) != 0 ? "true" : "false";
  }
  append_rec_number(flags >> 12, true, out += ",\"time\":");
  out += '}';
}

void append_rec_float(float value, bool quote_hex, std::string& out) {
  char text[40];
  if (std::isfinite(value)) {
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    const std::string_view digits(text, static_cast<std::size_t>(end - text));
    out += digits;
    // JSON parsers may read "-0" as an integer, which has no sign.
    if (digits == "-0") out += ".0";
    return;
  }
  const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<std::uint32_t>(value), 16).ptr;
  const std::string_view digits(text, static_cast<std::size_t>(end - text));
  if (quote_hex) out += '"';
  (out += hex_prefix).append(hex_digits - digits.size(), '0') += digits;
  if (quote_hex) out += '"';
}

bool parse_rec_float(std::string_view text, float& to) noexcept {
  if (text.starts_with(hex_prefix)) {
    text.remove_prefix(hex_prefix.size());
    const auto bits = text::parse_number<std::uint32_t>(text, 16);
    if (bits) to = std::bit_cast<float>(*bits);
    return bits.has_value();
  }
  const auto number = text::parse_number<float>(text);
  // The bits of "nan" and "inf" are unknown.
  if (!number || !std::isfinite(*number)) return false;
  to = *number;
  return true;
}

}  // namespace tickreel::files
