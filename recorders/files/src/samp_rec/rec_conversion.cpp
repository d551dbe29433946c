#include "rec_conversion.hpp"

#include "byte_stream.hpp"
#include "paths.hpp"
#include "rec_file.hpp"
#include "rec_layouts.hpp"
#include "rec_text.hpp"
#include "rec_text_reader.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t flush_bytes = 256u << 10;

result<void> check_options(const file_path& input, const file_path& output,
                           const conversion_options& options) {
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a .rec and its texts have neither compression nor keyframes");
  }
  return {};
}

std::string remark(rec_text_form kind, std::string_view key, std::string_view value, bool is_number) {
  std::string out;
  if (kind == rec_text_form::csv) {
    ((out = "# samp_rec ") += key) += '=';
    out += value;
  } else {
    ((out = "{\"samp_rec\":{\"") += key) += "\":";
    if (!is_number) out += '"';
    out += value;
    if (!is_number) out += '"';
    out += "}}";
  }
  out += '\n';
  return out;
}

result<conversion_report> write_text(rec_text_form kind, const file_path& input, const file_path& output,
                                     const conversion_options& options) {
  if (auto fine = check_options(input, output, options); !fine) return fail(fine.error());
  auto from = rec_file::open(input);
  if (!from) return fail(from.error());
  const samp_rec::file_shape shape = from->shape();
  if (samp_rec::is_vcmp(shape.layout)) {
    return fail(error_code::unsupported_operation, error::no_offset, "only SA-MP's .rec becomes text");
  }
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());

  std::string text;
  // A file without blocks, or without a header, is not told by its columns alone.
  if (shape.header_bytes == 0) text += remark(kind, "header_bytes", "0", true);
  const bool tells_layout =
      kind == rec_text_form::csv ? shape.layout != samp_rec::block_layout::none : shape.block_count != 0;
  if (!tells_layout) text += remark(kind, "layout", samp_rec::name(shape.layout), false);
  std::optional<error> failure;
  with_rec_block(shape.layout, [&]<class Block>(std::type_identity<Block>) {
    if (kind == rec_text_form::csv) {
      std::string columns;
      append_rec_columns<Block>(columns);
      (text += columns) += '\n';
    }
    for (std::uint64_t i = 0; i < shape.block_count; ++i) {
      const auto bytes = from->block(i);
      if (!bytes) return (void)(failure = bytes.error());
      const auto block = rec_block<Block>(*bytes);
      if (kind == rec_text_form::csv) {
        append_rec_row(block, text);
      } else {
        append_rec_number(i, false, text += "{\"tick\":");
        text += ',';
        append_rec_members(block, {}, text);
        text += '}';
      }
      text += '\n';
      if (text.size() < flush_bytes) continue;
      options.watch.report(shape.block_offset(i), shape.file_bytes);
      if (options.watch.stop()) return (void)(failure = error{error_code::interrupted});
      if (auto written = to->append(as_bytes(text)); !written) return (void)(failure = written.error());
      text.clear();
    }
  });
  if (failure) return fail(*failure);
  if (shape.tail_bytes != 0) {
    const auto tail = from->tail();
    if (!tail) return fail(tail.error());
    text += remark(kind, "tail", text::to_hex(*tail), false);
  }
  if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
  conversion_report report;
  report.ticks = shape.block_count;
  report.bytes = to->size();
  report.files = {output};
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

// Header, blocks and tail of a file, in pieces.
class rec_output {
 public:
  explicit rec_output(published_file& to) noexcept : to_(to) {}

  result<void> add(byte_span bytes) {
    held_.insert(held_.end(), bytes.begin(), bytes.end());
    return held_.size() < flush_bytes ? result<void>{} : flush();
  }
  result<void> flush() {
    auto written = to_.append(held_);
    held_.clear();
    return written;
  }

 private:
  published_file& to_;
  byte_vector held_;
};

result<conversion_report> write_rec(rec_text_reader& from, const file_path& output,
                                    const conversion_options& options) {
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  rec_output out(*to);
  std::array<std::byte, samp_rec::legacy_vehicle_block::wire_bytes> room;
  std::uint64_t blocks = 0;
  bool begun = false;
  const auto begin = [&]() -> result<void> {
    begun = true;
    const auto layout = from.layout();
    if (!layout) return fail(error_code::malformed, 0, "no line says what kind of recording this is");
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
    if (blocks % (1u << 14) == 0) {
      options.watch.report(from.offset(), from.total_bytes());
      if (options.watch.stop()) return fail(error_code::interrupted);
    }
  }
  if (!begun) {
    if (auto started = begin(); !started) return fail(started.error());
  }
  if (auto added = out.add(from.tail()); !added) return fail(added.error());
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
  auto from = rec_text_reader::open(input, form);
  if (!from) return fail(from.error());
  return write_rec(**from, output, options);
}

}  // namespace

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
