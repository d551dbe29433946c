// Rows of recordings in an index: events that a scan stored, and columns that statements kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/library/event_list.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// A column of one recording, uncompressed. An index has no larger one, so reading it needs no more memory: 36,000 ticks
// of a ten-minute match take 0.3 MB as doubles, those of its eight players 2.3 MB.
inline constexpr std::size_t max_column_bytes = std::size_t{16} << 20;
// All columns of one recording that a scan keeps or reads. A statement can name 200.
inline constexpr std::size_t max_columns_bytes = std::size_t{128} << 20;

// A recording, as an index knows it.
struct indexed_recording {
  std::vector<std::string> paths;  // that the file may have in the index; of an object, its address
  std::optional<files::object_version> object = std::nullopt;  // as the store lists it now
};

struct event_selection {
  std::optional<std::string> type = std::nullopt;
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = UINT64_MAX;
  bool needs_json = true;
};

struct kept_column {
  std::string_view name;
  byte_span values;
};

// Of files and objects that have not changed since the scan. Thread-safe.
class indexed_content {
 public:
  // Reads the index as it is at the first call of another function, whatever a scan changes later. `reader` only reads.
  // `writer`: for keep(), see open_to_write().
  static result<std::unique_ptr<indexed_content>> create(connection reader, std::optional<connection> writer);
  ~indexed_content();

  // Whether the recording is in the index, and has not changed.
  [[nodiscard]] bool has(const indexed_recording& of);
  // All events of the selection, and perhaps others. Null if the events must be read from the file: it is not in the
  // index, it has changed, its reading had losses, or the index is damaged. The answer for a file is the same in every
  // call.
  [[nodiscard]] std::shared_ptr<const event_list> events(const indexed_recording& of,
                                                         const event_selection& what);
  // The columns of a table, in the order of the names. Empty if one is missing, if they are too
  // large, or as events().
  [[nodiscard]] std::vector<byte_vector> columns(const indexed_recording& of, std::string_view table,
                                                 const std::vector<std::string>& names);
  // Stores columns of a recording that was read after a call of has(), and replaces those of the same names. False if
  // it has changed since.
  result<bool> keep(const indexed_recording& of, std::string_view table, std::uint64_t rows,
                    std::span<const kept_column> columns);

 private:
  struct state;
  explicit indexed_content(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::library
