// A part of an Echo VR recording as a source of ticks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "echo_input.hpp"
#include "tickreel/files/range.hpp"

namespace tickreel::files {

// Starts at the nearest position that an index or the first frames of chunks offer, and stops at the range's
// end. losses() are those in the range and at its borders. One thread at a time.
class ranged_echo final : public echo_source {
 public:
  ranged_echo(std::unique_ptr<echo_input> input, const tick_range& range)
      : input_(std::move(input)), range_(range), first_(std::make_unique<echo::state>()) {}

  // Moves to the range's first tick, which next() then returns; calls `passed` for every tick before it.
  // out_of_range, with the existing ticks, if the range contains none.
  result<void> find(const std::function<void(const echo::state&)>& passed = {});

  // Calls find() first, if it was not called.
  result<bool> next(echo::state& out) override;

  [[nodiscard]] std::string_view session_json() const noexcept override { return input_->session_json(); }
  [[nodiscard]] std::string_view bones_json() const noexcept override { return input_->bones_json(); }
  [[nodiscard]] bool keeps_source_text() const noexcept override { return input_->keeps_source_text(); }
  [[nodiscard]] std::string_view source_line() const noexcept override { return input_->source_line(); }
  [[nodiscard]] std::string_view text_before() const noexcept override { return input_->text_before(); }
  [[nodiscard]] std::string_view whole_line() const noexcept override { return input_->whole_line(); }
  // Only if the recording ends inside the range; otherwise that text follows other ticks.
  [[nodiscard]] std::string_view text_after() const noexcept override {
    return input_ended_ ? input_->text_after() : std::string_view{};
  }
  [[nodiscard]] bool restores_text() const noexcept override { return input_->restores_text(); }
  [[nodiscard]] bool is_doubtful() const noexcept override { return input_->is_doubtful(); }
  [[nodiscard]] loss_count lost_to_date() const noexcept override {
    return ended_ && losses_at_end_ ? lost_at_end_ : input_->lost_to_date();
  }
  [[nodiscard]] bool numbers_losses() const noexcept override { return input_->numbers_losses(); }
  result<void> rewind() override {
    found_ = false;
    return {};
  }
  [[nodiscard]] source_losses losses() const override {
    source_losses all = ended_ && losses_at_end_ ? *losses_at_end_ : input_->losses();
    if (input_->is_doubtful()) all.doubtful_ticks = taken_;
    return all;
  }
  [[nodiscard]] std::uint64_t bytes_done() const noexcept override { return input_->bytes_done(); }
  [[nodiscard]] std::uint64_t bytes_total() const noexcept override { return input_->bytes_total(); }

  [[nodiscard]] echo_input& input() noexcept { return *input_; }
  // The tick before the range, and the one that ended it, where their numbers are known: what was between them
  // and the range's ticks is lost.
  [[nodiscard]] std::optional<std::uint64_t> tick_before() const noexcept { return tick_before_; }
  [[nodiscard]] std::optional<std::uint64_t> tick_after() const noexcept { return tick_after_; }
  // Whether the range begins with the first readable tick: all ticks before it are lost.
  [[nodiscard]] bool begins_recording() const noexcept { return cut_.first_tick == first_readable_; }
  // Whether no tick follows the range: all ticks after it are lost.
  [[nodiscard]] bool ends_recording() const noexcept { return input_ended_; }
  // Of the ticks returned up to now.
  [[nodiscard]] const cut_place& place() const noexcept { return cut_; }

 private:
  [[nodiscard]] bool is_after_end(const echo::state& tick) const;
  [[nodiscard]] std::int64_t time_of(const echo::state& tick) const noexcept {
    return tick.recorded_time_ms - start_ms_;
  }
  void take(const echo::state& tick);
  // Reads up to the first tick that is not before `from`.
  result<void> go_to(const moment& from, const std::function<void(const echo::state&)>& passed);
  // Fails with the last tick of the recording.
  result<void> past_end();
  // Fails with the ticks on both sides of the range.
  [[nodiscard]] result<void> fail_no_tick() const;

  std::unique_ptr<echo_input> input_;
  tick_range range_;
  std::unique_ptr<echo::state> first_;
  std::int64_t start_ms_ = 0;
  bool has_numbers_ = true;
  bool found_ = false;
  bool first_given_ = false;
  bool ended_ = false;
  bool input_ended_ = false;
  std::uint64_t taken_ = 0;  // ticks of the range up to now
  cut_place cut_;
  std::optional<std::uint64_t> first_readable_;
  std::optional<std::uint64_t> tick_before_;
  std::optional<std::uint64_t> tick_after_;
  // The losses when the end of the range was reached: later ones do not belong to it.
  std::optional<source_losses> losses_at_end_;
  loss_count lost_at_end_;
};

}  // namespace tickreel::files
