// Described structs as rows of column blocks: what record<T> gives to a recorder.
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

namespace tickreel::tracks {

// A block_encoder. Takes all its memory when made: rows of one block, and what laying them out needs.
template <described T>
class row_encoder {
 public:
  using state_type = T;
  static constexpr std::string_view encoder_name = rows_name;
  static constexpr std::uint32_t encoder_version = rows_version;
  static_assert(
      std::is_trivially_copyable_v<T>,
      "tickreel: a recorded struct is copied as bytes, so it must be trivially copyable: no std::string (use "
      "short_text or interned_text), no std::vector (use an array, or entities), no pointers that own");

  static_assert(std::is_default_constructible_v<T>,
                "tickreel: a recorded struct has a default constructor: waiting and reading begin with T{}");

  // invalid_argument where the declarations of T name members that there are not, or that do not fit.
  static result<row_encoder> create(const block_options& options = {}) {
    auto described = shape_of(schema_of<T>());
    if (!described) return fail(described.error());
    return row_encoder(std::move(*described), options);
  }

  // Where events come from, besides the rows: the recorder writes them. Stays where it is when this moves;
  // null until take_events() was called.
  void take_events() { events_ = std::make_unique<event_queue>(); }
  [[nodiscard]] event_queue* events() const noexcept { return events_.get(); }

  [[nodiscard]] bool add_row(const T& now) noexcept {
    detail::put_component(row_.data(), now);
    return rows_.add(row_);
  }
  [[nodiscard]] bool is_full() const noexcept { return rows_.full(); }
  [[nodiscard]] std::size_t max_rows() const noexcept { return rows_.most_rows(); }
  [[nodiscard]] std::size_t max_block_size() const noexcept { return rows_.largest_size(); }
  void write_block(byte_writer& out) noexcept { rows_.write(out); }
  void clear_rows() noexcept { rows_.clear(); }

 private:
  row_encoder(shape&& described, const block_options& options)
      : row_(component_size<T>), rows_(described, options) {}

  byte_vector row_;
  block_writer rows_;
  std::unique_ptr<event_queue> events_;
};

}  // namespace tickreel::tracks
