#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <unordered_map>

#include "reel_losses.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/tracks/row_reader.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t most_ranges = 1000;

std::string type_text(const value_layout& of) {
  if (!of.enumerators.empty()) return "enumeration";
  if (of.kind == value_kind::boolean || of.kind == value_kind::interned) return std::string(name(of.kind));
  if (of.kind == value_kind::text) return "text[" + std::to_string(of.size_bytes - 2) + "]";
  std::string text = std::string(name(of.kind)) + std::to_string(8 * of.size_bytes);
  if (of.fraction_bits != 0) text += " / 2^" + std::to_string(of.fraction_bits);
  return text;
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
    if (std::isnan(value)) return "NaN";
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

// A value that both have, and where.
struct shared_value {
  value_layout first;
  value_layout second;
};

std::vector<shared_value> compare_layouts(const schema& first, const schema& second,
                                          std::vector<std::string>& told) {
  const auto ours = values_of(first);
  const auto theirs = values_of(second);
  std::unordered_map<std::string_view, const value_layout*> by_name;
  for (const value_layout& each : theirs) by_name.emplace(each.name, &each);
  std::vector<shared_value> shared;
  for (const value_layout& each : ours) {
    const auto there = by_name.find(each.name);
    if (there == by_name.end()) {
      told.push_back(each.name + " is only in the first");
      continue;
    }
    const value_layout& other = *there->second;
    by_name.erase(there);
    const bool alike = each.kind == other.kind && each.size_bytes == other.size_bytes &&
                       each.fraction_bits == other.fraction_bits &&
                       each.enumerators.empty() == other.enumerators.empty();
    if (!alike) {
      told.push_back(each.name + " is " + type_text(each) + " in the first and " + type_text(other) +
                     " in the second");
    } else if (each.enumerators != other.enumerators) {
      told.push_back(each.name + " has other words in the second");
    } else {
      shared.push_back({each, other});
    }
  }
  for (const value_layout& each : theirs) {
    if (by_name.contains(each.name)) told.push_back(each.name + " is only in the second");
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

void note_lacking(std::uint64_t tick, bool in_first, std::vector<lacking_range>& out) {
  const bool goes_on = !out.empty() && out.back().end_tick == tick && out.back().in_first == in_first;
  if (goes_on) {
    ++out.back().end_tick;
  } else if (out.size() < most_ranges) {
    out.push_back({tick, tick + 1, in_first, !in_first});
  }
}

}  // namespace

bool is_described_reel(const file_path& file) {
  const auto source = reel::reader::open(file);
  return source && source->head().encoder_name == tracks::rows_name;
}

result<described_comparison> compare_described(const file_path& first, const file_path& second,
                                               const monitor& watch) {
  std::vector<tracks::row_reader> rows;
  for (const file_path* each : {&first, &second}) {
    auto opened = tracks::row_reader::open(*each);
    if (!opened) return fail(opened.error());
    rows.push_back(std::move(*opened));
  }
  described_comparison out;
  const auto shared = compare_layouts(rows[0].described(), rows[1].described(), out.schema);
  tracks::row_view at[2];
  bool there[2] = {};
  const auto step = [&](std::size_t which) -> result<void> {
    const auto more = rows[which].next(at[which]);
    if (!more) return fail(more.error());
    there[which] = *more;
    if (*more) ++out.total[which];
    return {};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (auto done = step(i); !done) return fail(done.error());
  }
  while (there[0] && there[1] && !out.state) {
    const std::uint64_t ticks[2] = {at[0].stamp.tick, at[1].stamp.tick};
    if (ticks[0] == ticks[1]) {
      ++out.ticks;
      out.state = compare_rows(shared, at[0].bytes, at[1].bytes);
      if (out.state) out.state->tick = ticks[0];
    } else {
      note_lacking(std::min(ticks[0], ticks[1]), ticks[0] > ticks[1], out.not_compared);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (ticks[i] != std::min(ticks[0], ticks[1])) continue;
      if (auto done = step(i); !done) return fail(done.error());
    }
    if (out.ticks % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    while (there[i] && !out.state) {
      if (auto done = step(i); !done) return fail(done.error());
    }
    reel_losses lost;
    for (const reel::loss& each : rows[i].passed_over()) lost.add(each);
    out.lost[i] = lost.sentences();
  }
  return out;
}

}  // namespace tickreel::files
