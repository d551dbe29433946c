// Encodes described structs as rows of column blocks: the encoder of record<T>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tickreel/describe/component.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/tracks/row_block.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::detail {

template <class T>
consteval bool has_interned_text() {
  if constexpr (described<T>) {
    return std::apply(
        []<class... Field>(const described_field<T, Field>&...) {
          return (has_interned_text<Field>() || ...);
        },
        fields_of<T>());
  } else if constexpr (array_count<T> != 0) {
    return has_interned_text<array_item<T>>();
  } else if constexpr (is_entities<T> || is_instance<std::optional, T>) {
    return has_interned_text<typename T::value_type>();
  } else {
    return std::is_same_v<T, interned_text>;
  }
}

}  // namespace tickreel::detail

namespace tickreel::tracks {

// A block_encoder. Allocates all its memory on creation: the rows of one block, and the memory to encode
// them.
template <described T>
class row_encoder : public row_block {
 public:
  using state_type = T;
  static constexpr std::string_view encoder_name = rows_name;
  static constexpr std::uint32_t encoder_version = rows_version_for(component_size<T>);
  static_assert(
      std::is_trivially_copyable_v<T>,
      "tickreel: a recorded struct is copied as bytes, so it must be trivially copyable: no std::string (use "
      "short_text), no std::vector (use an array, or entities), no pointers that own");

  static_assert(
      !detail::has_interned_text<T>(),
      "tickreel: an interned_text is a number in a table that only game_recorder keeps; in a struct for "
      "record() use a short_text, of which a chunk holds each different one once");

  static_assert(std::is_default_constructible_v<T>,
                "tickreel: a recorded struct has a default constructor: waiting and reading begin with T{}");

  // invalid_argument if the declarations of T name unknown or unsuitable members.
  static result<row_encoder> create(const block_options& options = {}) {
    return create(schema_of<T>(), options);
  }
  // `declared`: schema_of<T>() with other declarations, which the reel's header must have, too.
  static result<row_encoder> create(const schema& declared, const block_options& options) {
    if (!has_same_layout(declared, schema_of<T>())) {
      return fail(error_code::invalid_argument, error::no_offset, "the schema is that of another struct");
    }
    auto described = shape_of(declared);
    if (!described) return fail(described.error());
    return row_encoder(std::move(*described), options);
  }

  [[nodiscard]] bool add_row(const T& now) noexcept {
    // Without a copy, which takes as long as the search for changes.
    if (detail::is_own_bytes(now)) return rows_.add(std::as_bytes(std::span(&now, 1)));
    detail::put_component(row_.data(), now);
    return rows_.add(row_);
  }
  [[nodiscard]] bool add_changes(byte_span changes) noexcept { return rows_.add_changes(changes); }

 private:
  row_encoder(shape&& described, const block_options& options)
      : row_block(component_size<T>, described, options) {}
};

}  // namespace tickreel::tracks
