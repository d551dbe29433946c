#include "answer_reader.hpp"

#include <algorithm>
#include <iterator>

#include "tickreel/text/ascii.hpp"

namespace tickreel::echo {

namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

// The text between the quotes, which is the key unless it contains a backslash. The closing quote exists: the text was
// checked for open strings before.
std::string_view raw_key(const char* start) noexcept {
  const char* end = start;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {start, static_cast<std::size_t>(end - start)};
}

}  // namespace

void answer_reader::note(omission_kind kind, const member& at, std::string_view value) noexcept {
  std::uint32_t* const counters[] = {
      &report_.unknown_fields,  &report_.wrong_types,   &report_.cut_texts,   &report_.dropped_players,
      &report_.repeated_fields, &report_.missing_parts, &report_.wrong_types,  // of bones
      &report_.replaced_texts};
  static_assert(std::size(counters) == omission_kinds);
  ++*counters[static_cast<std::size_t>(kind)];
  if (listener_ == nullptr && !report_.first.empty()) return;
  // Written from the end, because the places are linked from the inside out.
  char path[80];
  std::size_t start = sizeof path;
  const auto prepend = [&](std::string_view part) {
    if (start < sizeof path && start > 0) path[--start] = '.';
    const std::size_t fits = std::min(part.size(), start);
    start -= fits;
    for (std::size_t i = 0; i < fits; ++i) {
      path[start + i] = part[i] > ' ' && part[i] < '\x7f' ? part[i] : '?';
    }
  };
  prepend(at.key.substr(0, 40));
  for (const place* p = at.within; p && !p->name.empty(); p = p->within) prepend(p->name);
  const std::string_view whole(path + start, sizeof path - start);
  if (report_.first.empty()) report_.first.assign(whole);
  if (listener_ != nullptr) listener_->left_out({kind, whole, value});
}

std::string_view answer_reader::text_of(member& from) noexcept {
  // A truncated name is reported in full, with its quotes and escapes unchanged.
  constexpr std::size_t longest = 200;
  const std::string_view token = tickreel::text::trimmed(from.value.raw_json_token());
  if (token.empty()) return token;
  // Other values begin like this; the rest would be long.
  if (token.front() == '{') return "{...}";
  if (token.front() == '[') return "[...]";
  return token.substr(0, longest);
}

std::string_view answer_reader::naming(member& from, std::string_view key) noexcept {
  if (listener_ == nullptr || type_of(from) != '{') return {};
  ondemand::object object;
  ondemand::value named;
  if (from.value.get_object().get(object) != SUCCESS) return {};
  if (object.find_field(key).get(named) != SUCCESS) return {};
  return tickreel::text::trimmed(named.raw_json_token());
}

void answer_reader::look_for_replaced(member& from) noexcept {
  const std::string_view token = tickreel::text::trimmed(from.value.raw_json_token());
  const auto begin = static_cast<std::size_t>(token.data() - text_);
  const auto first = std::lower_bound(replaced_.begin(), replaced_.end(), begin);
  const auto last = std::lower_bound(first, replaced_.end(), begin + token.size());
  if (first == last) return;
  replaced_in_taken_ += static_cast<std::size_t>(last - first);
  note(omission_kind::replaced_text, from);
}

void answer_reader::note_other_replaced() noexcept {
  if (replaced_in_taken_ >= replaced_.size()) return;
  member other{};
  other.key = "other_fields";
  note(omission_kind::replaced_text, other, {});
}

bool answer_reader::next(member_cursor& of, const known_keys& keys) noexcept {
  for (;;) {
    if (!of.is_first) ++of.at;
    of.is_first = false;
    if (of.at == of.end) return false;
    ondemand::field field;
    if ((*of.at).get(field) != SUCCESS) break;
    const char* const text = field.key().raw();
    of.index = keys.guess(text, of.expected);
    std::string_view key;
    if (of.index != keys.count) {
      key = keys.keys[of.index];
    } else {
      key = raw_key(text);
      of.index = keys.find(key);
      if (of.index == keys.count && key.find('\\') != std::string_view::npos) {
        if (field.unescaped_key().get(key) != SUCCESS) break;
        of.index = keys.find(key);
      }
    }
    of.each = {field.value(), key, &of.here};
    if (of.index != keys.count) {
      of.expected = of.index + 1;
      return true;
    }
    note(omission_kind::unknown_field, of.each);
  }
  broken_ = true;
  return false;
}

char answer_reader::type_of(member& from) noexcept {
  if (const char first = *text_at(from.value); first == '[' || first == '"') return first;
  ondemand::json_type type{};
  if (from.value.type().get(type) != SUCCESS) {
    broken_ = true;
    return 0;
  }
  switch (type) {
    case ondemand::json_type::array:
      return '[';
    case ondemand::json_type::object:
      return '{';
    case ondemand::json_type::string:
      return '"';
    case ondemand::json_type::null:
      return 'n';
    default:
      return '0';
  }
}

bool answer_reader::begin(member& from, ondemand::object& object) noexcept {
  if (!begins(from, '{')) return false;
  return judge(from.value.get_object().get(object) == SUCCESS ? reading::taken : reading::broken, from);
}

bool answer_reader::begin(member& from, ondemand::array& array) noexcept {
  if (!begins(from, '[')) return false;
  return judge(from.value.get_array().get(array) == SUCCESS ? reading::taken : reading::broken, from);
}

bool answer_reader::begins(member& from, char with) noexcept {
  if (*text_at(from.value) == with) return true;
  const char type = type_of(from);
  return judge(type == 'n' ? read_null(from.value) : broken_ ? reading::broken : reading::wrong, from);
}

}  // namespace tickreel::echo
