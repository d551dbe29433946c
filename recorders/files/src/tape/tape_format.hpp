// The formats .tape and .nevrcap: captures of Echo VR by the nevr tools, versions 2 and 1.
#pragma once

#include "echo/echo_access.hpp"
#include "echo/echo_edits.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/tape/capture.hpp"

namespace tickreel::tape {
class record_reader;
}

namespace tickreel::files {

claim claims_tape(const probe& file) noexcept;
claim claims_nevrcap(const probe& file) noexcept;
std::optional<std::uint64_t> find_end_of_capture(byte_source& from, std::uint64_t file_bytes);
// Whether the last record of `records`, which is `record`, begins another capture.
bool begins_another_capture(const tape::record_reader& records, byte_span record) noexcept;
result<std::unique_ptr<recording>> open_capture_recording(const byte_source& from,
                                                          const open_options& options);
result<std::unique_ptr<echo_input>> open_capture(const byte_source& from, const echo_options& options);
result<void> check_capture(const byte_source& from);
result<void> write_tape_file(tick_feed& feed, const file_path& output, const convert_options& options,
                             convert_report& report);
result<void> write_nevrcap_file(tick_feed& feed, const file_path& output, const convert_options& options,
                                convert_report& report);
result<recover_report> recover_capture(const file_path& input, const file_path& output,
                                       const recover_options& options);

// For the readers of the page that have no decoder of captures: a zstd frame, which no other format begins with, or the
// header of a capture without compression.
inline claim claims_in_page(const probe& file) noexcept {
  byte_reader from(file.head);
  constexpr std::uint32_t zstd_magic = 0xFD2FB528;
  if (from.u32() == zstd_magic && from.ok()) return claim::plausible;
  byte_reader record(file.head);
  const std::uint64_t size = read_leb128(record);
  if (!record.ok() || size > record.remaining()) return claim::no;
  const bool is_header =
      tape::kind_of(record.bytes(static_cast<std::size_t>(size))) != tape::capture_kind::none;
  return is_header ? claim::plausible : claim::no;
}

constexpr echo_access tape_access{
    .open = &open_capture,
    .write = with_files(&write_tape_file),
};
constexpr echo_access nevrcap_access{
    .open = &open_capture,
    .write = with_files(&write_nevrcap_file),
};

constexpr codec_id capture_codecs[] = {codec_id::zstd};

constexpr format tape_format{
    .name = "tape",
    .extension = ".tape",
    .title = capture_title,
    .looks_like =
        "records of length and message, in zstd frames or plain, that begin with a header of version 2",
    .claims = only_in<page_reader::captures>(&claims_tape, &claims_in_page),
    .open = opened_by<page_reader::captures>(&open_capture_recording),
    .find_end = only_in<page_reader::captures>(&find_end_of_capture),
    .shown = {.stage = stage::arena, .reader = page_reader::captures},
    .holds = content::echo_ticks,
    .usual_codec = codec_id::zstd,
    .codecs = capture_codecs,
    .wrong_recovered_name = "this becomes a .tape: give the output such a name",
    .echo = opens(page_reader::captures) ? &tape_access : nullptr,
    .as_echo_output = {.is_exact = true, .leaves_content_out = true},
    .check = with_files(&check_capture),
    .recover = with_files(&recover_capture),
    .anonymise = with_files(&anonymise_echo),
    .recompress = with_files(&recompress_echo),
    .derive = with_files(&derive_echo),
};

constexpr format nevrcap_format = [] {
  format out = tape_format;
  out.name = "nevrcap";
  out.extension = ".nevrcap";
  out.looks_like = "records of length and message in a zstd stream that begin with a header of version 1";
  out.claims = only_in<page_reader::captures>(&claims_nevrcap, &claims_in_page);
  out.wrong_recovered_name = "this becomes a .nevrcap: give the output such a name";
  out.echo = opens(page_reader::captures) ? &nevrcap_access : nullptr;
  out.as_echo_output.has_keyframes = false;
  return out;
}();

}  // namespace tickreel::files
