// The table `ticks`, and what `players` shares with it.
#include "inputs.hpp"
#include "library_tables.hpp"
#include "path_values.hpp"
#include "rows.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::query {

std::vector<std::string> tick_walk::losses() const {
  return losses_ ? *losses_ : from_->losses();
}

result<void> tick_walk::begin(const limits& within) {
  within_ = within;
  read_ = {};
  losses_.reset();
  is_at_end_ = within.first_tick > within.last_tick || within.first_ms > within.last_ms;
  if (is_at_end_) return {};
  result<void> there;
  if (within.first_tick > 0) {
    there = from_->seek(files::moment::at_tick(within.first_tick));
  } else if (within.first_ms > 1) {
    // A millisecond earlier, because a place in time is rounded.
    there = from_->seek(files::moment::at_time(static_cast<double>(within.first_ms - 1) / 1000));
  } else if (is_moved_) {
    there = from_->rewind();
  }
  is_moved_ = true;
  if (there) return {};
  if (there.error().code != error_code::out_of_range) return there;
  is_at_end_ = true;
  return {};
}

result<bool> tick_walk::next() {
  while (!is_at_end_) {
    const auto more = from_->next();
    if (!more) return more;
    if (!*more) {
      losses_ = from_->losses();
      is_at_end_ = true;
      if (auto checked = add_trailing_bytes(*input_, *losses_); !checked) return fail(checked.error());
      break;
    }
    const files::tick_position& at = from_->position();
    if (at.tick > within_.last_tick || at.time_ms > within_.last_ms) {
      losses_ = from_->losses();
      is_at_end_ = true;
      break;
    }
    read_.add(at.tick);
    if (at.tick < within_.first_tick || at.time_ms < within_.first_ms) continue;
    // Later ticks do not concern the answer.
    if (at.tick == within_.last_tick) {
      losses_ = from_->losses();
      is_at_end_ = true;
    }
    return true;
  }
  return false;
}

namespace {

class tick_rows final : public file_rows {
 public:
  tick_rows(const request& what, std::unique_ptr<files::recording> opened, const input& from)
      : file_rows("tick"), what_(&what), walk_(std::move(opened), from) {}

  result<void> prepare() {
    auto values = viewer::tick_values::create(walk_.recording(), views_of(what_->paths));
    if (!values) return fail(values.error());
    values_.emplace(std::move(*values));
    return what_->needs(ticks_column::state) ? result<void>() : values_->read_nothing_else();
  }

  result<void> begin(const limits& within) override {
    omitted().clear();
    return walk_.begin(within);
  }

  result<bool> next(std::span<value> row) override {
    const auto more = walk_.next();
    if (!more || !*more) return more;
    const files::tick_position& at = walk_.position();
    std::size_t slot = 0;
    for (const int each : what_->fixed) {
      value& to = row[slot++];
      if (each == ticks_column::tick) to = value_of(at.tick);
      if (each == ticks_column::time_ms) to = at.time_ms;
      if (each != ticks_column::state) continue;
      std::string state = "{";
      if (viewer::append_limited_state(walk_.recording(), state)) {
        to = state + '}';
      } else {
        omitted().add_long_text(tick());
      }
    }
    if (what_->paths.empty()) return true;
    for (const viewer::tick_value& each : values_->read()) row[slot++] = value_of(each);
    omitted().add(values_->repairs(), tick());
    return true;
  }

  std::uint64_t row_id() const override { return walk_.position().tick; }
  std::optional<std::uint64_t> tick() const override { return walk_.position().tick; }
  std::vector<std::string> losses() const override { return walk_.losses(); }
  ticks_read read() const override { return walk_.read(); }
  bool has_other_files() const override { return walk_.has_other_files(); }

 private:
  const request* what_;
  tick_walk walk_;
  std::optional<viewer::tick_values> values_;
};

}  // namespace

result<std::unique_ptr<file_rows>> open_tick_rows(const request& what, const input& from) {
  auto opened = open_recording(from);
  if (!opened) return fail(opened.error());
  auto rows = std::make_unique<tick_rows>(what, std::move(*opened), from);
  if (auto ready = rows->prepare(); !ready) return fail(ready.error());
  return rows;
}

namespace {

// From the index of the library, if it has all columns.
result<std::unique_ptr<file_rows>> open_indexed_rows(const request& what, const input& from) {
  const rows_opener open_file = [&what, &from] {
    return what.from == table::ticks ? open_tick_rows(what, from) : open_player_rows(what, from);
  };
  if (what.index != nullptr) {
    if (auto rows = what.index->open_kept_rows(what, from, open_file)) return rows;
  }
  auto opened = open_file();
  if (!opened || what.index == nullptr) return opened;
  return what.index->keep_rows(what, from, std::move(*opened));
}

}  // namespace

result<std::unique_ptr<file_rows>> open_rows(const request& what, const input& from) {
  switch (what.from) {
    case table::recordings:
      return open_recording_rows(what, from);
    case table::ticks:
    case table::players:
      return open_indexed_rows(what, from);
    case table::events:
      return open_event_rows(what, from);
    case table::statistics:
      break;
  }
  return fail(error_code::unsupported_operation);
}

}  // namespace tickreel::query
