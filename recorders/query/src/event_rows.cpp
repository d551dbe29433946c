// The table `events`.
#include <algorithm>

#include "event_cache.hpp"
#include "inputs.hpp"
#include "library_tables.hpp"
#include "path_values.hpp"
#include "rows.hpp"

namespace tickreel::query {

namespace {

class event_rows final : public file_rows {
 public:
  event_rows(const request& what, const input& from, library::event_list_builder builder,
             viewer::repaired_values values)
      : file_rows("event"),
        what_(&what),
        input_(&from),
        builder_(std::move(builder)),
        values_(std::move(values)) {}

  result<void> begin(const limits& within) override {
    within_ = within;
    omitted().clear();
    next_ = 0;
    // A second scan of the statement reads the file again and again, once for each of its rows.
    const bool is_shared = what_->cache != nullptr;
    if (is_shared) list_ = what_->cache->find(input_->file);
    if (is_shared && list_ != nullptr) return {};
    const limits reading = is_shared ? limits() : within;
    list_ = nullptr;
    if (what_->index != nullptr) list_ = what_->index->events(*input_, reading, needs_json());
    if (list_ == nullptr) {
      auto read = read_events(reading);
      if (!read) return fail(read.error());
      list_ = std::move(*read);
    }
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
  bool is_from_index() const override { return list_ != nullptr && list_->is_from_index; }

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
    builder_.begin({.json = needs_json(), .values = needs_values()});
    const auto given = from.events(
        **query,
        [&](std::string_view json) {
          builder_.add(json);
          return true;
        },
        what_->watch);
    event_list found = builder_.finish();
    out->lines = std::move(found.lines);
    if (given) {
      out->losses = from.losses();
      const auto checked = add_trailing_bytes(*input_, out->losses);
      if (!checked) out->failure = checked.error();
    } else if (out->lines.empty() || given.error().code == error_code::interrupted) {
      return fail(given.error());
    } else {
      out->failure = given.error();
    }
    for (std::string& each : found.losses) out->losses.push_back(std::move(each));
    if (!what_->needs(events_column::time_ms) && what_->cache == nullptr) return out;
    const auto open = [this] { return open_recording(*input_); };
    if (auto set = library::set_event_times(*out, open, what_->watch); !set) return fail(set.error());
    return out;
  }

  [[nodiscard]] bool needs_values() const { return !what_->paths.empty() || what_->cache != nullptr; }
  [[nodiscard]] bool needs_json() const { return needs_values() || what_->needs(events_column::event); }

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

  const request* what_;
  const input* input_;
  limits within_;
  library::event_list_builder builder_;
  viewer::repaired_values values_;
  std::shared_ptr<const event_list> list_;
  std::size_t next_ = 0;
};

}  // namespace

result<std::unique_ptr<file_rows>> open_event_rows(const request& what, const input& from) {
  auto builder = library::event_list_builder::create();
  if (!builder) return fail(builder.error());
  const auto views = views_of(what.paths);
  auto values = viewer::repaired_values::create(views);
  if (!values) return fail(values.error());
  return std::make_unique<event_rows>(what, from, std::move(*builder), std::move(*values));
}

}  // namespace tickreel::query
