#include "echo_losses.hpp"

#include <utility>

#include "reels/unrecorded.hpp"

namespace tickreel::files {

namespace {

using account = echo::omission_tally::account;

// Lines that cannot be read are content of a source that restores its text.
std::vector<std::string> sentence_of_stored_lines(const echo_input& from, const source_losses& losses) {
  if (!from.restores_text()) return {};
  source_losses lines;
  lines.skipped_lines = losses.skipped_lines;
  lines.first_skipped_line = losses.first_skipped_line;
  lines.first_skipped_offset = losses.first_skipped_offset;
  lines.first_skipped_reason = losses.first_skipped_reason;
  return sentences(lines);
}

std::string sentence_of_missing_lines(const source_losses& losses) {
  source_losses lines;
  lines.missing_lines = losses.missing_lines;
  lines.first_missing_line = losses.first_missing_line;
  return sentences(lines).front();
}

// Bones are optional: ticks whose bones never arrived are complete without them.
bool is_bones(const account& each) noexcept {
  return each.kind == echo::omission_kind::unreadable_bones;
}

bool lacks_more_than_bones(const echo::omission_tally& tally) {
  return tally.total() != tally.count(echo::omission_kind::unreadable_bones);
}

// Ticks before a late beginning are missing, and so are their lines.
bool are_lines_accounted_for(const source_losses& losses) noexcept {
  return losses.begins_late || losses.marked_missing_lines;
}

void inspect_omissions(const source_losses& losses, verification& out) {
  for (const account& each : losses.left_out.accounts()) {
    const severity level = !is_bones(each)              ? severity::warning
                           : losses.counted_by_recorder ? severity::note
                                                        : severity::error;
    const std::uint64_t offset = each.first && each.first->line != 0 ? each.first->offset : error::no_offset;
    out.findings.push_back({level, offset, each.sentence});
  }
  for (const account& each : losses.unrecorded.accounts()) {
    out.findings.push_back({is_bones(each) ? severity::note : severity::warning, error::no_offset,
                            unrecorded_sentence(each.sentence)});
  }
  const bool left_out =
      losses.counted_by_recorder ? lacks_more_than_bones(losses.left_out) : !losses.left_out.empty();
  out.content_left_out = left_out || lacks_more_than_bones(losses.unrecorded) || losses.missing_lines != 0;
}

}  // namespace

std::vector<std::string> sentences_of_losses(const echo_input& from) {
  source_losses lost = from.losses();
  if (from.keeps_source_text() && lost.counted_by_recorder) {
    lost.left_out.keep_only({echo::omission_kind::replaced_text});
  } else if (from.keeps_source_text()) {
    lost.left_out.keep_only({echo::omission_kind::unreadable_bones, echo::omission_kind::replaced_text});
  }
  return sentences(lost);
}

void describe_losses(const echo_input& from, summary& out) {
  const source_losses losses = from.losses();
  for (const echo::omission_tally* each : {&losses.unrecorded, &losses.left_out}) {
    for (std::string& sentence : each->sentences()) out.left_out.push_back(std::move(sentence));
  }
  const bool lost_bones =
      !losses.counted_by_recorder && losses.left_out.count(echo::omission_kind::unreadable_bones) != 0;
  for (std::string& sentence : sentence_of_stored_lines(from, losses)) {
    out.left_out.push_back(std::move(sentence));
  }
  const bool lost_lines = losses.missing_lines != 0 && !are_lines_accounted_for(losses);
  if (losses.missing_lines != 0 && !lost_lines) out.left_out.push_back(sentence_of_missing_lines(losses));
  if (losses.skipped_lines != 0 || lost_lines || losses.damaged || lost_bones || !from.faults().empty()) {
    out.health = health::damaged;
  } else if (losses.cut_short || losses.begins_late) {
    out.health = health::incomplete;
  } else if (from.is_doubtful() || from.lost_to_date().places != 0) {
    out.health = health::recovered;
  }
}

void inspect_losses(const echo_input& from, verification& out) {
  for (const error& each : from.faults()) {
    error without_offset = each;
    without_offset.offset = error::no_offset;
    out.findings.push_back({severity::error, each.offset, tickreel::describe(without_offset)});
  }
  from.inspect(out.findings);
  const source_losses losses = from.losses();
  if (losses.missing_lines != 0) {
    const severity level = are_lines_accounted_for(losses) ? severity::warning : severity::error;
    out.findings.push_back({level, error::no_offset, sentence_of_missing_lines(losses)});
  }
  inspect_omissions(losses, out);
  for (std::string& sentence : sentence_of_stored_lines(from, losses)) {
    out.findings.push_back({severity::error, error::no_offset, std::move(sentence)});
    out.content_left_out = true;
  }
}

}  // namespace tickreel::files
