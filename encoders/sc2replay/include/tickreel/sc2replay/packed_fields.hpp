// The values of a layout's fields, as a list that can be changed and written again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/interpret.hpp"
#include "tickreel/sc2replay/layout.hpp"

namespace tickreel::sc2replay {

// The position of an operation in a layout. Names are in static storage.
struct layout_place {
  std::string_view name;        // of the field; the content of an optional or array has its name
  std::string_view parent;      // of the innermost named structure or array around it
  std::string_view list;        // of the innermost array of structures around it
  bool starts_element = false;  // the first value of such a structure
};

// For each operation, in their order.
[[nodiscard]] std::vector<layout_place> places(std::span<const layout_op> ops);

struct packed_field {
  const layout_op* op = nullptr;
  // A number; or whether an optional is present, the number of elements of an array or bit array, a choice's
  // alternative.
  std::int64_t number = 0;
  byte_span bytes = {};     // of a blob; may be replaced
  packed_reader bits = {};  // of a bit array, at its first bit
};

// The fields of one event, message or member in the order of their bytes. Points into its source.
class packed_fields {
 public:
  static result<packed_fields> read(std::span<const layout_op> ops, packed_reader& from);

  [[nodiscard]] std::span<packed_field> fields() noexcept { return fields_; }
  [[nodiscard]] std::span<const packed_field> fields() const noexcept { return fields_; }
  [[nodiscard]] std::span<const layout_op> ops() const noexcept { return ops_; }

  // A sufficient size for write(), in bytes.
  [[nodiscard]] std::size_t room() const noexcept;
  // False if a changed field does not fit, or there is no space.
  bool write(packed_writer& to) const noexcept;

 private:
  std::span<const layout_op> ops_;
  std::vector<packed_field> fields_;
};

}  // namespace tickreel::sc2replay
