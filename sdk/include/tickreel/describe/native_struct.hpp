// A struct that is described at run time by the offsets of its members: for bindings to other languages and for
// engines with a reflection of their own. describe.hpp is for structs that the compiler knows.
//
//   auto vec = native_struct::create("vec", 12, {{{.name = "x", .kind = type_kind::floating, .bytes = 4}, ...}});
//   auto unit = native_struct::create("unit", 20, {{{.name = "at", .kind = type_kind::structure, .of = *vec}, ...}});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

class native_struct;

// A member in memory. Numbers have the byte order of the machine.
struct native_field {
  std::string name;
  type_kind kind = type_kind::floating;  // neither interned, optional, array nor entities: see below
  std::uint32_t bytes = 0;               // of one number; of a text: its characters, up to the first zero
  std::uint32_t offset = 0;              // in the struct
  std::uint32_t fraction_bits = 0;       // of a fixed_point
  bool is_signed = false;                // of an enumeration
  std::vector<enumerator> enumerators = {};
  std::shared_ptr<const native_struct> of = nullptr;  // of a structure

  // 0: one value. Otherwise an array, whose elements are `stride` bytes apart; 0: without gaps.
  std::uint32_t count = 0;
  std::uint32_t stride = 0;
  // An optional: a byte at `flag_offset` in the struct, 0 if the value is absent. Not for arrays.
  bool is_optional = false;
  // Entities: an array of structures, each with a uint32 at `flag_offset` in the element, its generation, which is
  // odd while the place is in use and rises by one with each change.
  bool is_entities = false;
  std::uint32_t flag_offset = 0;

  schema_declaration declared = {};
};

// Immutable, so any thread may use it.
class native_struct {
 public:
  // invalid_argument if a member is outside of the struct, has a size that its kind does not have, or if its
  // declaration does not suit it; otherwise the errors of read_schema(). Allocates.
  static result<std::shared_ptr<const native_struct>> create(std::string_view name, std::uint32_t bytes,
                                                             std::span<const native_field> fields);

  [[nodiscard]] const schema& described() const noexcept { return schema_; }
  [[nodiscard]] const std::string& name() const noexcept { return schema_.root().name; }
  [[nodiscard]] std::uint32_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint32_t row_bytes() const noexcept { return schema_.row_bytes(); }

  // Writes the row_bytes() component bytes of a struct of bytes() bytes. Allocates nothing.
  void write_row(const std::byte* from, std::byte* to) const noexcept;

 private:
  enum class move : std::uint8_t { copy, boolean, text, optional };
  struct step {
    move how = move::copy;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t bytes = 0;    // in the row; of an optional: of its value
    std::uint32_t skipped = 0;  // of an optional: the steps of its value
  };
  native_struct() = default;
  [[nodiscard]] result<void> check_field(const native_field& field, const schema_type& root) const;
  std::uint32_t add_type_of(const native_field& field);
  result<void> add(const native_field& field, schema_type& root);
  void add_step(const step& next);
  void add_value(const native_field& field, std::uint32_t from, std::uint32_t to, std::uint32_t value_bytes);

  schema schema_;
  std::uint32_t bytes_ = 0;
  std::uint32_t row_end_ = 0;
  std::vector<step> steps_;
  std::size_t first_open_step_ = 0;  // those before belong to optionals
};

}  // namespace tickreel
