// Reads the values of a response leniently and counts the omitted ones.
#pragma once

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "key_table.hpp"
#include "tickreel/echo/json.hpp"

namespace tickreel::echo {

// Objects around a value, for the path in the report.
struct place {
  const place* within = nullptr;
  std::string_view name;
};

// One value and its position.
struct member {
  simdjson::ondemand::value value;
  std::string_view key;
  const place* within = nullptr;
};

enum class reading : std::uint8_t {
  taken,
  absent,  // null
  wrong,   // another type, or out of the type's range
  broken,  // not JSON; nothing after it can be read
};

// The current member of an object, whose key is in a table.
struct member_cursor {
  member_cursor(simdjson::ondemand::object& object, const place& place) noexcept
      : at(object.begin()), end(object.end()), here(place) {}

  simdjson::simdjson_result<simdjson::ondemand::object_iterator> at, end;
  const place& here;
  member each;
  std::size_t index = 0;
  std::size_t expected = 0;  // the index of the next one, if the order is that of the table
  bool is_first = true;
};

// The start of a value that simdjson has not consumed. A value that a plain reader takes stays so: the next step of
// simdjson skips it.
inline const char* text_at(simdjson::ondemand::value& value) noexcept {
  return value.raw_json_token().data();
}

// The bare values. `out` changes only on success; elements of arrays may change before a failure.
reading read_null(simdjson::ondemand::value& value) noexcept;
reading read_value(simdjson::ondemand::value& value, float& out) noexcept;
reading read_value(simdjson::ondemand::value& value, std::int32_t& out) noexcept;
reading read_value(simdjson::ondemand::value& value, std::int64_t& out) noexcept;
reading read_value(simdjson::ondemand::value& value, std::uint64_t& out) noexcept;
reading read_value(simdjson::ondemand::value& value, bool& out) noexcept;
reading read_value(simdjson::ondemand::value& value, std::string_view& out) noexcept;
// An array of exactly `count` numbers.
reading read_values(simdjson::ondemand::value& value, float* out, std::size_t count) noexcept;
reading read_values(simdjson::ondemand::value& value, std::int32_t* out, std::size_t count) noexcept;

class answer_reader {
 public:
  // `start`: of the response. `replaced`: offsets in it of the replacements of append_repaired_json().
  answer_reader(state& out, parse_report& report, omission_listener* listener, const char* start,
                const std::vector<std::size_t>& replaced) noexcept
      : out_(out), report_(report), listener_(listener), text_(start), replaced_(replaced) {}

  [[nodiscard]] state& out() noexcept { return out_; }
  // The text is not JSON: everything unwinds.
  [[nodiscard]] bool broken() const noexcept { return broken_; }

  // Each returns true when `out` was set; otherwise the value counts as absent.
  template <class T>
  bool take(member& from, T& out) noexcept {
    return judge(read_value(from.value, out), from);
  }
  template <std::size_t Capacity>
  bool take(member& from, text<Capacity>& out) noexcept {
    std::string_view words;
    if (!judge(read_value(from.value, words), from)) return false;
    note_replaced(from);
    if (!out.assign(words)) note(omission_kind::cut_text, from);
    return true;
  }
  bool take(member& from, vec3& out) noexcept {
    float xyz[3];
    if (!judge(read_values(from.value, xyz, 3), from)) return false;
    out = {xyz[0], xyz[1], xyz[2]};
    return true;
  }
  template <class T>
  bool take(member& from, T* out, std::size_t count) noexcept {
    return judge(read_values(from.value, out, count), from);
  }

  // Iterates over an object. Every known key's handler(reader, member, target) returns whether it accepted
  // the value. Returns false if the value is not an object. `seen`, if given, gets a bit for each accepted
  // entry.
  template <class Target, std::size_t Count>
  bool object(member& from, const key_table<bool (*)(answer_reader&, member&, Target&), Count>& keys,
              Target& target, std::uint64_t* seen = nullptr) noexcept {
    simdjson::ondemand::object object;
    if (!begin(from, object)) return false;
    const place here{from.within, from.key};
    return members(object, here, keys, target, seen) && !broken_;
  }
  // The same for an object whose fields have no separate bits: missing ones are counted.
  template <class Target, std::size_t Count>
  bool whole_object(member& from, const key_table<bool (*)(answer_reader&, member&, Target&), Count>& keys,
                    Target& target) noexcept {
    std::uint64_t seen = 0;
    if (!object(from, keys, target, &seen)) return false;
    const place here{from.within, from.key};
    static_assert(Count < 64);
    constexpr std::uint64_t all = (std::uint64_t{1} << Count) - 1;
    for (std::uint64_t missing = all & ~seen; missing != 0; missing &= missing - 1) {
      const auto index = static_cast<std::size_t>(std::countr_zero(missing));
      note(omission_kind::missing_part, member{{}, keys.key(index), &here}, {});
    }
    return true;
  }

  template <class Target, std::size_t Count>
  bool members(simdjson::ondemand::object& object, const place& here,
               const key_table<bool (*)(answer_reader&, member&, Target&), Count>& keys, Target& target,
               std::uint64_t* seen = nullptr) noexcept {
    std::uint64_t taken = 0;
    const known_keys known = keys.keys();
    member_cursor at(object, here);
    while (next(at, known)) {
      const std::uint64_t bit = std::uint64_t{1} << at.index;
      if (taken & bit) note(omission_kind::repeated_field, at.each);
      if (keys.handler(at.index)(*this, at.each, target)) taken |= bit;
      if (broken_) return false;
    }
    if (broken_) return false;
    if (seen) *seen = taken;
    return true;
  }

  // Calls each(member) for every element. Returns false if the value is not an array.
  template <class Each>
  bool array(member& from, Each each) noexcept {
    simdjson::ondemand::array array;
    if (!begin(from, array)) return false;
    for (auto entry : array) {
      member element{{}, from.key, from.within};
      if (std::move(entry).get(element.value) != simdjson::SUCCESS) {
        broken_ = true;
        return false;
      }
      each(element);
      if (broken_) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_array(member& from) noexcept { return type_of(from) == '['; }
  [[nodiscard]] bool is_text(member& from) noexcept { return type_of(from) == '"'; }

  bool judge(reading outcome, member& from) noexcept {
    if (outcome == reading::taken) return true;
    if (outcome == reading::wrong) note(omission_kind::wrong_type, from);
    if (outcome == reading::broken) broken_ = true;
    return false;
  }

  // Counts an omission, and reports it to the listener.
  void note(omission_kind kind, member& at) noexcept { note(kind, at, text_of(at)); }
  void note(omission_kind kind, const member& at, std::string_view value) noexcept;

  // Reports a text that was accepted and differs from the one that was sent.
  void note_replaced(member& from) noexcept {
    if (!replaced_.empty()) look_for_replaced(from);
  }
  // Replacements that note_replaced() did not report are in values that a state cannot store.
  void note_other_replaced() noexcept;

  // For an element that cannot be stored: its text or number under `key`, as a name. Consumes the element.
  std::string_view naming(member& from, std::string_view key) noexcept;

 private:
  // The next member with a known key; counts others. False at the end of the object, and if it breaks.
  bool next(member_cursor& of, const known_keys& keys) noexcept;
  // The value as in the text, possibly truncated; arrays and objects only as brackets.
  static std::string_view text_of(member& from) noexcept;
  // '[', '{', '"', 'n' for null, '0' for numbers and booleans; 0 if no value starts, which breaks.
  char type_of(member& from) noexcept;
  // Otherwise counts another type.
  bool begins(member& from, char with) noexcept;
  bool begin(member& from, simdjson::ondemand::object& object) noexcept;
  bool begin(member& from, simdjson::ondemand::array& array) noexcept;

  void look_for_replaced(member& from) noexcept;

  state& out_;
  parse_report& report_;
  omission_listener* listener_;
  const char* text_;
  const std::vector<std::size_t>& replaced_;
  std::size_t replaced_in_taken_ = 0;
  bool broken_ = false;
};

template <class Target>
using field_handler = bool (*)(answer_reader&, member&, Target&);

template <class Target, std::size_t Count>
consteval auto make_key_table(const key_entry<field_handler<Target>> (&entries)[Count]) {
  return key_table<field_handler<Target>, Count>(entries);
}

// Iterates over the fields of a /session or /player_bones response.
void read_session(answer_reader& reader, simdjson::ondemand::object& root) noexcept;
void read_bones(answer_reader& reader, simdjson::ondemand::object& root) noexcept;

}  // namespace tickreel::echo
