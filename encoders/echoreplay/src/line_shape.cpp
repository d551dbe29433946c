#include "tickreel/echoreplay/line_shape.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "line_parts.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::echoreplay {

namespace {

constexpr std::size_t time_size = 23;
constexpr bool is_hole(char c) noexcept {
  return c >= static_cast<char>(line_hole::game) && c <= static_cast<char>(line_hole::number_as_truth);
}
using text::is_digit;
constexpr bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20;
}

bool is_whole_number(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// The two styles.
constexpr std::size_t game = 0;
constexpr std::size_t shortest = 1;

// Of a value: only numbers with a fraction or an exponent depend on the style.
bool has_fraction(std::string_view value) noexcept {
  const bool is_number = !value.empty() && (value.front() == '-' || is_digit(value.front()));
  return is_number && value.find_first_of(".e") != std::string_view::npos;
}

}  // namespace

struct line_values::table {
  struct place {
    std::uint64_t path = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  // The state in one style.
  struct spelled {
    std::string text;
    std::vector<place> values;
    bool is_current = false;  // false: of an earlier state

    [[nodiscard]] std::string_view at(std::uint32_t value) const noexcept {
      const place& found = values[value];
      return std::string_view(text).substr(found.offset, found.size);
    }
  };

  const echo::state* state = nullptr;
  std::array<char, time_size> time{};
  std::array<spelled, 2> styles;  // game, shortest; their values have the same order
  std::string earlier_text;

  // Spelling takes most of the time of a line, and most shapes need one style.
  void spell(std::size_t which) {
    spelled& to = styles[which];
    const auto numbers = which == game ? echo::number_style::game : echo::number_style::shortest;
    std::swap(earlier_text, to.text);
    to.text.clear();
    echo::append_session_json(*state, echo::json_shape::api, numbers, to.text);
    const std::size_t session = to.text.size();
    if (state->bones != echo::bones_kind::absent) {
      echo::append_bones_json(*state, echo::json_shape::api, numbers, to.text);
    }
    if (!move_values(to)) list_values(to, session);
    to.is_current = true;
  }

  static void list_values(spelled& to, std::size_t session) {
    to.values.clear();
    const std::string_view text = to.text;
    const auto add = [&to](std::size_t start) {
      return [&to, start](std::uint64_t path, std::size_t offset, std::size_t size) {
        to.values.push_back(
            {path, static_cast<std::uint32_t>(start + offset), static_cast<std::uint32_t>(size)});
      };
    };
    (void)visit_json_values(text.substr(0, session), std::uint64_t{1}, add(0));
    (void)visit_json_values(text.substr(session), std::uint64_t{2}, add(session));
  }

  // If the text differs from the earlier one only in values, their paths are the same, and only places change. Otherwise
  // false, and the values are invalid.
  bool move_values(spelled& to) const {
    const std::string_view before = earlier_text;
    const std::string_view now = to.text;
    std::size_t end_before = 0, end = 0;
    const auto take_between = [&](std::size_t offset_before) {
      const std::string_view between = before.substr(end_before, offset_before - end_before);
      if (!now.substr(end).starts_with(between)) return false;
      end += between.size();
      return true;
    };
    for (place& each : to.values) {
      if (!take_between(each.offset)) return false;
      end_before = each.offset + each.size;
      const std::size_t size = json_scalar_size(now.substr(end));
      if (size == 0) return false;
      each.offset = static_cast<std::uint32_t>(end);
      each.size = static_cast<std::uint32_t>(size);
      end += size;
    }
    return take_between(before.size()) && end == now.size();
  }

  // A style of the state, the given one if there is none yet.
  void spell_first(std::size_t which) {
    if (!styles[game].is_current && !styles[shortest].is_current) spell(which);
  }

  // The index of that value in the lists; empty if the state lacks it. A line mostly has the values in their order, so the
  // search begins at `hint`.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t path, std::uint32_t hint) const {
    const auto& values = styles[styles[game].is_current ? game : shortest].values;
    const auto count = static_cast<std::uint32_t>(values.size());
    std::uint32_t at = hint < count ? hint : 0;
    for (std::uint32_t left = count; left > 0; --left) {
      if (values[at].path == path) return at;
      if (++at == count) at = 0;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string_view text(std::size_t which, std::uint32_t value) {
    if (!styles[which].is_current) {
      const std::string_view other = styles[1 - which].at(value);
      // A shortest number has ".0" only below 10,000,000, where eight digits hold it.
      const bool is_same = !has_fraction(other) || (which == game && other.ends_with(".0"));
      if (is_same) return other;
      spell(which);
    }
    return styles[which].at(value);
  }

  // False if that value has no such notation.
  bool append(line_hole how, std::uint32_t value, std::string& out) {
    if (how == line_hole::shortest) {
      out += text(shortest, value);
      return true;
    }
    const std::string_view number = text(game, value);
    switch (how) {
      case line_hole::game:
        out += number;
        return true;
      case line_hole::without_point:
        out += number.substr(0, number.size() - (number.ends_with(".0") ? 2 : 0));
        return true;
      case line_hole::with_point:
        out.append(number).append(is_whole_number(number) ? ".0" : "");
        return true;
      case line_hole::truth_as_number:
        out += number == "true" ? "1" : number == "false" ? "0" : number;
        return true;
      case line_hole::number_as_truth:
        out += number == "1" || number == "1.0"   ? "true"
               : number == "0" || number == "0.0" ? "false"
                                                  : number;
        return true;
      case line_hole::shortest:
        break;
    }
    return false;
  }
};

line_values::line_values() : table_(std::make_unique<table>()) {}
line_values::line_values(line_values&&) noexcept = default;
line_values& line_values::operator=(line_values&&) noexcept = default;
line_values::~line_values() = default;

void line_values::take(const echo::state& from) {
  table_->state = &from;
  table_->time = echo::format_time(from.recorded_time_ms);
  for (auto& each : table_->styles) each.is_current = false;
}

std::optional<line_shape> line_shape::of(std::string_view line, line_values& values,
                                         const line_shape* earlier) {
  auto made = of(line, values, earlier, line_hole::game);
  // Values that fit both get the style of the others: readers then spell one.
  if (made && earlier == nullptr && made->first_style_ == shortest)
    return of(line, values, earlier, line_hole::shortest);
  return made;
}

std::optional<line_shape> line_shape::of(std::string_view line, line_values& values,
                                         const line_shape* earlier, line_hole preferred) {
  const auto parts = parts_of(line);
  if (!parts || std::any_of(parts->time.begin(), parts->time.end(), is_control)) return std::nullopt;
  line_values::table& table = *values.table_;
  table.spell_first(game);
  line_shape made;
  made.text_ = parts->time;
  if (made.text_.size() == time_size) {
    bool same = true;
    for (std::size_t i = 0; i < time_size; ++i) {
      if (is_digit(table.time[i])) same = same && made.text_[i] == table.time[i];
    }
    for (std::size_t i = 0; same && i < time_size; ++i) {
      if (is_digit(table.time[i])) made.text_[i] = time_hole;
    }
    if (same) made.time_digits_ = 0;
  }
  std::size_t copied = parts->time.size();
  std::string spelled;
  const auto fits = [&](line_hole how, std::uint32_t value, std::string_view text) {
    spelled.clear();
    return table.append(how, value, spelled) && spelled == text;
  };
  const auto hole_for = [&](std::uint32_t value, std::string_view text) -> std::optional<line_hole> {
    if (fits(preferred, value, text)) return preferred;
    for (char how = static_cast<char>(line_hole::game); is_hole(how); ++how) {
      if (fits(static_cast<line_hole>(how), value, text)) return static_cast<line_hole>(how);
    }
    return std::nullopt;
  };
  std::uint32_t next = 0;
  std::size_t earlier_hole = 0;
  // The earlier notation, if it fits: this line may be compatible with both.
  const auto earlier_hole_for = [&](std::uint64_t path, std::uint32_t value,
                                    std::string_view text) -> std::optional<line_hole> {
    if (earlier == nullptr || earlier_hole == earlier->holes_.size()) return std::nullopt;
    const place& hole = earlier->holes_[earlier_hole];
    if (hole.path != path) return std::nullopt;
    ++earlier_hole;
    const auto how = static_cast<line_hole>(earlier->text_[hole.offset]);
    if (!fits(how, value, text)) return std::nullopt;
    return how;
  };
  const bool shallow =
      visit_line_values(line, *parts, [&](std::uint64_t path, std::size_t offset, std::size_t size) {
        const auto value = table.find(path, next);
        if (!value) return;
        const std::string_view text = line.substr(offset, size);
        auto hole = earlier_hole_for(path, *value, text);
        if (!hole) hole = hole_for(*value, text);
        if (!hole) return;
        next = *value + 1;
        made.text_ += line.substr(copied, offset - copied);
        made.holes_.push_back({path, static_cast<std::uint32_t>(made.text_.size()), *value});
        made.text_ += static_cast<char>(*hole);
        if (*hole == line_hole::shortest) made.first_style_ = shortest;
        copied = offset + size;
      });
  if (!shallow) return std::nullopt;
  made.text_ += line.substr(copied);
  return made;
}

result<line_shape> line_shape::from_text(std::string text) {
  line_shape made;
  made.text_ = std::move(text);
  const std::string_view whole = made.text_;
  const auto parts = parts_of(whole);
  if (!parts) return fail(error_code::malformed, 0, "a line's shape without a second column");
  if (parts->time.find(time_hole) != std::string_view::npos) {
    if (parts->time.size() != time_size) return fail(error_code::malformed, 0, "a time of another length");
    made.time_digits_ = 0;
  }
  const bool shallow =
      visit_line_values(whole, *parts, [&](std::uint64_t path, std::size_t offset, std::size_t size) {
        if (size == 1 && is_hole(whole[offset])) {
          if (whole[offset] == static_cast<char>(line_hole::shortest)) made.first_style_ = shortest;
          made.holes_.push_back(
              {path, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(made.holes_.size())});
        }
      });
  if (!shallow) return fail(error_code::malformed, 0, "a line's shape that is nested too deep");
  return made;
}

bool line_shape::append_line(line_values& values, std::size_t limit_bytes, std::string& out) {
  // A hole is never longer than its value.
  if (text_.size() - holes_.size() > limit_bytes) return false;
  line_values::table& table = *values.table_;
  table.spell_first(first_style_);
  const std::size_t begin = out.size();
  std::size_t copied = 0;
  if (time_digits_ >= 0) {
    for (; copied < time_size; ++copied) {
      out += text_[copied] == time_hole ? table.time[copied] : text_[copied];
    }
  }
  for (place& hole : holes_) {
    out.append(text_, copied, hole.offset - copied);
    copied = hole.offset + 1;
    const auto value = table.find(hole.path, hole.value);
    if (!value || !table.append(static_cast<line_hole>(text_[hole.offset]), *value, out) ||
        out.size() - begin > limit_bytes) {
      out.resize(begin);
      return false;
    }
    hole.value = *value;
  }
  out.append(text_, copied);
  if (out.size() - begin <= limit_bytes) return true;
  out.resize(begin);
  return false;
}

std::optional<std::uint64_t> line_skeleton(std::string_view line) {
  const auto parts = parts_of(line);
  if (!parts || std::any_of(parts->time.begin(), parts->time.end(), is_control)) return std::nullopt;
  std::uint64_t hash = parts->time.size();
  // The separators of the time are part of the shape.
  for (const char each : parts->time)
    hash = path_step(hash, is_digit(each) ? 0 : static_cast<unsigned char>(each));
  std::size_t copied = parts->time.size();
  const bool shallow =
      visit_line_values(line, *parts, [&](std::uint64_t, std::size_t offset, std::size_t size) {
        hash = path_step(hash, line.substr(copied, offset - copied));
        copied = offset + size;
      });
  if (!shallow) return std::nullopt;
  return path_step(hash, line.substr(copied));
}

}  // namespace tickreel::echoreplay
