#include "work.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "inputs.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::query {

void watch_steps(sqlite3* connection, work& of) {
  // Steps of SQLite's machine between two looks at the clock.
  constexpr int steps_between_checks = 1000;
  sqlite3_progress_handler(
      connection, steps_between_checks,
      [](void* all) { return static_cast<work*>(all)->should_stop() ? 1 : 0; }, &of);
}

work::work(const std::vector<input>& inputs, const options& how)
    : inputs_(&inputs),
      threads_(how.threads != 0 ? how.threads : workers::processors()),
      cancelled_(how.cancelled) {
  // 30 years; more do not fit the clock.
  constexpr std::uint64_t longest_ms = 1'000'000'000'000;
  if (how.max_duration_ms == 0 || how.max_duration_ms > longest_ms) return;
  deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(how.max_duration_ms);
}

bool work::should_stop() {
  if (cancelled_ && cancelled_()) return true;
  if (!out_of_time_ && deadline_ && std::chrono::steady_clock::now() > *deadline_) out_of_time_ = true;
  return out_of_time_;
}

files::monitor work::watch() {
  return {{}, [this] { return should_stop(); }};
}

result<const std::vector<statistics_line>*> work::statistics() {
  if (!statistics_) {
    statistics_reading read = read_statistics(*inputs_, threads_, watch());
    if (should_stop()) return fail(error_code::interrupted);
    for (std::size_t file = 0; file < inputs_->size(); ++file) {
      if (const auto& why = read.failures[file]) note_failure(file, *why);
      note_losses(file, read.losses[file]);
    }
    for (std::string& each : read.notes) note(std::move(each));
    statistics_ = std::move(read.lines);
  }
  return &*statistics_;
}

void work::note_losses(std::size_t file, const std::vector<std::string>& losses) {
  if (losses.empty()) return;
  file_note& to = files_[file];
  for (const std::string& each : losses) {
    if (std::ranges::find(to.losses, each) == to.losses.end()) to.losses.push_back(each);
  }
}

void work::note_failure(std::size_t file, const error& why) {
  const input& from = (*inputs_)[file];
  const bool is_unsupported = why.code == error_code::unsupported_operation;
  const bool is_recording = is_unsupported ? !is_only_written(from) : why.code != error_code::not_recognised;
  // Not every format has events, for example; the statement itself reports its interruption.
  if ((is_unsupported && is_recording) || why.code == error_code::interrupted) return;
  if (!is_recording && from.found_in_folder) {
    not_recordings_.insert(file);
    return;
  }
  file_note& to = files_[file];
  if (!to.failure) to.failure = why;
}

void work::check_unread_files() {
  if (!parts_.empty()) return;
  for (std::size_t file = 0; file < inputs_->size() && !should_stop(); ++file) {
    const input& each = (*inputs_)[file];
    if (each.found_in_folder) continue;
    if (const auto opened = open_bytes(each); !opened) note_failure(file, opened.error());
  }
}

file_part& work::part_of(const request& what, std::size_t file) {
  std::vector<std::string> columns;
  for (const int each : what.fixed) columns.push_back(column_name(what.from, each, {}));
  columns.insert(columns.end(), what.paths.begin(), what.paths.end());
  auto known = std::ranges::find_if(
      parts_, [&](const part& each) { return each.from == what.from && each.columns == columns; });
  if (known == parts_.end()) known = parts_.insert(known, {what.from, std::move(columns), {}});
  file_part& out = known->files[file];
  out.file = (*inputs_)[file].file;
  return out;
}

void work::finish(report& to) {
  for (auto& [file, note] : files_) {
    note.file = (*inputs_)[file].file;
    to.files.push_back(std::move(note));
  }
  to.not_recordings = not_recordings_.size();
  to.notes = std::move(notes_);
  std::set<std::string> read;
  for (part& each : parts_) {
    table_part& out = to.parts.emplace_back();
    out.table = name(each.from);
    out.columns = std::move(each.columns);
    bool any = false;
    for (auto& [file, what] : each.files) {
      any = any || what.rows != 0;
      out.files.push_back(std::move(what));
    }
    if (any) read.insert(out.columns.begin(), out.columns.end());
  }
  for (const std::string& each : paths) {
    if (!read.contains(each) || with_values_.contains(each)) continue;
    to.notes.push_back("no value is called \"" + each +
                       "\"; 'tickreel events' and 'tickreel seek --tick 0' show the "
                       "members of events and ticks, and a text has single quotes");
  }
}

}  // namespace tickreel::query
