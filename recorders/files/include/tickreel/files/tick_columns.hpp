// Values of ticks by path, without the JSON of the ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/result.hpp"

namespace tickreel::files {

// A member's name or an element's index, on the path to a value in a tick's JSON.
using path_step = std::variant<std::string, std::size_t>;

// An unsigned number only above the largest signed one. A text is also an object or array, as JSON. Nothing where
// the tick has no such value, or null.
using tick_value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string_view>;

class tick_columns {
 public:
  // The number of the column with that path. Empty: its values are only in the JSON.
  virtual std::optional<std::size_t> find_column(std::span<const path_step> path) = 0;
  // Its value in the current tick, as a parser reads it from the JSON; valid until the next call. Empty: only the JSON
  // has it.
  [[nodiscard]] virtual std::optional<tick_value> column_value(std::size_t column) const = 0;
  // Rewinds. The ticks then have the values of these columns alone, which is faster; those of others are undefined, and
  // damage in them is not detected.
  virtual result<void> read_only(std::span<const std::size_t> columns) = 0;

 protected:
  ~tick_columns() = default;
};

}  // namespace tickreel::files
