// Decodes ticks of changes: change_reader (changes.hpp) in place, for loops over the changes.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "change_models.hpp"

namespace tickreel::tracks {

// The contract is that of change_reader.
class change_decoder {
 public:
  change_decoder(std::vector<shape> kinds, float_coding floats)
      : models_(std::move(kinds), floats), coder_({}) {}
  void restart() noexcept { models_.restart(); }

  result<void> open(byte_span tick, std::uint64_t most) {
    coder_ = range_decoder(tick);
    left_ = 0;
    std::uint64_t count = 0;
    range_decoder::at_work coder(coder_);
    models_.code_count(coder, count);
    coder.done();
    if (count > most) {
      return fail(error_code::over_limit, error::no_offset, "{} changes, of at most {}",
                  static_cast<std::int64_t>(count), static_cast<std::int64_t>(most));
    }
    left_ = count;
    record_ = std::uint64_t{0} - 1;
    kind_ = 0;
    return {};
  }

  result<bool> next(record_change& out) {
    if (left_ == 0) return false;
    --left_;
    std::uint64_t distance = 0;
    std::uint32_t kind = 0;
    range_decoder::at_work coder(coder_);
    models_.code_place(coder, distance, kind);
    coder.done();
    const std::uint64_t from = record_ + 1;  // 0 for none yet
    const bool rises = distance != 0 || (from != 0 && kind > kind_);
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!rises || distance > most + 1 - from || kind >= models_.shapes().size()) {
      left_ = 0;
      return fail(error_code::malformed, error::no_offset, "changes that do not rise");
    }
    record_ = from + distance - 1;
    kind_ = kind;
    out = {static_cast<std::uint32_t>(record_), kind, {}, {}};
    return true;
  }

  result<void> apply(mutable_byte_span value) {
    const shape& of = models_.shapes()[kind_];
    if (value.size() != of.row_bytes) {
      left_ = 0;
      return fail(error_code::malformed, error::no_offset, "a change of {} byte{s}, of a record of {}",
                  of.row_bytes, static_cast<std::int64_t>(value.size()));
    }
    range_decoder::at_work coder(coder_);
    models_.code_values(coder, kind_, value.data(), value.data());
    coder.done();
    return {};
  }

 private:
  change_models models_;
  range_decoder coder_;
  std::uint64_t left_ = 0;
  std::uint64_t record_ = 0;
  std::uint32_t kind_ = 0;
};

}  // namespace tickreel::tracks
