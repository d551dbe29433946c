// Writes .tape and .nevrcap captures. Each record is decoded again, and what a reader does not get back is
// reported.
#include "echo/echo_output.hpp"
#include "open_file.hpp"
#include "published_check.hpp"
#include "tape_format.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/tape/container.hpp"
#include "tickreel/tape/encoder.hpp"
#include "tickreel/tape/round_trip.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint32_t default_block_ticks = 100;  // that of the known writers
constexpr std::size_t max_block_bytes = 8u << 20;   // of records without a keyframe

// Compresses records into zstd frames and appends them to a file.
class block_file {
 public:
  static result<block_file> create(const file_path& output, const convert_options& options) {
    codec_options codec = options.codec.value_or(codec_options{.codec = codec_id::zstd});
    if (codec.codec != codec_id::zstd) {
      return fail(error_code::unsupported_codec, error::no_offset, "a capture is compressed with zstd");
    }
    auto packer = compressor::create(codec);
    if (!packer) return fail(packer.error());
    auto file = published_file::create(output, options.overwrite);
    if (!file) return fail(file.error());
    return block_file(std::move(*packer), std::move(*file));
  }

  // Empties `records`.
  result<void> append(byte_vector& records) {
    if (records.empty()) return {};
    if (auto packed = packer_.compress(records, packed_); !packed) return packed;
    if (auto added = file_.append(packed_); !added) return added;
    blocks_.push_back(
        {static_cast<std::uint32_t>(packed_.size()), static_cast<std::uint32_t>(records.size())});
    records.clear();
    return {};
  }
  result<void> append_table() {
    byte_vector table;
    tape::append_seek_table(blocks_, table);
    return file_.append(table);
  }

  [[nodiscard]] published_file& file() noexcept { return file_; }

 private:
  block_file(compressor packer, published_file file) : packer_(std::move(packer)), file_(std::move(file)) {}

  compressor packer_;
  published_file file_;
  byte_vector packed_;
  std::vector<tape::block_sizes> blocks_;
};

byte_span without_length(byte_span record) {
  byte_reader from(record);
  (void)read_leb128(from);
  return from.rest();
}

void append_record(byte_span record, byte_vector& out) {
  byte_vector length(leb128_max_size);
  byte_writer to(length);
  write_leb128(to, record.size());
  const byte_span written = to.written();
  out.insert(out.end(), written.begin(), written.end());
  out.insert(out.end(), record.begin(), record.end());
}

template <class Encoder>
constexpr bool keeps_records = requires(Encoder& encoder) { encoder.replace_frame({}); };

// The header of a .tape whose records become those of the output; else empty. Records depend on those before them, so a
// second output encodes.
template <class Encoder>
byte_span header_to_keep(tick_feed& feed, const convert_options& options) {
  const bool encodes =
      !keeps_records<Encoder> || options.keyframe_interval_ticks || !options.bones || feed.taken() > 1;
  return encodes ? byte_span() : feed.source().kept_capture_header();
}

// Writes one file. `Format` has append_header() and append_frame() of its encoder.
template <class Encoder, class AppendFrame, class Finish>
result<void> write_capture(tick_feed& feed, const file_path& output, const convert_options& options,
                           convert_report& report, std::string_view format, Encoder& encoder,
                           AppendFrame&& append_frame, Finish&& finish) {
  const std::uint32_t interval =
      std::clamp<std::uint32_t>(options.keyframe_interval_ticks.value_or(default_block_ticks), 1, 65535);
  auto tick = feed.current();
  if (!tick) return fail(tick.error());
  auto file = block_file::create(output, options);
  if (!file) return fail(file.error());
  const std::string session(*tick != nullptr ? (*tick)->match.sessionid.view() : std::string_view());
  const std::string map(*tick != nullptr ? (*tick)->match.map_name.view() : std::string_view());
  tape::capture_decoder decoder;
  tape::round_trip losses;
  const auto back = std::make_unique<echo::state>();
  const auto without_bones = std::make_unique<echo::state>();
  byte_vector records;
  std::vector<tape::keyframe> keyframes;
  const byte_span kept_header = header_to_keep<Encoder>(feed, options);
  if (*tick != nullptr) {
    encoder.append_header(**tick, records);
    if (!kept_header.empty()) {
      records.clear();
      append_record(kept_header, records);
    }
    if (auto begun = decoder.begin(without_length(records)); !begun) return begun;
    if constexpr (keeps_records<Encoder>) {
      if (!kept_header.empty()) encoder.replace_header(decoder.facts());
    }
    if (auto added = file->append(records); !added) return added;
  }
  std::uint64_t ticks = 0;
  while (*tick != nullptr) {
    const echo::state* from = *tick;
    if (from->match.sessionid.view() != session || from->match.map_name.view() != map) {
      ++report.new_matches;
      break;
    }
    if (encoder.is_full()) {
      ++report.full_captures;
      break;
    }
    if (!options.bones) {
      echo::copy_state(*without_bones, *from);
      without_bones->bones = echo::bones_kind::absent;
      without_bones->bone_player_count = 0;
      from = without_bones.get();
    }
    const byte_span kept = kept_header.empty() ? byte_span() : feed.source().kept_record();
    const bool is_keyframe = kept.empty() ? ticks % interval == 0 : tape::is_keyframe(kept);
    if (is_keyframe || records.size() > max_block_bytes) {
      if (auto added = file->append(records); !added) return added;
      if (is_keyframe) keyframes.push_back({ticks, file->file().size()});
    }
    const std::size_t begin = records.size();
    // Also where a record is kept: later ones may be encoded.
    append_frame(*from, is_keyframe, records);
    if (!kept.empty()) {
      records.resize(begin);
      append_record(kept, records);
    }
    const auto read = decoder.read(without_length(byte_span(records).subspan(begin)), *back);
    if (!read) return fail(read.error());
    if constexpr (keeps_records<Encoder>) {
      if (!kept.empty()) encoder.replace_frame(decoder.events());
    }
    losses.compare(*from, *back, ticks);
    ++ticks;
    feed.take();
    tick = feed.current();
    if (!tick) return fail(tick.error());
  }
  if (auto added = file->append(records); !added) return added;
  if (auto finished = finish(*file, keyframes, records); !finished) return finished;
  if (auto checked = check_published_file(file->file(), format); !checked) return checked;
  report.ticks += ticks;
  report.bytes += file->file().size();
  for (std::string& each : losses.sentences()) report.losses.places.push_back(std::move(each));
  return commit(file->file(), output, report);
}

}  // namespace

result<void> check_capture(const byte_source& from) {
  return check_first_tick(open_capture(from, {}));
}

result<void> write_tape_file(tick_feed& feed, const file_path& output, const convert_options& options,
                             convert_report& report) {
  tape::tape_encoder encoder;
  const auto with_slots = std::make_unique<echo::state>();
  return write_capture(
      feed, output, options, report, tape_format.name, encoder,
      [&](const echo::state& from, bool is_keyframe, byte_vector& out) {
        if (!tape::has_slot_twice(from)) return encoder.append_frame(from, is_keyframe, out);
        echo::copy_state(*with_slots, from);
        tape::number_slots(*with_slots);
        encoder.append_frame(*with_slots, is_keyframe, out);
      },
      [&](block_file& to, std::span<const tape::keyframe> keyframes, byte_vector& records) -> result<void> {
        encoder.append_footer(to.file().size(), keyframes, records);
        if (auto added = to.append(records); !added) return added;
        return to.append_table();
      });
}

result<void> write_nevrcap_file(tick_feed& feed, const file_path& output, const convert_options& options,
                                convert_report& report) {
  tape::nevrcap_encoder encoder;
  return write_capture(
      feed, output, options, report, nevrcap_format.name, encoder,
      [&](const echo::state& from, bool, byte_vector& out) { encoder.append_frame(from, out); },
      [](block_file&, std::span<const tape::keyframe>, byte_vector&) { return result<void>(); });
}

result<recover_report> recover_capture(const file_path& input, const file_path& output,
                                       const recover_options& options) {
  const auto found = detect(input);
  if (!found) return fail(found.error());
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  auto source = open_capture(*file, {.tolerant = true});
  if (!source) return fail(source.error());
  // The table is compared with every zstd frame, also with that of the header.
  if (auto back = (*source)->rewind(); !back) return fail(back.error());
  recover_report report;
  auto converted = convert_for_recovery(**source, (*found)->name, output, options, report);
  if (!converted) return fail(converted.error());
  const source_losses losses = (*source)->losses();
  report.lost = sentences(losses);
  report.left_out = std::move(converted->not_stored);
  std::vector<finding> tables;
  (*source)->inspect(tables);
  for (const finding& each : tables) {
    const bool is_the_end = losses.cut_short && each.offset == losses.ends_at;
    if (each.level != severity::error || is_the_end) continue;
    report.lost.push_back(each.message + "; the ticks were found without it");
  }
  return report;
}

}  // namespace tickreel::files
