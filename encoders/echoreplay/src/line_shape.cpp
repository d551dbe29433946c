#include "tickreel/echoreplay/line_shape.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
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

}  // namespace

struct line_values::table {
  struct place {
    std::uint64_t path = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  // In the two styles, whose values have the same order.
  struct spelled {
    std::string text;
    std::vector<place> values;
  };

  std::array<char, time_size> time{};
  std::array<spelled, 2> styles;
  std::unordered_map<std::uint64_t, std::uint32_t> by_path;
  bool has_map = false;

  void spell(const echo::state& from, std::size_t which) {
    spelled& to = styles[which];
    const auto numbers = which == 0 ? echo::number_style::game : echo::number_style::shortest;
    to.text.clear();
    to.values.clear();
    echo::append_session_json(from, echo::json_shape::api, numbers, to.text);
    const std::size_t session = to.text.size();
    if (from.bones != echo::bones_kind::absent) {
      echo::append_bones_json(from, echo::json_shape::api, numbers, to.text);
    }
    const std::string_view text = to.text;
    const auto add = [&](std::size_t start) {
      return [&to, start](std::uint64_t path, std::size_t offset, std::size_t size) {
        to.values.push_back(
            {path, static_cast<std::uint32_t>(start + offset), static_cast<std::uint32_t>(size)});
      };
    };
    (void)visit_json_values(text.substr(0, session), std::uint64_t{1}, add(0));
    (void)visit_json_values(text.substr(session), std::uint64_t{2}, add(session));
  }

  // The index of that value in the lists; empty if the state lacks it.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t path, std::uint32_t hint) {
    const auto& values = styles[0].values;
    if (hint < values.size() && values[hint].path == path) return hint;
    if (!std::exchange(has_map, true)) {
      by_path.clear();
      by_path.reserve(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        by_path.emplace(values[i].path, static_cast<std::uint32_t>(i));
      }
    }
    const auto found = by_path.find(path);
    if (found == by_path.end()) return std::nullopt;
    return found->second;
  }

  [[nodiscard]] std::string_view text(std::size_t which, std::uint32_t value) const noexcept {
    const auto& at = styles[which].values[value];
    return std::string_view(styles[which].text).substr(at.offset, at.size);
  }

  // False if that value has no such notation.
  bool append(line_hole how, std::uint32_t value, std::string& out) const {
    const std::string_view game = text(0, value);
    switch (how) {
      case line_hole::game:
        out += game;
        return true;
      case line_hole::shortest:
        if (value >= styles[1].values.size()) return false;
        out += text(1, value);
        return true;
      case line_hole::without_point:
        out += game.substr(0, game.size() - (game.ends_with(".0") ? 2 : 0));
        return true;
      case line_hole::with_point:
        out.append(game).append(is_whole_number(game) ? ".0" : "");
        return true;
      case line_hole::truth_as_number:
        out += game == "true" ? "1" : game == "false" ? "0" : game;
        return true;
      case line_hole::number_as_truth:
        out += game == "1" || game == "1.0" ? "true" : game == "0" || game == "0.0" ? "false" : game;
        return true;
    }
    return false;
  }
};

line_values::line_values() : table_(std::make_unique<table>()) {}
line_values::line_values(line_values&&) noexcept = default;
line_values& line_values::operator=(line_values&&) noexcept = default;
line_values::~line_values() = default;

void line_values::take(const echo::state& from) {
  table_->time = echo::format_time(from.recorded_time_ms);
  table_->spell(from, 0);
  table_->spell(from, 1);
  table_->has_map = false;
}

std::optional<line_shape> line_shape::of(std::string_view line, line_values& values,
                                         const line_shape* earlier) {
  const auto parts = parts_of(line);
  if (!parts || std::any_of(parts->time.begin(), parts->time.end(), is_control)) return std::nullopt;
  line_values::table& table = *values.table_;
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
  const auto hole_for = [&](std::uint32_t value, std::string_view text) -> std::optional<line_hole> {
    for (char how = static_cast<char>(line_hole::game); is_hole(how); ++how) {
      spelled.clear();
      if (table.append(static_cast<line_hole>(how), value, spelled) && spelled == text) {
        return static_cast<line_hole>(how);
      }
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
    spelled.clear();
    if (!table.append(how, value, spelled) || spelled != text) return std::nullopt;
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
