#include "tickreel/describe/recorded.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string_view>

namespace tickreel {

namespace {

bool is_whole(value_kind kind) noexcept {
  return kind == value_kind::unsigned_integer || kind == value_kind::signed_integer;
}

// What a value of that kind may be long; a file can say anything.
bool is_sound(const value_layout& one, std::size_t bytes) noexcept {
  if (std::uint64_t{one.offset} + one.size_bytes > bytes) return false;
  switch (one.kind) {
    case value_kind::unsigned_integer:
    case value_kind::signed_integer:
      return one.size_bytes <= 8 && std::has_single_bit(one.size_bytes);
    case value_kind::floating:
      return one.size_bytes == 4 || one.size_bytes == 8;
    case value_kind::boolean:
      return one.size_bytes == 1;
    case value_kind::text:
      return one.size_bytes >= sizeof(std::uint16_t);
    case value_kind::interned:
      return one.size_bytes == 4;
  }
  return false;
}

std::uint64_t bits_of(byte_span bytes) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return bits;
}
std::int64_t signed_of(byte_span bytes) noexcept {
  const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
  return static_cast<std::int64_t>(bits_of(bytes) << unused) >> unused;
}
void put_bits(std::uint64_t bits, mutable_byte_span to) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::byte>(bits >> (8 * i) & 0xFF);
}

// Whether `name` is a part of what `base` names: "goal" of "goal", "goal.x", "goal[2]".
bool is_part_of(std::string_view name, std::string_view base) noexcept {
  return name.starts_with(base) &&
         (name.size() == base.size() || name[base.size()] == '.' || name[base.size()] == '[');
}

std::string kind_text(const value_layout& one) {
  if (!one.enumerators.empty()) return "an enumeration";
  switch (one.kind) {
    case value_kind::boolean:
      return "bool";
    case value_kind::text:
      return "text of " + std::to_string(one.size_bytes - std::min(one.size_bytes, 2u));
    case value_kind::interned:
      return "interned text";
    case value_kind::unsigned_integer:
    case value_kind::signed_integer:
    case value_kind::floating:
      break;
  }
  const std::string fixed =
      one.fraction_bits == 0 ? "" : " with " + std::to_string(one.fraction_bits) + " fraction bits";
  return std::string(name(one.kind)) + std::to_string(std::uint64_t{one.size_bytes} * 8) + fixed;
}

}  // namespace

std::string describe(const layout_difference& one) {
  switch (one.what) {
    case layout_change::missing:
      return one.name + " was not recorded";
    case layout_change::left_over:
      return one.name + " was recorded and is not there any more";
    case layout_change::changed:
      break;
  }
  if (one.name.find('=') != std::string::npos) return one.name + " was recorded and is no word any more";
  return one.name + " was recorded as " + kind_text(one.recorded) + " and is " + kind_text(one.wanted) +
         " now";
}

layout_match layout_match::between(std::span<const value_layout> wanted,
                                   std::span<const value_layout> recorded, std::size_t recorded_bytes) {
  layout_match out;
  out.recorded_bytes_ = recorded_bytes;
  if (std::ranges::equal(wanted, recorded)) return out;
  out.is_same_ = false;
  // An optional's content may have the name of another one's flag.
  std::map<std::string_view, const value_layout*> known;
  for (const value_layout& one : recorded) known.emplace(one.name, &one);
  std::map<std::string_view, bool> used;
  for (const value_layout& one : wanted) {
    const auto there = known.find(one.name);
    if (there != known.end()) {
      used[one.name] = true;
      if (is_sound(*there->second, recorded_bytes)) {
        out.add(one, *there->second);
      } else {
        out.differences_.push_back({layout_change::changed, one.name, *there->second, one});
      }
      continue;
    }
    const std::string_view name = one.name;
    const bool plain_before =
        name.ends_with('?') && std::ranges::any_of(recorded, [&](const value_layout& other) {
          return is_part_of(other.name, name.substr(0, name.size() - 1));
        });
    if (plain_before) {
      out.steps_.push_back({move::present, 0, one.offset, 0, 1, 0});
    } else {
      out.differences_.push_back({layout_change::missing, one.name, {}, one});
    }
  }
  for (const value_layout& one : recorded) {
    if (!used.contains(one.name)) out.differences_.push_back({layout_change::left_over, one.name, one, {}});
  }
  return out;
}

void layout_match::add(const value_layout& wanted, const value_layout& recorded) {
  step one{move::copy, recorded.offset, wanted.offset, recorded.size_bytes, wanted.size_bytes, 0};
  const bool words = !wanted.enumerators.empty() && !recorded.enumerators.empty();
  if (words && wanted.enumerators != recorded.enumerators) return add_words(wanted, recorded);
  const bool one_kind = wanted.kind == recorded.kind && wanted.fraction_bits == recorded.fraction_bits;
  if (!one_kind || recorded.size_bytes > wanted.size_bytes) {
    differences_.push_back({layout_change::changed, wanted.name, recorded, wanted});
    return;
  }
  if (recorded.size_bytes < wanted.size_bytes) {
    one.how = wanted.kind == value_kind::text               ? move::text
              : wanted.kind == value_kind::floating         ? move::widen_float
              : wanted.kind == value_kind::unsigned_integer ? move::widen_unsigned
                                                            : move::widen_signed;
  }
  steps_.push_back(one);
}

void layout_match::add_words(const value_layout& wanted, const value_layout& recorded) {
  if (!is_whole(wanted.kind) || !is_whole(recorded.kind)) {
    differences_.push_back({layout_change::changed, wanted.name, recorded, wanted});
    return;
  }
  word_table table;
  for (const enumerator& word : recorded.enumerators) {
    const auto today = std::ranges::find(wanted.enumerators, word.name, &enumerator::name);
    if (today != wanted.enumerators.end()) {
      table.emplace_back(word.value, today->value);
    } else {
      differences_.push_back({layout_change::changed, wanted.name + "=" + word.name, recorded, wanted});
    }
  }
  steps_.push_back({move::word, recorded.offset, wanted.offset, recorded.size_bytes, wanted.size_bytes,
                    static_cast<std::uint32_t>(words_.size()) * 2 +
                        (recorded.kind == value_kind::signed_integer ? 1u : 0u)});
  words_.push_back(std::move(table));
}

result<void> layout_match::apply(byte_span from, mutable_byte_span to) const noexcept {
  if (from.size() < recorded_bytes_) {
    return fail(error_code::malformed, error::no_offset, "{} bytes of a struct of {}",
                static_cast<std::int64_t>(from.size()), static_cast<std::int64_t>(recorded_bytes_));
  }
  if (is_same_) std::ranges::copy(from.first(std::min(recorded_bytes_, to.size())), to.begin());
  for (const step& one : steps_) {
    const byte_span source = from.subspan(one.from, one.from_bytes);
    const mutable_byte_span target = to.subspan(one.to, one.to_bytes);
    switch (one.how) {
      case move::copy:
        std::ranges::copy(source, target.begin());
        break;
      case move::text:
        std::ranges::fill(target, std::byte{0});
        std::ranges::copy(source, target.begin());
        break;
      case move::widen_unsigned:
        put_bits(bits_of(source), target);
        break;
      case move::widen_signed:
        put_bits(static_cast<std::uint64_t>(signed_of(source)), target);
        break;
      case move::widen_float: {
        const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits_of(source)));
        put_bits(std::bit_cast<std::uint64_t>(static_cast<double>(narrow)), target);
        break;
      }
      case move::word: {
        const std::int64_t number =
            one.words % 2 == 1 ? signed_of(source) : static_cast<std::int64_t>(bits_of(source));
        const word_table& table = words_[one.words / 2];
        const auto today = std::ranges::find(table, number, &std::pair<std::int64_t, std::int64_t>::first);
        if (today != table.end()) put_bits(static_cast<std::uint64_t>(today->second), target);
        break;
      }
      case move::present:
        target.front() = std::byte{1};
        break;
    }
  }
  return {};
}

}  // namespace tickreel
