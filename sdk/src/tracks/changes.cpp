#include "tickreel/tracks/changes.hpp"

#include <limits>

#include "change_models.hpp"

namespace tickreel::tracks {

namespace {

// A symbol takes at most 2 bytes, and a number at most 5 symbols, 64 bits and a sign.
constexpr std::size_t bytes_of_head = max_tick_head_bytes;
constexpr std::size_t bytes_of_column = 24;
constexpr std::size_t bytes_of_byte = 4;

}  // namespace

std::size_t max_change_bytes(const shape& kind) noexcept {
  return bytes_of_head + kind.columns.size() * bytes_of_column + std::size_t{kind.row_bytes} * bytes_of_byte;
}

class change_writer::work {
 public:
  work(std::vector<shape> kinds, float_coding floats) : models_(std::move(kinds), floats) {}
  void prepare(std::size_t max_tick_bytes) {
    if (room_.size() < max_tick_bytes) room_.resize(max_tick_bytes);
    models_.prepare();
  }
  void restart() noexcept { models_.restart(); }

  void write(std::span<const record_change> changes, byte_vector& out) {
    std::size_t most = bytes_of_head;
    for (const record_change& one : changes) most += max_change_bytes(models_.shapes()[one.kind]);
    if (room_.size() < most) room_.resize(most);
    range_encoder all(room_);
    range_encoder::at_work coder(all);
    std::uint64_t count = changes.size();
    models_.code_count(coder, count);
    std::uint64_t before = std::uint64_t{0} - 1;
    for (const record_change& one : changes) {
      std::uint64_t distance = one.record - before;
      std::uint32_t kind = one.kind;
      models_.code_place(coder, distance, kind);
      before = one.record;
      // Only read.
      models_.code_values(coder, kind, one.before.data(), const_cast<std::byte*>(one.now.data()));
    }
    coder.done();
    const std::size_t size = all.finish();
    out.insert(out.end(), room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(size));
  }

 private:
  change_models models_;
  byte_vector room_;
};

class change_reader::work {
 public:
  work(std::vector<shape> kinds, float_coding floats) : models_(std::move(kinds), floats), coder_({}) {}
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

change_writer::change_writer(std::vector<shape> kinds, float_coding floats)
    : work_(std::make_unique<work>(std::move(kinds), floats)) {}
change_writer::~change_writer() = default;
change_writer::change_writer(change_writer&&) noexcept = default;
change_writer& change_writer::operator=(change_writer&&) noexcept = default;
void change_writer::prepare(std::size_t max_tick_bytes) {
  work_->prepare(max_tick_bytes);
}
void change_writer::restart() noexcept {
  work_->restart();
}
void change_writer::write(std::span<const record_change> changes, byte_vector& out) {
  work_->write(changes, out);
}

change_reader::change_reader(std::vector<shape> kinds, float_coding floats)
    : work_(std::make_unique<work>(std::move(kinds), floats)) {}
change_reader::~change_reader() = default;
change_reader::change_reader(change_reader&&) noexcept = default;
change_reader& change_reader::operator=(change_reader&&) noexcept = default;
void change_reader::restart() noexcept {
  work_->restart();
}
result<void> change_reader::open(byte_span tick, std::uint64_t most) {
  return work_->open(tick, most);
}
result<bool> change_reader::next(record_change& out) {
  return work_->next(out);
}
result<void> change_reader::apply(mutable_byte_span value) {
  return work_->apply(value);
}

}  // namespace tickreel::tracks
