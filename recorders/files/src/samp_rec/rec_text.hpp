// Blocks of .rec files as text, exact to the last bit: columns of CSV and members of JSON objects.
// Numbers are the shortest text that parses to the same bits. A NaN or an infinity, which JSON cannot
// represent, is its bits in hexadecimal, "0x7fc00000", as a string. Names are those of the format's
// description: time_ms, position, velocity (metres per 20 ms), rotation (w, x, y, z).
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/legacy.hpp"
#include "tickreel/samp_rec/shape.hpp"
#include "tickreel/samp_rec/vcmp.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

enum class rec_text_form : std::uint8_t { csv, ndjson };

// Lines before the blocks: that the file has no header, and the layout if columns or members do not identify
// it. Empty for an ordinary file.
[[nodiscard]] std::string rec_text_before(rec_text_form form, const samp_rec::file_shape& shape);
// Lines after the blocks: the bytes of a truncated last block; empty if there is none.
[[nodiscard]] std::string rec_text_after(rec_text_form form, byte_span tail);

// A member's name in texts: without the unit in its C++ name.
[[nodiscard]] constexpr std::string_view rec_text_name(std::string_view member) noexcept {
  if (member == "position_m") return "position";
  if (member == "velocity_m_per_20ms") return "velocity";
  if (member == "surf_offset_m") return "surf_offset";
  if (member == "heading_degrees") return "heading";
  if (member == "landing_gear") return "gear";
  return member;
}

void append_rec_float(float value, bool quote_hex, std::string& out);
// A number, or its bits. False for anything else.
[[nodiscard]] bool parse_rec_float(std::string_view text, float& to) noexcept;

template <class Number>
void append_rec_number(Number value, bool quote_hex, std::string& out) {
  if constexpr (std::is_same_v<Number, float>) {
    append_rec_float(value, quote_hex, out);
  } else {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, end);
  }
}

template <class Number>
[[nodiscard]] bool parse_rec_number(std::string_view text, Number& to) noexcept {
  if constexpr (std::is_same_v<Number, float>) {
    return parse_rec_float(text, to);
  } else {
    return text::parse_number(text, to);
  }
}

// Calls `visit(name, sub, number)` for every number of a block in order; `sub` is empty outside of tuples.
template <class Block, class Visit>
void each_rec_number(Block& block, Visit&& visit) {
  visit_fields(block, [&](std::string_view name, auto& member) {
    using member_type = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_arithmetic_v<member_type>) {
      visit(rec_text_name(name), std::string_view(), member);
    } else if constexpr (requires { member_type::wire_bytes; }) {
      each_rec_number(member, visit);
    } else {
      visit_fields(member,
                   [&](std::string_view sub, auto& number) { visit(rec_text_name(name), sub, number); });
    }
  });
}

template <class Block>
void append_rec_columns(std::string& out) {
  Block block;
  each_rec_number(block, [&](std::string_view name, std::string_view sub, auto&) {
    if (!out.empty()) out += ',';
    out += name;
    if (!sub.empty()) (out += '_') += sub;
  });
}

template <class Block>
void append_rec_row(const Block& block, std::string& out) {
  bool first = true;
  each_rec_number(block, [&](std::string_view, std::string_view, const auto& number) {
    if (!first) out += ',';
    first = false;
    append_rec_number(number, false, out);
  });
}

// The members of a JSON object, without braces and without a leading comma; tuples as arrays. `skip` names a
// member to omit.
template <class Block>
void append_rec_members(const Block& block, std::string_view skip, std::string& out) {
  std::string_view open_tuple;
  bool first = true;
  each_rec_number(block, [&](std::string_view name, std::string_view sub, const auto& number) {
    if (name == skip) return;
    if (!open_tuple.empty() && name != open_tuple) {
      out += ']';
      open_tuple = {};
    }
    if (!first) out += ',';
    first = false;
    if (sub.empty() || name != open_tuple) {
      ((out += '"') += name) += "\":";
      if (!sub.empty()) {
        out += '[';
        open_tuple = name;
      }
    }
    append_rec_number(number, true, out);
  });
  if (!open_tuple.empty()) out += ']';
}

// The meaning of raw numbers, as additional members after those of append_rec_members(); readers of texts
// ignore them. A train's speed in m/s or a Hydra's thrusters, whichever is plausible; the names of weapon and
// keys; an animation's flags.
void append_rec_meaning(const samp_rec::vehicle_block& block, std::string& out);
void append_rec_meaning(const samp_rec::on_foot_block& block, std::string& out);
template <class Block>
void append_rec_meaning(const Block&, std::string&) {}

}  // namespace tickreel::files
