// Encodes described structs as rows of column blocks: the encoder of record<T>.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tickreel/describe/component.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/event_queue.hpp"
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
  } else if constexpr (is_entities<T> || is_std_optional<T>) {
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
class row_encoder {
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
    auto described = shape_of(schema_of<T>());
    if (!described) return fail(described.error());
    return row_encoder(std::move(*described), options);
  }

  // Enables events, which the recorder writes besides the rows. The queue keeps its address when this object
  // moves; null until take_events() was called.
  void take_events() { events_ = std::make_unique<event_queue>(); }
  [[nodiscard]] event_queue* events() const noexcept { return events_.get(); }

  [[nodiscard]] bool add_row(const T& now) noexcept {
    detail::put_component(row_.data(), now);
    return rows_.add(row_);
  }
  [[nodiscard]] bool is_full() const noexcept { return rows_.full(); }
  [[nodiscard]] std::size_t max_rows() const noexcept { return rows_.max_rows(); }
  [[nodiscard]] std::size_t max_block_size() const noexcept { return rows_.largest_size(); }
  void write_block(byte_writer& out) noexcept { rows_.write(out); }
  void clear_rows() noexcept { rows_.clear(); }
  [[nodiscard]] bool can_continue() const noexcept { return rows_.can_continue(); }
  void continue_block() noexcept { (void)rows_.continue_block(); }

 private:
  row_encoder(shape&& described, const block_options& options)
      : row_(component_size<T>), rows_(described, options) {}

  byte_vector row_;
  block_writer rows_;
  std::unique_ptr<event_queue> events_;
};

}  // namespace tickreel::tracks
