#include "tickreel/describe/recorded.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>

#include "tickreel/counted.hpp"

namespace tickreel {

namespace {

bool is_whole(value_kind kind) noexcept {
  return kind == value_kind::unsigned_integer || kind == value_kind::signed_integer;
}

// Limits the size of a value by its kind, because a file may contain any size.
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

// Copies a text into a buffer of another size; it is truncated after the last whole UTF-8 character.
void put_text(byte_span from, mutable_byte_span to) noexcept {
  const byte_span text = from.subspan(2);
  const mutable_byte_span room = to.subspan(2);
  auto size = static_cast<std::size_t>(bits_of(from.first(2)));
  if (size > text.size()) return put_bits(UINT16_MAX, to.first(2));  // readers reject it
  if (size > room.size()) {
    size = room.size();
    while (size > 0 && (text[size] & std::byte{0xC0}) == std::byte{0x80}) --size;
  }
  std::ranges::fill(room, std::byte{0});
  std::ranges::copy(text.first(size), room.begin());
  put_bits(size, to.first(2));
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
      one.fraction_bits == 0 ? "" : " with " + counted(one.fraction_bits, "fraction bit");
  return std::string(name(one.kind)) + std::to_string(std::uint64_t{one.size_bytes} * 8) + fixed;
}

// A value's name without the mark of an optional's flag or a generation.
std::string_view path_of(std::string_view name) noexcept {
  return name.ends_with('?') || name.ends_with('#') ? name.substr(0, name.size() - 1) : name;
}

enum class shape : std::uint8_t { unknown, value, array, entities, structure };
std::string_view name(shape one) noexcept {
  constexpr std::string_view names[] = {"", "", "an array", "entities", "a struct"};
  return names[static_cast<std::size_t>(one)];
}

// The value or group at a path: "units", "units[3]", "units[3].health".
struct node {
  shape is = shape::unknown;
  const value_layout* value = nullptr;
  const value_layout* flag = nullptr;  // if it is an optional
  const value_layout* generation = nullptr;
};
using node_map = std::unordered_map<std::string_view, node>;

// Calls visit(path, shape) for each prefix of the value's path and the path itself; stops at false.
template <class Visit>
void visit_paths(std::string_view name, Visit&& visit) {
  const std::string_view path = path_of(name);
  for (std::size_t at = path.find_first_of(".["); at != std::string_view::npos;
       at = path.find_first_of(".[", at + 1)) {
    if (!visit(path.substr(0, at), path[at] == '.' ? shape::structure : shape::array)) return;
  }
  visit(path, path.size() == name.size() ? shape::value : shape::unknown);
}

node_map nodes_of(std::span<const value_layout> values) {
  node_map out;
  for (const value_layout& one : values) {
    const auto keep_first = [&](const value_layout*& place) {
      if (place == nullptr) place = &one;
    };
    visit_paths(one.name, [&](std::string_view path, shape is) {
      node& here = out[path];
      if (here.is == shape::unknown) here.is = is;
      return true;
    });
    node& own = out[path_of(one.name)];
    keep_first(one.name.ends_with('?') ? own.flag : one.name.ends_with('#') ? own.generation : own.value);
    if (one.name.ends_with('#')) {
      const std::size_t place = path_of(one.name).rfind('[');
      if (place != std::string_view::npos)
        out[std::string_view(one.name).substr(0, place)].is = shape::entities;
    }
  }
  return out;
}

}  // namespace

// Collects differences, one per member: equal differences of array places are merged.
class layout_match::difference_list {
 public:
  void add(layout_difference one) {
    std::string key(1, static_cast<char>(one.what));
    std::vector<std::uint64_t> places;
    for (std::size_t at = 0; at < one.name.size(); ++at) {
      key += one.name[at];
      if (one.name[at] != '[') continue;
      std::uint64_t place = 0;
      while (at + 1 < one.name.size() && one.name[at + 1] >= '0' && one.name[at + 1] <= '9') {
        place = place * 10 + static_cast<std::uint64_t>(one.name[++at] - '0');
      }
      places.push_back(place);
    }
    if (one.what != layout_change::missing && one.what != layout_change::left_over) {
      key += '\0';
      if (one.recorded_shape.empty()) key += kind_text(one.recorded);
      if (one.wanted_shape.empty()) key += kind_text(one.wanted);
    }
    const auto [known, is_new] = by_key_.try_emplace(std::move(key), all_.size());
    if (is_new) {
      all_.push_back({std::move(one), places, std::move(places)});
      all_.back().last = all_.back().first;
      return;
    }
    group& of = all_[known->second];
    for (std::size_t i = 0; i < places.size(); ++i) {
      of.first[i] = std::min(of.first[i], places[i]);
      of.last[i] = std::max(of.last[i], places[i]);
    }
  }

  // With "[0..511]" for merged places.
  [[nodiscard]] std::vector<layout_difference> take() {
    std::vector<layout_difference> out;
    for (group& one : all_) {
      std::string name;
      std::size_t index = 0;
      for (std::size_t at = 0; at < one.one.name.size(); ++at) {
        name += one.one.name[at];
        if (one.one.name[at] != '[') continue;
        if (one.first[index] != one.last[index]) {
          name += std::to_string(one.first[index]) + ".." + std::to_string(one.last[index]);
          at = std::min(one.one.name.find_first_not_of("0123456789", at + 1), one.one.name.size()) - 1;
        }
        ++index;
      }
      one.one.name = std::move(name);
      out.push_back(std::move(one.one));
    }
    return out;
  }

 private:
  struct group {
    layout_difference one;
    std::vector<std::uint64_t> first, last;
  };
  std::vector<group> all_;
  std::unordered_map<std::string, std::size_t> by_key_;
};

std::string describe(const layout_difference& one) {
  switch (one.what) {
    case layout_change::missing:
      return one.name + " was not recorded";
    case layout_change::left_over:
      if (one.name.ends_with('?')) {
        return one.name.substr(0, one.name.size() - 1) +
               " was recorded as an optional and is none now: where it is empty it keeps its default";
      }
      return one.name + " was recorded and no longer exists";
    case layout_change::changed:
    case layout_change::shortened:
    case layout_change::numbered:
      break;
  }
  if (one.is_word()) return one.name + " was recorded and is no word any more";
  const auto side = [](std::string_view shape, const value_layout& value) {
    return shape.empty() ? kind_text(value) : std::string(shape);
  };
  return one.name + " was recorded as " + side(one.recorded_shape, one.recorded) + " and is " +
         side(one.wanted_shape, one.wanted) + " now" +
         (one.what == layout_change::shortened  ? ": longer texts are cut"
          : one.what == layout_change::numbered ? ": its values are matched by number"
                                                : "");
}

layout_match layout_match::between(std::span<const value_layout> wanted,
                                   std::span<const value_layout> recorded, std::size_t recorded_bytes) {
  layout_match out;
  out.recorded_bytes_ = recorded_bytes;
  if (std::ranges::equal(wanted, recorded)) return out;
  out.is_same_ = false;
  const node_map wanted_nodes = nodes_of(wanted);
  const node_map recorded_nodes = nodes_of(recorded);
  difference_list differences;
  for (const value_layout& one : wanted) {
    const node* there = nullptr;
    const value_layout* emptied = nullptr;  // the flag of a former optional
    visit_paths(one.name, [&](std::string_view path, shape) {
      const node& here = wanted_nodes.at(path);
      const auto found = recorded_nodes.find(path);
      there = found == recorded_nodes.end() ? nullptr : &found->second;
      if (there == nullptr) {
        differences.add({layout_change::missing, std::string(path), {}, one});
      } else if (there->is != here.is) {
        differences.add({layout_change::changed, std::string(path),
                         there->value != nullptr ? *there->value : value_layout{},
                         here.value != nullptr ? *here.value : value_layout{}, name(there->is),
                         name(here.is)});
        there = nullptr;
      } else if (there->flag != nullptr && here.flag == nullptr) {
        emptied = there->flag;
      }
      return there != nullptr;
    });
    if (there == nullptr) continue;
    const bool is_flag = one.name.ends_with('?');
    const value_layout* const source = is_flag                   ? there->flag
                                       : one.name.ends_with('#') ? there->generation
                                                                 : there->value;
    const std::uint32_t flag = emptied == nullptr ? no_flag : emptied->offset;
    if (source == nullptr && is_flag) {
      out.steps_.push_back({move::present, 0, one.offset, 0, 1, 0, flag});
    } else if (source == nullptr) {
      differences.add({layout_change::missing, one.name, {}, one});
    } else if (!is_sound(*source, recorded_bytes) ||
               (emptied != nullptr && !is_sound(*emptied, recorded_bytes))) {
      differences.add({layout_change::changed, one.name, *source, one});
    } else {
      out.add(one, *source, flag, differences);
    }
  }
  for (const value_layout& one : recorded) {
    const node* there = nullptr;
    visit_paths(one.name, [&](std::string_view path, shape) {
      const auto found = wanted_nodes.find(path);
      there = found == wanted_nodes.end() ? nullptr : &found->second;
      if (there == nullptr) differences.add({layout_change::left_over, std::string(path), one, {}});
      // Of another shape: already reported for the wanted value.
      return there != nullptr && there->is == recorded_nodes.at(path).is;
    });
    if (there != nullptr && one.name.ends_with('?') && there->flag == nullptr) {
      differences.add({layout_change::left_over, one.name, one, {}});
    }
  }
  out.differences_ = differences.take();
  return out;
}

void layout_match::add(const value_layout& wanted, const value_layout& recorded, std::uint32_t flag,
                       difference_list& to) {
  step one{move::copy, recorded.offset, wanted.offset, recorded.size_bytes, wanted.size_bytes, 0, flag};
  const bool is_wider = recorded.size_bytes < wanted.size_bytes;
  const bool into_signed =
      recorded.kind == value_kind::unsigned_integer && wanted.kind == value_kind::signed_integer && is_wider;
  const bool one_kind =
      (wanted.kind == recorded.kind || into_signed) && wanted.fraction_bits == recorded.fraction_bits;
  const bool is_text = wanted.kind == value_kind::text;
  const bool fits = one_kind && recorded.size_bytes <= wanted.size_bytes;
  const bool words = !wanted.enumerators.empty() && !recorded.enumerators.empty();
  if (words && (!fits || wanted.enumerators != recorded.enumerators)) {
    return add_words(wanted, recorded, flag, to);
  }
  if (!fits && !(one_kind && is_text)) {
    to.add({layout_change::changed, wanted.name, recorded, wanted});
    return;
  }
  if (!fits) to.add({layout_change::shortened, wanted.name, recorded, wanted});
  if (wanted.enumerators.empty() != recorded.enumerators.empty()) {
    to.add({layout_change::numbered, wanted.name, recorded, wanted});
  }
  if (recorded.size_bytes != wanted.size_bytes) {
    one.how = is_text                                         ? move::text
              : wanted.kind == value_kind::floating           ? move::widen_float
              : recorded.kind == value_kind::unsigned_integer ? move::widen_unsigned
                                                              : move::widen_signed;
  }
  steps_.push_back(one);
}

void layout_match::add_words(const value_layout& wanted, const value_layout& recorded, std::uint32_t flag,
                             difference_list& to) {
  if (!is_whole(wanted.kind) || !is_whole(recorded.kind)) {
    to.add({layout_change::changed, wanted.name, recorded, wanted});
    return;
  }
  word_table table;
  for (const enumerator& word : recorded.enumerators) {
    const auto today = std::ranges::find(wanted.enumerators, word.name, &enumerator::name);
    if (today != wanted.enumerators.end()) {
      table.emplace_back(word.value, today->value);
    } else {
      to.add({layout_change::changed, wanted.name + "=" + word.name, recorded, wanted});
    }
  }
  // Arrays of one enumeration share its table.
  const auto known = std::ranges::find(words_, table);
  const auto place = static_cast<std::uint32_t>(known - words_.begin());
  if (known == words_.end()) words_.push_back(std::move(table));
  steps_.push_back({move::word, recorded.offset, wanted.offset, recorded.size_bytes, wanted.size_bytes,
                    place * 2 + (recorded.kind == value_kind::signed_integer ? 1u : 0u), flag});
}

const layout_difference* layout_match::unreadable() const noexcept {
  const auto found = std::ranges::find_if(differences_, [](const layout_difference& one) {
    return one.what == layout_change::changed && !one.is_word();
  });
  return found == differences_.end() ? nullptr : &*found;
}

result<void> layout_match::apply(byte_span from, mutable_byte_span to) const noexcept {
  if (from.size() < recorded_bytes_) {
    return fail(error_code::malformed, error::no_offset, "{} byte{s} of a struct of {}",
                static_cast<std::int64_t>(from.size()), static_cast<std::int64_t>(recorded_bytes_));
  }
  if (is_same_) std::ranges::copy(from.first(std::min(recorded_bytes_, to.size())), to.begin());
  for (const step& one : steps_) {
    if (one.flag != no_flag && from[one.flag] == std::byte{0}) continue;
    const byte_span source = from.subspan(one.from, one.from_bytes);
    const mutable_byte_span target = to.subspan(one.to, one.to_bytes);
    switch (one.how) {
      case move::copy:
        std::ranges::copy(source, target.begin());
        break;
      case move::text:
        put_text(source, target);
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
