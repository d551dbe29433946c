// Edits of .icrep files: applies the functions of encoders/icrep from one file to another.
#include <algorithm>

#include "byte_stream.hpp"
#include "icrep_format.hpp"
#include "icrep_layout.hpp"
#include "icrep_losses.hpp"
#include "icrep_summary.hpp"
#include "paths.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/key_file.hpp"
#include "tickreel/game/match.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/recover.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::files {

namespace {

// The largest offset of the format.
constexpr std::uint64_t max_edited_file_bytes = UINT32_MAX;

result<byte_vector> read_spool(const file_path& path, std::string_view suffix) {
  auto bytes = read_whole_file(path.utf8() + std::string(suffix), max_edited_file_bytes);
  if (!bytes && bytes.error().code == error_code::not_found) return byte_vector();
  return bytes;
}

result<std::uint64_t> write_file(const file_path& output, byte_span bytes, bool overwrite,
                                 const monitor& watch) {
  if (watch.stop()) return fail(error_code::interrupted);
  auto file = published_file::create(output, overwrite);
  if (!file) return fail(file.error());
  if (auto done = file->append(bytes); !done) return fail(done.error());
  if (auto done = file->commit(); !done) return fail(done.error());
  return bytes.size();
}

// Notes that the file is one part of a match in several files.
void note_part(byte_span file, std::vector<std::string>& to) {
  const auto opened = icrep::reader::open(file);
  const auto part = opened ? game::part_of(opened->facts()) : std::nullopt;
  if (!part) return;
  to.push_back("this is part " + std::to_string(part->number) + " of " + std::to_string(part->of) +
               " of a match: edit its other files one by one");
}

// Copies keep content that no reader can use, and lack what the file lacks. A mark of an incomplete recording that
// lacks nothing is not a loss of the copy. If `lost` has losses, missing content is among them.
void note_losses(byte_span file, std::vector<std::string>& lost, std::vector<std::string>& notes) {
  const auto opened = icrep::reader::open(file);
  if (!opened) return;
  const bool has_missing = !lost.empty();
  for (const icrep::finding& each : check_content(*opened, opened->verify_signatures()).all) {
    const bool is_damage = each.severity == icrep::severity::damage;
    if (has_missing && !is_damage) continue;
    (each.severity == icrep::severity::note ? notes : lost).push_back(describe(each.what));
  }
  const auto reported = icrep::lost_content_of(opened->facts());
  if (!has_missing && reported && reported->any()) append_reported_losses(*opened, lost);
}

// Notes what the copy of a match lacks or contains, and that the signatures of the match are not valid.
void note_findings(byte_span match, byte_span copy, edit_report& report) {
  note_losses(copy, report.lost, report.notes);
  if (const auto opened = icrep::reader::open(match)) append_invalid_signatures(*opened, report.lost);
}

std::string lost_signatures(byte_span match) {
  const auto opened = icrep::reader::open(match);
  const auto why = opened ? invalid_signatures_of(*opened) : std::nullopt;
  return why ? "the signatures, which were not valid (" + *why + ")"
             : "the signatures, which cover the whole recording";
}

// Reads the recording without trailing bytes: callers of the edits report those. Checks first that the output does
// not exist, to avoid wasted work.
result<byte_vector> read_input(const file_path& input, const file_path& output, bool overwrite) {
  if (!overwrite && path_exists(output)) return fail(error_code::already_exists);
  auto file = read_whole_file(input, max_edited_file_bytes);
  const auto header = file ? icrep::read_header(*file) : fail(file.error());
  if (header && !header->live) {
    file->resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), icrep::end_of_sections(*header))));
  }
  return file;
}

}  // namespace

result<recover_report> recover_icrep(const file_path& input, const file_path& output,
                                     const recover_options& options) {
  const auto file = read_input(input, output, options.overwrite);
  if (!file) return fail(file.error());
  const auto keyframes = read_spool(input, ".kf");
  const auto events = read_spool(input, ".ev");
  const auto voice = read_spool(input, ".vo");
  for (const auto* spool : {&keyframes, &events, &voice}) {
    if (!*spool) return fail(spool->error());
  }
  const auto saved = icrep::recover_file({*file, *keyframes, *events, *voice});
  if (!saved) return fail(saved.error());
  const auto bytes = write_file(output, saved->file, options.overwrite, options.watch);
  if (!bytes) return fail(bytes.error());
  recover_report report;
  report.ticks = saved->total_ticks;
  report.bytes = *bytes;
  if (saved->was_live) {
    report.lost.push_back("the recorder did not end properly: ticks after tick " +
                          std::to_string(saved->total_ticks == 0 ? 0 : saved->total_ticks - 1) +
                          ", and how the match ended");
  }
  if (saved->lost_ticks != 0) report.lost.push_back("the orders of " + counted(saved->lost_ticks, "tick"));
  if (saved->lost_keyframes != 0)
    report.lost.push_back(std::to_string(saved->lost_keyframes) + " or more keyframes");
  if (saved->damaged_blocks != 0) {
    report.lost.push_back(counted(saved->damaged_blocks, "damaged block") + " of orders, events or voice");
  }
  for (const error& each : saved->damage) report.lost.push_back(describe(each));
  if (saved->sorted_streams != 0) {
    report.left_out.emplace_back("events or voice whose ticks fell are in the order of their ticks");
  }
  if (saved->lost_metadata) {
    report.lost.push_back("what was written at the end about players and outcome");
  }
  if (saved->lost_resources) report.lost.push_back("the embedded resources");
  if (saved->lost_signatures) report.lost.push_back(lost_signatures(*file));
  note_losses(saved->file, report.lost, report.left_out);
  note_part(saved->file, report.lost);
  return report;
}

result<edit_report> anonymise_icrep(const file_path& input, const file_path& output,
                                    const edit_options& options) {
  const auto file = read_input(input, output, options.overwrite);
  if (!file) return fail(file.error());
  const auto opened = icrep::reader::open(*file);
  if (!opened) return fail(opened.error());
  icrep::anonymise_options how;
  how.texts = icrep_layout(opened->facts()).texts();
  how.keep_keys = {std::string(icrep_values_key)};
  const auto made = icrep::anonymise_file(*file, how);
  if (!made) return fail(made.error());
  const auto bytes = write_file(output, made->file, options.overwrite, options.watch);
  if (!bytes) return fail(bytes.error());
  edit_report report;
  note_findings(*file, made->file, report);
  note_part(*file, report.lost);
  report.bytes = *bytes;
  report.changes = made->changes;
  if (made->dropped_signature) report.notes.push_back("the signatures are no longer valid and were removed");
  if (made->has_voice) report.notes.push_back("voice was kept; 'tickreel strip-voice' removes it");
  if (made->unreadable_places != 0) {
    report.lost.push_back(std::to_string(made->unreadable_places) +
                          " data that only the game can decode, its own orders and states, may still "
                          "contain a name");
  }
  return report;
}

result<edit_report> recompress_icrep(const file_path& input, const file_path& output,
                                     const recompress_options& options) {
  const codec_options codec = options.codec.value_or(codec_options{.codec = codec_id::lz4, .level = 12});
  if (codec.codec != codec_id::lz4 && codec.codec != codec_id::none) {
    return fail(error_code::unsupported_codec, error::no_offset, "an .icrep supports lz4 and none");
  }
  const auto file = read_input(input, output, options.overwrite);
  if (!file) return fail(file.error());
  icrep::recompress_options how;
  how.compress = codec.codec == codec_id::lz4;
  how.level = codec.level;
  const auto made = icrep::recompress_file(*file, how);
  if (!made) return fail(made.error());
  const auto bytes = write_file(output, *made, options.overwrite, options.watch);
  if (!bytes) return fail(bytes.error());
  edit_report report;
  note_part(*file, report.notes);
  note_findings(*file, *file, report);
  report.bytes = *bytes;
  report.facts.push_back({"bytes_before", static_cast<std::int64_t>(file->size())});
  return report;
}

result<edit_report> strip_voice_of_icrep(const file_path& input, const file_path& output,
                                         const edit_options& options) {
  const auto file = read_input(input, output, options.overwrite);
  if (!file) return fail(file.error());
  const auto made = icrep::strip_voice(*file);
  if (!made) return fail(made.error());
  const auto bytes = write_file(output, made->file, options.overwrite, options.watch);
  if (!bytes) return fail(bytes.error());
  edit_report report;
  note_part(*file, report.notes);
  note_findings(*file, made->file, report);
  report.bytes = *bytes;
  report.changes = made->had_voice ? 1 : 0;
  if (!made->had_voice) report.notes.emplace_back("it contains no voice: copied");
  if (made->dropped_seal) {
    report.notes.push_back(
        "the seal over everything recorded is no longer valid and was removed: only states are signed");
  }
  return report;
}

result<edit_report> sign_icrep(const file_path& input, const file_path& output, const sign_options& options) {
  const auto file = read_input(input, output, options.overwrite);
  if (!file) return fail(file.error());
  const auto opened = icrep::reader::open(*file);
  const auto part = opened ? game::part_of(opened->facts()) : std::nullopt;
  if (part && part->of > 1) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "part {} of a match in {} files: only a match in one file can be signed", part->number,
                part->of);
  }
  icrep::sign_options how;
  how.interval_ticks = options.interval_ticks;
  how.replace = options.replace;
  const auto made = icrep::sign_file(*file, options.key_seed, how);
  if (!made) return fail(made.error());
  const auto bytes = write_file(output, made->file, options.overwrite, options.watch);
  if (!bytes) return fail(bytes.error());
  edit_report report;
  report.bytes = *bytes;
  report.changes = made->entries;
  report.facts.push_back({"signer", key_text(made->signer)});
  report.facts.push_back({"signatures", static_cast<std::int64_t>(made->entries)});
  report.facts.push_back({"skipped_ticks", static_cast<std::int64_t>(made->skipped_ticks)});
  report.facts.push_back({"covers_keyframes", made->covers_keyframes});
  note_losses(*file, report.lost, report.notes);
  if (!made->covers_keyframes) {
    report.notes.push_back(
        "the state hashes are the game's own: only the game can verify whether keyframes follow from the "
        "orders");
  }
  return report;
}

}  // namespace tickreel::files
