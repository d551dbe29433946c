#include "layout_json.hpp"

#include <simdjson.h>

#include <algorithm>

#include "tickreel/game/recorded_types.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::game {

namespace {

namespace dom = simdjson::dom;
using simdjson::error_code::SUCCESS;
using word_lists = std::vector<std::vector<enumerator>>;

// Limits: deeper names could exhaust a reader's stack, and shared lists of names its memory.
constexpr std::ptrdiff_t max_name_parts = 32;
constexpr std::size_t max_word_bytes = 64u << 20;

std::size_t bytes_of(const std::vector<enumerator>& words) noexcept {
  std::size_t bytes = 0;
  for (const enumerator& one : words) bytes += sizeof one + one.name.size();
  return bytes;
}

bool is_sound(std::string_view name) noexcept {
  if (name.ends_with('?')) name.remove_suffix(1);
  return !name.empty() &&
         std::ranges::count_if(name, [](char one) { return one == '.' || one == '['; }) < max_name_parts;
}

// Components and the like are also in the schema, which other readers use; orders and events are only here.
enum class listed : std::uint8_t { values, all };

void append_slots(text::json_writer& json, std::string_view key, const std::vector<slot_layout>& slots,
                  listed what, word_lists& words) {
  json.key(key).begin_array();
  for (const slot_layout& one : slots) {
    json.begin_object().member("slot", one.slot.slot);
    if (what == listed::all)
      json.member("name", std::string_view(one.slot.name)).member("size", one.slot.size_bytes);
    json.key("values").begin_array();
    for (const value_layout& value : one.values) {
      json.begin_object().member("name", std::string_view(value.name)).member("kind", name(value.kind));
      json.member("offset", value.offset).member("size", value.size_bytes);
      if (value.fraction_bits != 0) json.member("fraction_bits", value.fraction_bits);
      if (!value.enumerators.empty()) {
        const auto known = std::ranges::find(words, value.enumerators);
        json.member("enum", static_cast<std::uint64_t>(known - words.begin()));
        if (known == words.end()) words.push_back(value.enumerators);
      }
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

template <class Number>
bool take(dom::element from, std::string_view key, Number& to) {
  std::uint64_t number = 0;
  if (from[key].get(number) != SUCCESS || number > std::numeric_limits<Number>::max()) return false;
  to = static_cast<Number>(number);
  return true;
}

word_lists read_words(dom::element root) {
  word_lists out;
  dom::array lists;
  if (root["enums"].get(lists) != SUCCESS) return out;
  for (const dom::element one : lists) {
    auto& words = out.emplace_back();
    dom::object members;
    if (one.get(members) != SUCCESS) continue;
    for (const auto word : members) {
      std::int64_t value = 0;
      if (word.value.get(value) == SUCCESS) words.push_back({std::string(word.key), value});
    }
  }
  return out;
}

// The lists of names, and the remaining memory for them.
struct known_words {
  word_lists lists;
  std::vector<std::size_t> bytes;
  std::size_t room = max_word_bytes;

  explicit known_words(word_lists all) : lists(std::move(all)) {
    for (const auto& one : lists) bytes.push_back(bytes_of(one));
  }
  [[nodiscard]] std::vector<enumerator> take(std::uint64_t list) {
    const auto number = static_cast<std::size_t>(list);
    if (list >= lists.size() || bytes[number] > room) return {};
    room -= bytes[number];
    return lists[number];
  }
};

std::optional<value_kind> kind_named(std::string_view kind) noexcept {
  for (int i = 0; i <= static_cast<int>(value_kind::interned); ++i) {
    if (name(static_cast<value_kind>(i)) == kind) return static_cast<value_kind>(i);
  }
  return std::nullopt;
}

std::vector<value_layout> read_values(dom::element slot, known_words& words) {
  std::vector<value_layout> out;
  dom::array values;
  if (slot["values"].get(values) != SUCCESS) return out;
  for (const dom::element value : values) {
    value_layout known;
    std::string_view text;
    std::string_view kind;
    if (value["name"].get(text) != SUCCESS || value["kind"].get(kind) != SUCCESS ||
        !take(value, "offset", known.offset) || !take(value, "size", known.size_bytes)) {
      continue;
    }
    const auto known_kind = kind_named(kind);
    if (!known_kind || !is_sound(text)) continue;
    known.name = text;
    known.kind = *known_kind;
    (void)take(value, "fraction_bits", known.fraction_bits);
    std::uint64_t list = 0;
    if (value["enum"].get(list) == SUCCESS) known.enumerators = words.take(list);
    out.push_back(std::move(known));
  }
  return out;
}

std::vector<slot_layout> read_slots(dom::element root, std::string_view key, known_words& words) {
  std::vector<slot_layout> out;
  dom::array slots;
  if (root[key].get(slots) != SUCCESS) return out;
  for (const dom::element one : slots) {
    slot_layout known;
    std::string_view text;
    if (!take(one, "slot", known.slot.slot)) continue;
    if (one["name"].get(text) == SUCCESS) known.slot.name = text;
    (void)take(one, "size", known.slot.size_bytes);
    known.values = read_values(one, words);
    out.push_back(std::move(known));
  }
  return out;
}

std::vector<slot_layout> with_values(const std::vector<icrep::slot_description>& schema,
                                     std::vector<slot_layout>&& values) {
  std::vector<slot_layout> out;
  for (const icrep::slot_description& slot : schema) {
    const auto known =
        std::ranges::find(values, slot.slot, [](const slot_layout& one) { return one.slot.slot; });
    out.push_back({slot, known != values.end() ? std::move(known->values) : std::vector<value_layout>{}});
  }
  return out;
}

}  // namespace

std::string to_json(const world_layout& layout) {
  std::string out;
  text::json_writer json(out);
  word_lists words;
  json.begin_object();
  append_slots(json, "components", layout.components, listed::values, words);
  append_slots(json, "player_fields", layout.player_fields, listed::values, words);
  append_slots(json, "world", layout.world, listed::values, words);
  if (!layout.orders.empty()) append_slots(json, "orders", layout.orders, listed::all, words);
  if (!layout.events.empty()) append_slots(json, "events", layout.events, listed::all, words);
  if (!words.empty()) {
    json.key("enums").begin_array();
    for (const auto& list : words) {
      json.begin_object();
      for (const enumerator& word : list) json.member(word.name, word.value);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
  return out;
}

world_layout read_layout(std::string_view json) {
  world_layout out;
  dom::parser parser;
  dom::element root;
  if (json.empty() || parser.parse(json.data(), json.size()).get(root) != SUCCESS) return out;
  known_words words(read_words(root));
  out.components = read_slots(root, "components", words);
  out.player_fields = read_slots(root, "player_fields", words);
  out.world = read_slots(root, "world", words);
  out.orders = read_slots(root, "orders", words);
  out.events = read_slots(root, "events", words);
  return out;
}

void put_layout(icrep::metadata& facts, const world_layout& layout) {
  const auto known = std::ranges::find(facts.others, values_key, &std::pair<std::string, std::string>::first);
  if (known != facts.others.end()) {
    known->second = to_json(layout);
  } else {
    facts.others.emplace_back(std::string(values_key), to_json(layout));
  }
}

void merge_described(world_layout& to, const world_layout& added) {
  std::size_t words = 0;
  const auto count = [&](const std::vector<slot_layout>& slots) {
    for (const slot_layout& one : slots) {
      for (const value_layout& value : one.values) words += bytes_of(value.enumerators);
    }
  };
  count(to.orders);
  count(to.events);
  const auto add = [&](std::vector<slot_layout>& into, const std::vector<slot_layout>& from) {
    for (const slot_layout& one : from) {
      const auto is_it = [&](const slot_layout& known) { return known.slot.slot == one.slot.slot; };
      if (std::ranges::any_of(into, is_it)) continue;
      for (value_layout& value : into.emplace_back(one).values) {
        words += bytes_of(value.enumerators);
        if (words > max_word_bytes) value.enumerators.clear();
      }
    }
  };
  add(to.orders, added.orders);
  add(to.events, added.events);
}

void add_described(icrep::metadata& facts, const world_layout& added) {
  if (added.orders.empty() && added.events.empty()) return;
  world_layout all = recorded_layout(facts);
  merge_described(all, added);
  put_layout(facts, all);
}

world_layout recorded_layout(const icrep::metadata& facts) {
  world_layout values;
  for (const auto& [key, json] : facts.others) {
    if (key == values_key) values = read_layout(json);
  }
  const icrep::schema schema = facts.schema.value_or(icrep::schema{});
  values.components = with_values(schema.components, std::move(values.components));
  values.player_fields = with_values(schema.player_fields, std::move(values.player_fields));
  values.world = with_values(schema.world, std::move(values.world));
  return values;
}

}  // namespace tickreel::game
