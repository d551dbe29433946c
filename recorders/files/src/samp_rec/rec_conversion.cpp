#include "rec_conversion.hpp"

#include <algorithm>

#include "byte_stream.hpp"
#include "paths.hpp"
#include "range_errors.hpp"
#include "rec_file.hpp"
#include "rec_layouts.hpp"
#include "rec_text.hpp"
#include "rec_text_reader.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/file.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t rec_flush_bytes = 256u << 10;

result<void> check_options(const file_path& input, const file_path& output,
                           const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a .rec and its texts have no compression and no keyframes");
  }
  return {};
}

// The blocks of a range. Times need not increase, so every block up to the last is read.
struct rec_part {
  std::uint64_t first = 0;
  std::uint64_t end = 0;  // not included
  std::optional<cut_place> place;
};

result<rec_part> part_of(rec_file& from, const tick_range& range) {
  const std::uint64_t count = from.shape().block_count;
  if (range.is_all()) return rec_part{0, count, std::nullopt};
  if (range.uses(moment::by::clock)) return fail(no_game_clock);
  rec_part part{count, count, cut_place{}};
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bytes = from.block(i);
    if (!bytes) return fail(bytes.error());
    // Every layout begins with its time.
    const std::int64_t time_ms = byte_reader(*bytes).u32();
    if (part.first == count) {
      if (range.from && is_before(*range.from, i, time_ms, std::nullopt)) continue;
      part.first = i;
      part.place->first_tick = i;
      part.place->first_ms = time_ms;
    }
    if (range.to && is_after(*range.to, i, time_ms, std::nullopt)) {
      part.end = i;
      break;
    }
    part.place->last_tick = i;
    part.place->last_ms = time_ms;
  }
  if (part.first == count) {
    return fail(error_code::out_of_range, error::no_offset, "the recording ends before that, with tick {}",
                static_cast<std::int64_t>(count) - 1);
  }
  if (part.first == part.end) {
    return fail(error_code::out_of_range, error::no_offset,
                "no tick is there: the next is tick {}, {} ms after the beginning",
                static_cast<std::int64_t>(part.first), part.place->first_ms);
  }
  return part;
}

result<conversion_report> write_text(rec_text_form kind, const file_path& input, const file_path& output,
                                     const conversion_options& options) {
  if (auto fine = check_options(input, output, options); !fine) return fail(fine.error());
  auto from = rec_file::open(input);
  if (!from) return fail(from.error());
  const samp_rec::file_shape shape = from->shape();
  if (samp_rec::is_vcmp(shape.layout)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only SA-MP's .rec can be converted to text");
  }
  const auto part = part_of(*from, options.range);
  if (!part) return fail(part.error());
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());

  std::string text = rec_text_before(kind, shape);
  std::optional<error> failure;
  with_rec_block(shape.layout, [&]<class Block>(std::type_identity<Block>) {
    if (kind == rec_text_form::csv) {
      std::string columns;
      append_rec_columns<Block>(columns);
      (text += columns) += '\n';
    }
    for (std::uint64_t i = part->first; i < part->end; ++i) {
      const auto bytes = from->block(i);
      if (!bytes) return (void)(failure = bytes.error());
      const auto block = rec_block<Block>(*bytes);
      if (kind == rec_text_form::csv) {
        append_rec_row(block, text);
      } else {
        append_rec_number(i, false, text += "{\"tick\":");
        text += ',';
        append_rec_members(block, {}, text);
        append_rec_meaning(block, text);
        text += '}';
      }
      text += '\n';
      if (text.size() < rec_flush_bytes) continue;
      options.watch.report(shape.block_offset(i), shape.file_bytes);
      if (options.watch.stop()) return (void)(failure = error{error_code::interrupted});
      if (auto written = to->append(as_bytes(text)); !written) return (void)(failure = written.error());
      text.clear();
    }
  });
  if (failure) return fail(*failure);
  if (shape.tail_bytes != 0 && part->end == shape.block_count) {
    const auto tail = from->tail();
    if (!tail) return fail(tail.error());
    text += rec_text_after(kind, *tail);
  }
  if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
  conversion_report report;
  report.ticks = part->end - part->first;
  report.cut = part->place;
  report.bytes = to->size();
  report.files = {output};
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

// Writes header, blocks and tail of a file in pieces; keeps its beginning and end, by which readers detect
// the layout.
class rec_output {
 public:
  explicit rec_output(published_file& to) noexcept : to_(to) {}

  result<void> add(byte_span bytes) {
    if (head_.size() < samp_rec::detect_head_bytes) {
      const byte_span rest = bytes.first(std::min(bytes.size(), samp_rec::detect_head_bytes - head_.size()));
      head_.insert(head_.end(), rest.begin(), rest.end());
    }
    if (tail_.size() > 16 * samp_rec::detect_tail_bytes) keep_end();
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
    total_ += bytes.size();
    held_.insert(held_.end(), bytes.begin(), bytes.end());
    return held_.size() < rec_flush_bytes ? result<void>{} : flush();
  }
  // The shape that readers will detect.
  result<samp_rec::file_shape> shape() {
    keep_end();
    return samp_rec::detect(head_, tail_, total_);
  }
  result<void> flush() {
    auto written = to_.append(held_);
    held_.clear();
    return written;
  }

 private:
  void keep_end() {
    if (tail_.size() <= samp_rec::detect_tail_bytes) return;
    tail_.erase(tail_.begin(), tail_.end() - static_cast<std::ptrdiff_t>(samp_rec::detect_tail_bytes));
  }

  published_file& to_;
  byte_vector held_;
  byte_vector head_;
  byte_vector tail_;
  std::uint64_t total_ = 0;
};

// The first line of a text that readers of a .rec would reject. A damaged file has a few such lines, which
// are converted back unchanged; a file that no reader would recognise is not written.
class first_fault {
 public:
  template <class Block>
  void look_at(const Block& block, std::uint64_t line, std::uint64_t offset) {
    if (detail_ != nullptr) return;
    using samp_rec::block_fault;
    switch (fault_of(block)) {
      case block_fault::none:
        if (std::uint64_t{block.time_ms} + samp_rec::detect_time_tolerance_ms < last_ms_)
          detail_ = "line {}: time goes back; no reader would accept the recording";
        break;
      case block_fault::not_finite:
      case block_fault::extras_not_finite:
        detail_ = "line {}: a number is missing; no reader would accept the recording";
        break;
      case block_fault::far_position:
        detail_ =
            "line {}: the position is farther than 20,000 m from the world's centre; no reader would accept "
            "the recording";
        break;
      case block_fault::rotation:
        detail_ = "line {}: the rotation is invalid; no reader would accept the recording";
        break;
    }
    last_ms_ = block.time_ms;
    line_ = line;
    offset_ = offset;
  }
  [[nodiscard]] tl::unexpected<error> refusal(const error& otherwise) const {
    if (detail_ == nullptr) return fail(otherwise);
    return fail(error_code::malformed, offset_, detail_, static_cast<std::int64_t>(line_));
  }

 private:
  const char* detail_ = nullptr;
  std::uint32_t last_ms_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t offset_ = 0;
};

result<conversion_report> write_rec(rec_text_reader& from, const file_path& output,
                                    const conversion_options& options) {
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  rec_output out(*to);
  std::array<std::byte, samp_rec::legacy_vehicle_block::wire_bytes> room;
  std::uint64_t blocks = 0;
  bool begun = false;
  first_fault fault;
  const auto begin = [&]() -> result<void> {
    begun = true;
    const auto layout = from.layout();
    if (!layout) return fail(error_code::malformed, 0, "no line declares the kind of the recording");
    if (from.header_bytes() == 0) return {};
    std::array<std::byte, samp_rec::file_header::wire_bytes> header_room;
    byte_writer header(header_room);
    write(header, samp_rec::file_header{samp_rec::file_header::samp_version, kind_of(*layout)});
    return out.add(header.written());
  };
  for (;;) {
    byte_writer block(room);
    const auto more = from.next(block);
    if (!more) return fail(more.error());
    if (!begun && (*more || from.layout())) {
      if (auto started = begin(); !started) return fail(started.error());
    }
    if (!*more) break;
    if (++blocks > samp_rec::limits{}.blocks) {
      return fail(error_code::over_limit, from.offset(), "a recording has at most {} blocks",
                  static_cast<std::int64_t>(samp_rec::limits{}.blocks));
    }
    if (auto added = out.add(block.written()); !added) return fail(added.error());
    with_rec_block(*from.layout(), [&]<class Block>(std::type_identity<Block>) {
      if constexpr (requires(Block one) { fault_of(one); })
        fault.look_at(rec_block<Block>(block.written()), from.line(), from.offset());
    });
    if (blocks % (1u << 14) == 0) {
      options.watch.report(from.offset(), from.total_bytes());
      if (options.watch.stop()) return fail(error_code::interrupted);
    }
  }
  if (!begun) {
    if (auto started = begin(); !started) return fail(started.error());
  }
  if (auto added = out.add(from.tail()); !added) return fail(added.error());
  if (blocks > 0) {
    const auto seen = out.shape();
    if (!seen) return fault.refusal(seen.error());
    if (seen->layout != *from.layout() || seen->block_count != blocks ||
        seen->header_bytes != from.header_bytes()) {
      return fault.refusal(error{error_code::malformed, 0, "these blocks would be read as another layout"});
    }
  }
  if (auto flushed = out.flush(); !flushed) return fail(flushed.error());
  conversion_report report;
  report.ticks = blocks;
  report.bytes = to->size();
  report.files = {output};
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

result<conversion_report> read_text(rec_text_form form, const file_path& input, const file_path& output,
                                    const conversion_options& options) {
  if (auto fine = check_options(input, output, options); !fine) return fail(fine.error());
  if (!options.range.is_all()) return fail(no_part_of_text);
  auto from = rec_text_reader::open(input, form);
  if (!from) return fail(from.error());
  return write_rec(**from, output, options);
}

}  // namespace

// Blocks are independent, so each may be the first; their times stay.
result<conversion_report> cut_rec(const file_path& input, const file_path& output,
                                  const conversion_options& options) {
  if (auto fine = check_options(input, output, options); !fine) return fail(fine.error());
  auto from = rec_file::open(input);
  if (!from) return fail(from.error());
  const samp_rec::file_shape shape = from->shape();
  if (shape.layout == samp_rec::block_layout::vcmp_packets) {
    return fail(error_code::unsupported_operation, error::no_offset, "VC-MP packets can only be read");
  }
  const auto part = part_of(*from, options.range);
  if (!part) return fail(part.error());
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  rec_output out(*to);
  const auto header = from->part(0, shape.header_bytes);
  if (!header) return fail(header.error());
  if (auto added = out.add(*header); !added) return fail(added.error());
  for (std::uint64_t i = part->first; i < part->end; ++i) {
    const auto bytes = from->block(i);
    if (!bytes) return fail(bytes.error());
    if (auto added = out.add(*bytes); !added) return fail(added.error());
    if (options.watch.stop()) return fail(error_code::interrupted);
  }
  const auto seen = out.shape();
  if (!seen || seen->layout != shape.layout || seen->block_count != part->end - part->first) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "so few blocks without a header would be read as another layout");
  }
  if (auto flushed = out.flush(); !flushed) return fail(flushed.error());
  conversion_report report;
  report.ticks = part->end - part->first;
  report.bytes = to->size();
  report.files = {output};
  report.cut = part->place;
  if (shape.tail_bytes != 0 && part->end == shape.block_count) {
    report.lost.push_back(counted(shape.tail_bytes, "byte") + " of a truncated last block");
  }
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

result<conversion_report> convert_rec_to_csv(const file_path& input, const file_path& output,
                                             const conversion_options& options) {
  return write_text(rec_text_form::csv, input, output, options);
}
result<conversion_report> convert_rec_to_ndjson(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  return write_text(rec_text_form::ndjson, input, output, options);
}
result<conversion_report> convert_csv_to_rec(const file_path& input, const file_path& output,
                                             const conversion_options& options) {
  return read_text(rec_text_form::csv, input, output, options);
}
result<conversion_report> convert_ndjson_to_rec(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  return read_text(rec_text_form::ndjson, input, output, options);
}

}  // namespace tickreel::files
