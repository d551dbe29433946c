#include "tickreel/tracks/changes.hpp"

#include "change_decoder.hpp"

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

class change_reader::work : public change_decoder {
 public:
  using change_decoder::change_decoder;
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
