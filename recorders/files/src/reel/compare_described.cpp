#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <unordered_map>

#include "aligned_ticks.hpp"
#include "reels/reel_facts.hpp"
#include "reels/reel_losses.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/tracks/row_reader.hpp"

namespace tickreel::files {

namespace {

std::string type_text(const value_layout& of) {
  if (!of.enumerators.empty()) return "enumeration";
  if (of.kind == value_kind::boolean || of.kind == value_kind::interned) return std::string(name(of.kind));
  if (of.kind == value_kind::text) return "text[" + std::to_string(of.size_bytes - 2) + "]";
  std::string text = std::string(name(of.kind)) + std::to_string(8 * of.size_bytes);
  if (of.fraction_bits != 0) text += " / 2^" + std::to_string(of.fraction_bits);
  return text;
}

// " (0x7fc00001)": values are compared bit by bit, and NaNs with different bits print alike.
std::string bits_text(byte_span little) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = " (0x";
  for (std::size_t i = little.size(); i-- > 0;) {
    const auto value = std::to_integer<unsigned>(little[i]);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text + ")";
}

std::string value_text(const value_layout& of, byte_span row) {
  const byte_span bytes = row.subspan(of.offset, of.size_bytes);
  byte_reader in(bytes);
  std::string text;
  text::json_writer json(text);
  if (of.kind == value_kind::text) {
    const std::size_t size = in.u16();
    json.value(as_text(in.bytes(std::min(size, in.remaining()))));
    return text;
  }
  if (of.kind == value_kind::floating) {
    const double value = of.size_bytes == 4 ? static_cast<double>(in.f32()) : in.little<double>();
    if (std::isnan(value)) return "NaN" + bits_text(bytes);
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    if (of.size_bytes == 4) {
      json.value(static_cast<float>(value));
    } else {
      json.value(value);
    }
    return text;
  }
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < of.size_bytes; ++i) {
    bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  }
  const unsigned unused = 64 - 8 * of.size_bytes;
  const bool is_signed = of.kind == value_kind::signed_integer;
  const auto number =
      is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
  const auto word = std::ranges::find(of.enumerators, number, &enumerator::value);
  if (word != of.enumerators.end()) return word->name;
  if (of.kind == value_kind::boolean) return bits != 0 ? "true" : "false";
  if (of.fraction_bits != 0) {
    json.value(std::ldexp(static_cast<double>(number), -static_cast<int>(of.fraction_bits)));
  } else if (is_signed) {
    json.value(number);
  } else {
    json.value(bits);
  }
  return text;
}

// A value in both recordings, and its positions.
struct shared_value {
  value_layout first;
  value_layout second;
};

// The storage of the lines of Echo VR ticks is not compared.
std::vector<value_layout> compared_values(const schema& of) {
  auto all = values_of(of);
  if (of.root().name == echo::recorded_tick_name) {
    std::erase_if(all, [](const value_layout& each) { return each.name.starts_with("line."); });
  }
  return all;
}

std::vector<shared_value> compare_layouts(const schema& first, const schema& second,
                                          std::vector<std::string>& differences) {
  const auto ours = compared_values(first);
  const auto theirs = compared_values(second);
  std::unordered_map<std::string_view, const value_layout*> by_name;
  for (const value_layout& each : theirs) by_name.emplace(each.name, &each);
  std::vector<shared_value> shared;
  for (const value_layout& each : ours) {
    const auto there = by_name.find(each.name);
    if (there == by_name.end()) {
      differences.push_back(each.name + " is only in the first");
      continue;
    }
    const value_layout& other = *there->second;
    by_name.erase(there);
    const bool alike = each.kind == other.kind && each.size_bytes == other.size_bytes &&
                       each.fraction_bits == other.fraction_bits &&
                       each.enumerators.empty() == other.enumerators.empty();
    if (!alike) {
      differences.push_back(each.name + " is " + type_text(each) + " in the first and " + type_text(other) +
                            " in the second");
    } else if (each.enumerators != other.enumerators) {
      differences.push_back(each.name + " has other names in the second");
    } else {
      shared.push_back({each, other});
    }
  }
  for (const value_layout& each : theirs) {
    if (by_name.contains(each.name)) differences.push_back(each.name + " is only in the second");
  }
  return shared;
}

std::optional<value_difference> compare_rows(std::span<const shared_value> shared, byte_span first,
                                             byte_span second) {
  for (const shared_value& each : shared) {
    if (std::memcmp(first.data() + each.first.offset, second.data() + each.second.offset,
                    each.first.size_bytes) == 0) {
      continue;
    }
    return value_difference{0, each.first.name, value_text(each.first, first),
                            value_text(each.second, second)};
  }
  return std::nullopt;
}

struct row_side {
  tracks::row_reader rows;
  tracks::row_view at = {};

  result<bool> next() { return rows.next(at); }
  [[nodiscard]] std::int64_t key() const noexcept { return static_cast<std::int64_t>(at.stamp.tick); }
  [[nodiscard]] std::uint64_t tick() const noexcept { return at.stamp.tick; }
};

}  // namespace

bool is_described_reel(const file_path& file) {
  const auto source = reel::reader::open(file);
  return source && source->head().encoder_name == tracks::rows_name;
}

result<described_comparison> compare_described(const file_path& first, const file_path& second,
                                               const monitor& watch, std::size_t* failed) {
  auto one = tracks::row_reader::open(first);
  if (!one) return fail_of(0, one.error(), failed);
  auto other = tracks::row_reader::open(second);
  if (!other) return fail_of(1, other.error(), failed);
  std::array<row_side, 2> sides{row_side{std::move(*one)}, row_side{std::move(*other)}};
  described_comparison out;
  const auto shared = compare_layouts(sides[0].rows.described(), sides[1].rows.described(), out.schema);
  const auto walked = align_ticks(sides, watch, out, failed, [&] {
    out.state = compare_rows(shared, sides[0].at.bytes, sides[1].at.bytes);
    if (out.state) out.state->tick = sides[0].tick();
    return !out.state;
  });
  if (!walked) return fail(walked.error());
  const std::array<const file_path*, 2> paths = {&first, &second};
  for (std::size_t i = 0; i < 2; ++i) {
    reel_losses lost;
    for (const reel::loss& each : sides[i].rows.skipped_losses()) lost.add(each);
    out.lost[i] = lost.sentences();
    const auto source = reel::reader::open(*paths[i]);
    if (!source) return fail_of(i, source.error(), failed);
    if (source->contents().end != reel::reel_end::closed) out.lost[i].push_back(why_unfinished(*source));
  }
  return out;
}

}  // namespace tickreel::files
