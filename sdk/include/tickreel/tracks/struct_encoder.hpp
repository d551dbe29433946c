// Encodes structs that are described at run time as rows of column blocks; row_encoder.hpp is for described types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "tickreel/describe/native_struct.hpp"
#include "tickreel/tracks/row_block.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::tracks {

// One struct of a ring, whose memory the encoder owns.
struct struct_state {
  std::byte* bytes = nullptr;
};

// The source of the memory for the structs in the ring, to which push() copies. Neither function throws.
struct slot_memory {
  // Called once, when the recorder is opened, and null if there is not enough memory.
  void* (*allocate)(void* user, std::size_t bytes, std::size_t alignment) = [](void*, std::size_t bytes,
                                                                               std::size_t alignment) {
    return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
  };
  // Called once, when the recorder is destroyed or cannot be opened.
  void (*release)(void* user, void* memory, std::size_t bytes) = [](void*, void* memory, std::size_t) {
    ::operator delete(memory, std::align_val_t(cache_line_bytes));
  };
  void* user = nullptr;
};

// A block_encoder and an encoder_with_slots. Allocates all its memory on creation and for the slots of the ring.
class struct_encoder : public row_block {
 public:
  using state_type = struct_state;
  static constexpr std::string_view encoder_name = rows_name;
  // Known when the struct is.
  std::uint32_t encoder_version;

  // `of` is not null. invalid_argument if its declarations name unknown or unsuitable members.
  static result<struct_encoder> create(std::shared_ptr<const native_struct> of,
                                       const block_options& options = {}, const slot_memory& slots = {}) {
    auto columns = shape_of(of->described());
    if (!columns) return fail(columns.error());
    return struct_encoder(std::move(of), *columns, options, slots);
  }

  [[nodiscard]] const native_struct& described() const noexcept { return *of_; }

  // out_of_memory if the source of the memory has none, invalid_argument if what it returns is not aligned.
  result<void> reserve_slots(std::size_t count) {
    const std::size_t bytes = (count + 1) * slot_bytes();
    const slot_memory& from = memory_.get_deleter().from;
    memory_.get_deleter().bytes = bytes;
    memory_.reset(static_cast<std::byte*>(from.allocate(from.user, bytes, cache_line_bytes)));
    next_slot_ = memory_.get();
    if (next_slot_ == nullptr) {
      return fail(error_code::out_of_memory, error::no_offset, "the ring has {} bytes",
                  static_cast<std::int64_t>(bytes));
    }
    if (reinterpret_cast<std::uintptr_t>(next_slot_) % cache_line_bytes != 0) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "the ring's memory is not aligned to {} bytes",
                  static_cast<std::int64_t>(cache_line_bytes));
    }
    // Here and not in the first pushes, the system provides the pages.
    std::memset(next_slot_, 0, bytes);
    return {};
  }
  void prepare_slot(struct_state& one) noexcept {
    one.bytes = std::exchange(next_slot_, next_slot_ + slot_bytes());
  }

  [[nodiscard]] bool add_row(const struct_state& now) noexcept {
    of_->write_row(now.bytes, row_.data());
    return rows_.add(row_);
  }

 private:
  struct_encoder(std::shared_ptr<const native_struct>&& of, const shape& columns,
                 const block_options& options, const slot_memory& slots)
      : row_block(of->row_bytes(), columns, options),
        encoder_version(rows_version_for(of->row_bytes())),
        of_(std::move(of)),
        memory_(nullptr, {slots}) {}

  // No two slots share a cache line, which the writer reads while the game writes the next one. An odd number of lines
  // spreads the slots over all sets of a cache.
  [[nodiscard]] std::size_t slot_bytes() const noexcept {
    return ((of_->bytes() + cache_line_bytes - 1) / cache_line_bytes | 1) * cache_line_bytes;
  }

  std::shared_ptr<const native_struct> of_;
  struct release_slots {
    slot_memory from;
    std::size_t bytes = 0;
    void operator()(std::byte* memory) const { from.release(from.user, memory, bytes); }
  };
  std::unique_ptr<std::byte, release_slots> memory_;
  std::byte* next_slot_ = nullptr;
};

}  // namespace tickreel::tracks
