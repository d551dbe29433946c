// Rows of one file for one table.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tables.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/library/event_list.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"
#include "tickreel/viewer/cell_losses.hpp"

namespace tickreel::query {

class event_cache;
class library_index;
using library::event_list;
using viewer::cell_losses;

// SQLite's limit of one text. Rows have NULL for a longer one.
inline constexpr std::size_t max_text_bytes = std::size_t{16} << 20;

// Restrictions of a scan. SQLite checks each row again: rows outside may be given, but none inside may be missing.
struct limits {
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = (std::numeric_limits<std::uint64_t>::max)();
  std::int64_t first_ms = (std::numeric_limits<std::int64_t>::min)();
  std::int64_t last_ms = (std::numeric_limits<std::int64_t>::max)();
  std::optional<std::string> type = std::nullopt;    // of events
  std::optional<std::string> player = std::nullopt;  // of players

  bool operator==(const limits&) const = default;
};

// The columns that a statement needs from a table.
struct request {
  table from = table::ticks;
  std::vector<int> fixed = {};          // numbers of fixed columns
  std::vector<std::string> paths = {};  // further columns
  event_cache* cache = nullptr;         // of events that other scans of the statement read, too
  // Of a library, in which rows may be. Null: all are read from the file.
  library_index* index = nullptr;
  files::monitor watch = {};

  [[nodiscard]] std::size_t width() const noexcept { return fixed.size() + paths.size(); }
  [[nodiscard]] bool needs(int column) const noexcept {
    for (const int each : fixed) {
      if (each == column) return true;
    }
    return false;
  }
};

// Ticks that were read from the file.
struct ticks_read {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  void add(std::uint64_t tick) noexcept {
    if (count++ == 0) first = last = tick;
    first = tick < first ? tick : first;
    last = tick > last ? tick : last;
  }
};

// One thread at a time.
class file_rows {
 public:
  // `of`: as cell_losses.
  explicit file_rows(const char* of = "recording") noexcept : omitted_(of) {}
  virtual ~file_rows() = default;
  // Starts, or starts again.
  virtual result<void> begin(const limits& within) = 0;
  // Sets the values of the next row, in the order of the request: fixed columns, then paths. False at the end.
  virtual result<bool> next(std::span<value> row) = 0;
  // Identifies the row within its file, whatever the limits: SQLite unites several scans by it.
  [[nodiscard]] virtual std::uint64_t row_id() const = 0;
  // Of the row, if it has one.
  [[nodiscard]] virtual std::optional<std::uint64_t> tick() const { return std::nullopt; }
  // Up to the last row, without those of cells.
  [[nodiscard]] virtual std::vector<std::string> losses() const = 0;
  [[nodiscard]] virtual ticks_read read() const { return {}; }
  // See files::recording::has_other_files().
  [[nodiscard]] virtual bool has_other_files() const { return false; }
  // Whether the rows come from the index of a library, and not from the file.
  [[nodiscard]] virtual bool is_from_index() const { return false; }
  // Since begin().
  [[nodiscard]] virtual cell_losses& omitted() noexcept { return omitted_; }

 private:
  cell_losses omitted_;
};

// Opens the rows of one file for one request.
using rows_opener = std::function<result<std::unique_ptr<file_rows>>()>;

// Rows are read in multiples of this number, up to the end.
inline constexpr std::size_t block_rows = 256;

// Up to the last row, with those of cells.
[[nodiscard]] std::vector<std::string> losses_of(file_rows& rows);

// Opens a file for a request, or its rows in the index; both must outlive the result. unsupported_operation if the
// file's format has no such rows.
result<std::unique_ptr<file_rows>> open_rows(const request& what, const input& from);

result<std::unique_ptr<file_rows>> open_recording_rows(const request& what, const input& from);
result<std::unique_ptr<file_rows>> open_tick_rows(const request& what, const input& from);
result<std::unique_ptr<file_rows>> open_player_rows(const request& what, const input& from);
result<std::unique_ptr<file_rows>> open_event_rows(const request& what, const input& from);

// Iterates over the ticks within limits.
class tick_walk {
 public:
  // `opened_from` must outlive it.
  tick_walk(std::unique_ptr<files::recording> from, const input& opened_from)
      : from_(std::move(from)), input_(&opened_from) {}

  [[nodiscard]] files::recording& recording() noexcept { return *from_; }
  [[nodiscard]] const files::tick_position& position() const noexcept { return from_->position(); }
  [[nodiscard]] bool has_other_files() const noexcept { return from_->has_other_files(); }
  result<void> begin(const limits& within);
  // Moves to the next tick. False at the end.
  result<bool> next();
  [[nodiscard]] std::vector<std::string> losses() const;
  [[nodiscard]] const ticks_read& read() const noexcept { return read_; }

 private:
  std::unique_ptr<files::recording> from_;
  const input* input_;
  limits within_;
  ticks_read read_;
  std::optional<std::vector<std::string>> losses_;  // at the end
  bool is_moved_ = false;
  bool is_at_end_ = false;
};

// An unsigned number above the largest signed one becomes a text, so that no digit is lost.
[[nodiscard]] value value_of(std::uint64_t number);

}  // namespace tickreel::query
