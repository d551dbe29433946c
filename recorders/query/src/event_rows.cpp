// The table `events`.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "event_cache.hpp"
#include "inputs.hpp"
#include "path_values.hpp"
#include "rows.hpp"

namespace tickreel::query {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

class event_rows final : public file_rows {
 public:
  event_rows(const request& what, const input& from, repaired_values heads, repaired_values values)
      : file_rows("event"),
        what_(&what),
        input_(&from),
        heads_(std::move(heads)),
        values_(std::move(values)) {}

  result<void> begin(const limits& within) override {
    within_ = within;
    omitted().clear();
    next_ = 0;
    // A second scan of the statement reads the file again and again, once for each of its rows.
    const bool is_shared = what_->cache != nullptr;
    if (is_shared) list_ = what_->cache->find(input_->file);
    if (is_shared && list_ != nullptr) return {};
    auto read = read_events(is_shared ? limits() : within);
    if (!read) return fail(read.error());
    list_ = std::move(*read);
    if (is_shared) what_->cache->keep(input_->file, list_);
    return {};
  }

  result<bool> next(std::span<value> row) override {
    while (list_ != nullptr && next_ < list_->lines.size()) {
      const event_line& line = list_->lines[next_++];
      if (!is_inside(line)) continue;
      std::size_t slot = 0;
      for (const int each : what_->fixed) fill(each, line, row[slot++]);
      if (what_->paths.empty()) return true;
      // The losses of its JSON are in the list.
      for (const viewer::tick_value& each : values_.read(line.json).values) row[slot++] = value_of(each);
      return true;
    }
    if (list_ != nullptr && list_->failure) return fail(*list_->failure);
    return false;
  }

  std::uint64_t row_id() const override { return list_->lines[next_ - 1].id; }
  std::optional<std::uint64_t> tick() const override { return list_->lines[next_ - 1].tick; }
  std::vector<std::string> losses() const override {
    return list_ == nullptr ? std::vector<std::string>() : list_->losses;
  }

 private:
  [[nodiscard]] bool is_inside(const event_line& line) const {
    if (within_.type && *within_.type != line.type) return false;
    if (line.tick && (*line.tick < within_.first_tick || *line.tick > within_.last_tick)) return false;
    return !line.time_ms || (*line.time_ms >= within_.first_ms && *line.time_ms <= within_.last_ms);
  }

  static void fill(int column, const event_line& line, value& to) {
    to = {};
    if (column == events_column::tick && line.tick) to = value_of(*line.tick);
    if (column == events_column::time_ms && line.time_ms) to = *line.time_ms;
    if (column == events_column::type) to = line.type;
    if (column == events_column::event) to = line.json;
  }

  result<std::shared_ptr<const event_list>> read_events(const limits& within) {
    auto opened = open_recording(*input_);
    if (!opened) return fail(opened.error());
    files::recording& from = **opened;
    auto out = std::make_shared<event_list>();
    if (within.first_tick > within.last_tick || within.first_ms > within.last_ms) return out;
    auto query = query_of(within, from);
    if (!query) return fail(query.error());
    if (!*query) return out;
    cell_losses lost("event");
    const auto given = from.events(
        **query,
        [&](std::string_view json) {
          take(json, *out, lost);
          return true;
        },
        what_->watch);
    if (given) {
      out->losses = from.losses();
      add_trailing_bytes(*input_, out->losses);
    } else if (out->lines.empty() || given.error().code == error_code::interrupted) {
      return fail(given.error());
    } else {
      out->failure = given.error();
    }
    for (std::string& each : lost.sentences()) out->losses.push_back(std::move(each));
    const bool is_time_needed = what_->needs(events_column::time_ms) || what_->cache != nullptr;
    if (auto set = is_time_needed ? set_times(*out) : result<void>(); !set) return fail(set.error());
    return out;
  }

  // Of events without a time: that of their tick, if it can be read.
  result<void> set_times(event_list& to) const {
    std::unique_ptr<files::recording> ticks;
    double ticks_per_second = 0;
    for (event_line& each : to.lines) {
      if (each.time_ms || !each.tick) continue;
      if (ticks == nullptr) {
        auto opened = open_recording(*input_);
        if (!opened) return fail(opened.error());
        ticks = std::move(*opened);
        ticks_per_second = ticks_per_second_of(*ticks);
        if (auto back = ticks->rewind(); !back) return {};
        if (ticks_per_second <= 0) {
          if (const auto first = ticks->next(); !first || !*first) return {};
        }
      }
      if (ticks_per_second > 0) {
        constexpr double longest_ms = 9e18;
        const double time_ms = static_cast<double>(*each.tick) * 1000 / ticks_per_second;
        if (time_ms < longest_ms) each.time_ms = std::llround(time_ms);
        continue;
      }
      if (ticks->position().tick < *each.tick) {
        // Damage ends it; the events have reported it.
        if (const auto there = ticks->go_to(*each.tick); !there || !*there) return {};
      }
      if (ticks->position().tick == *each.tick) each.time_ms = ticks->position().time_ms;
    }
    return {};
  }

  // Of a recording whose ticks have even times, and most of whose ticks are simulated; otherwise 0.
  double ticks_per_second_of(files::recording& from) const {
    const auto about = from.quick_summary(what_->watch);
    if (!about) return 0;
    for (const files::fact& each : about->facts) {
      const auto* const rate = std::get_if<double>(&each.value);
      if (rate != nullptr && each.key == "ticks_per_second") return *rate;
    }
    return 0;
  }

  // Empty if the recording has no events of that type.
  static result<std::optional<files::event_query>> query_of(const limits& within, files::recording& from) {
    files::event_query out;
    if (within.type) {
      const auto types = from.event_types();
      if (!types) return fail(types.error());
      if (std::ranges::find(*types, *within.type) == types->end()) return std::nullopt;
      out.types.push_back(*within.type);
    }
    const limits all;
    const bool by_tick = within.first_tick != all.first_tick || within.last_tick != all.last_tick;
    if (by_tick) {
      if (within.first_tick != all.first_tick) out.from = files::moment::at_tick(within.first_tick);
      if (within.last_tick != all.last_tick) out.to = files::moment::at_tick(within.last_tick);
      return out;
    }
    // A millisecond more, because times in lines are rounded.
    const auto seconds = [](std::int64_t ms) { return static_cast<double>(ms) / 1000; };
    if (within.first_ms > 1) out.from = files::moment::at_time(seconds(within.first_ms - 1));
    // Events before the first readable tick have negative times.
    if (within.last_ms >= 0 && within.last_ms != all.last_ms) {
      out.to = files::moment::at_time(seconds(within.last_ms) + 0.001);
    }
    return out;
  }

  void take(std::string_view json, event_list& to, cell_losses& lost) {
    const auto [head, repairs] = heads_.read(json);
    event_line& line = to.lines.emplace_back();
    // Of equal events one follows the other.
    const std::uint64_t hash = std::hash<std::string_view>()(json);
    const bool is_equal = to.lines.size() > 1 && hash_ == hash;
    equal_ = is_equal ? equal_ + 1 : 0;
    hash_ = hash;
    line.id = hash + equal_;
    if (const auto* const tick = std::get_if<std::int64_t>(&head[0])) {
      line.tick = static_cast<std::uint64_t>(*tick);
    } else if (const auto* const large = std::get_if<std::uint64_t>(&head[0])) {
      line.tick = *large;
    }
    if (const auto* const time = std::get_if<std::int64_t>(&head[1])) line.time_ms = *time;
    if (const auto* const type = std::get_if<std::string_view>(&head[2])) line.type = *type;
    const bool needs_values = !what_->paths.empty() || what_->cache != nullptr;
    if (needs_values || what_->needs(events_column::event)) line.json = json;
    // Otherwise only the head can have a loss.
    const bool is_in_head =
        repairs.is_unreadable || line.type.find(replacement_character) != std::string::npos;
    if (needs_values || is_in_head) lost.add(repairs, line.tick);
  }

  const request* what_;
  const input* input_;
  limits within_;
  repaired_values heads_;
  repaired_values values_;
  std::shared_ptr<const event_list> list_;
  std::size_t next_ = 0;
  // Of the last line that was taken.
  std::uint64_t hash_ = 0;
  std::uint64_t equal_ = 0;
};

}  // namespace

result<std::unique_ptr<file_rows>> open_event_rows(const request& what, const input& from) {
  constexpr std::array<std::string_view, 3> in_each = {"tick", "time_ms", "type"};
  auto heads = repaired_values::create(in_each);
  if (!heads) return fail(heads.error());
  const auto views = views_of(what.paths);
  auto values = repaired_values::create(views);
  if (!values) return fail(values.error());
  return std::make_unique<event_rows>(what, from, std::move(*heads), std::move(*values));
}

}  // namespace tickreel::query
