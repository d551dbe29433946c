// Records structs that are described at run time: record<T>() of tickreel.hpp without T.
//
//   auto unit = native_struct::create("unit", sizeof(unit), fields);
//   auto out = struct_recording<>::open("match.reel", *unit, {.ticks_per_second = 60});
//   out->push(&now);
//   out->close();
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "tickreel/describe/native_struct.hpp"
#include "tickreel/tickreel.hpp"
#include "tickreel/tracks/struct_encoder.hpp"

namespace tickreel {

// A struct of events, described at run time. Its address identifies it, so it must outlive the recordings.
class native_event {
 public:
  // invalid_argument for a struct of more than 1024 component bytes. `of` is not null.
  static result<std::unique_ptr<const native_event>> create(std::shared_ptr<const native_struct> of) {
    if (of->row_bytes() > tracks::max_event_bytes) {
      return fail(error_code::invalid_argument, error::no_offset, "an event of {} bytes; the limit is {}",
                  of->row_bytes(), tracks::max_event_bytes);
    }
    return std::unique_ptr<const native_event>(new native_event(std::move(of)));
  }
  [[nodiscard]] const native_struct& described() const noexcept { return *of_; }
  [[nodiscard]] const tracks::event_kind& kind() const noexcept { return kind_; }

 private:
  struct described_kind : tracks::event_kind {
    const native_struct* of = nullptr;
  };
  explicit native_event(std::shared_ptr<const native_struct>&& of) : of_(std::move(of)) {
    kind_.name = of_->name();
    kind_.type_signature = of_->name();
    kind_.bytes = of_->row_bytes();
    kind_.schema = [](const tracks::event_kind& self) {
      return to_bytes(static_cast<const described_kind&>(self).of->described());
    };
    kind_.of = of_.get();
  }

  std::shared_ptr<const native_struct> of_;
  described_kind kind_;
};

template <loss_policy Policy = loss_policy::drop_newest>
class struct_recording : public row_recording<tracks::struct_encoder, Policy> {
  using base = row_recording<tracks::struct_encoder, Policy>;

 public:
  // As record<T>(). `of` is not null. out_of_memory if `slots` has no memory for the ring.
  static result<struct_recording> open(const file_path& reel_path,
                                       const std::shared_ptr<const native_struct>& of,
                                       const recorder_options& options = {},
                                       std::vector<std::unique_ptr<reel::sink>> sinks = {},
                                       const tracks::slot_memory& slots = {}) {
    recorder_options adapted = detail::options_for_rows(options, of->described(), of->bytes());
    if (auto fits = detail::limit_memory(adapted, of->described(), of->bytes()); !fits) {
      return fail(fits.error());
    }
    // Enough for any game, and the number of bytes fits into 32 bits.
    constexpr std::uint64_t max_ring_memory = 1u << 30;
    if (std::uint64_t{adapted.ring_ticks} * (of->bytes() + 2 * cache_line_bytes) > max_ring_memory) {
      return fail(error_code::over_limit, error::no_offset, "a ring of {} ticks of {} bytes",
                  static_cast<std::int64_t>(adapted.ring_ticks), static_cast<std::int64_t>(of->bytes()));
    }
    auto encoder = tracks::struct_encoder::create(
        of, {.max_rows = tracks::rows_within(of->row_bytes(), adapted.seal_bytes)}, slots);
    if (!encoder) return fail(encoder.error());
    encoder->take_events();
    auto opened = recorder<tracks::struct_encoder, Policy>::open(reel_path, std::move(*encoder), adapted,
                                                                 std::move(sinks));
    if (!opened) return fail(opened.error());
    return struct_recording(std::move(*opened), reel_path, of->bytes());
  }

  // As recorder::push(), of the struct at `from`.
  bool push(const void* from) noexcept { return push(this->state_->producer.next_stamp(), from); }
  bool push(frame_stamp stamp, const void* from) noexcept {
    return this->capture(
        stamp, [&](tracks::struct_state& to) noexcept { std::memcpy(to.bytes, from, struct_bytes_); });
  }

  using base::event;
  // As recording<T>::event(), of the struct at `happened`.
  bool event(const native_event& of, const void* happened) noexcept {
    return this->push_event(of.kind(), [&](std::byte* bytes) noexcept {
      of.described().write_row(static_cast<const std::byte*>(happened), bytes);
    });
  }
  // Counts an event that the caller could not describe, and returns false.
  bool refuse_event() noexcept {
    this->state_->producer.count(this->state_->producer.events_refused);
    return false;
  }

 private:
  struct_recording(recorder<tracks::struct_encoder, Policy>&& opened, const file_path& path,
                   std::size_t struct_bytes) noexcept
      : base(std::move(opened), path), struct_bytes_(struct_bytes) {}

  std::size_t struct_bytes_;
};

}  // namespace tickreel
