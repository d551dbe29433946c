#include "icrep_layout.hpp"
#include "icrep_summary.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

bool same_error(const error& a, const error& b) noexcept {
  return a.code == b.code && a.offset == b.offset && a.detail == b.detail && a.values[0] == b.values[0];
}

finding signature_finding(const game::replay& match, const icrep::signature_report& report,
                          const open_options& options) {
  const std::uint64_t offset = report.state == icrep::signature_state::not_signed
                                   ? error::no_offset
                                   : match.file().header().signature.offset;
  const std::string signer = report.signer ? " with the key " + text::to_hex(*report.signer) : std::string();
  const std::string all = report.entries == 1
                              ? "the signature is valid"
                              : "all " + std::to_string(report.entries) + " signatures are valid";
  constexpr std::string_view not_proven =
      "orders, events, voice, names, outcome and the end of the recording are not signed";
  // A caller that passes a key wants the whole recording proven, and a seal can be removed by anyone.
  const severity of_states = options.trusted_key ? severity::error : severity::warning;
  switch (report.state) {
    case icrep::signature_state::not_signed:
      return {options.trusted_key ? severity::error : severity::note, offset, "unsigned"};
    case icrep::signature_state::states_only:
      return {of_states, offset,
              "signed states only" + signer + ": " + all + ", but " + std::string(not_proven)};
    case icrep::signature_state::whole:
      return {severity::note, offset,
              "signed" + signer + ": " + all + ", and so is the seal over everything"};
    case icrep::signature_state::incomplete:
      if (!report.sealed) {
        return {of_states, offset,
                "signed states only" + signer + ", and the recording is incomplete: " + all + ", but " +
                    std::string(not_proven)};
      }
      if (!report.ended) {
        return {severity::warning, offset,
                "signed" + signer + ", but the recording is incomplete: " + all +
                    " for what comes before tick " + std::to_string(report.signed_ticks) +
                    "; what comes later, names and outcome are not proven"};
      }
      return {severity::warning, offset,
              "signed" + signer + ", but the recording is incomplete: " + all + " for what is there"};
    case icrep::signature_state::tampered:
      break;
  }
  if (options.trusted_key && report.signer && *report.signer != *options.trusted_key) {
    return {severity::error, offset, "signed" + signer + ", which is not the one expected"};
  }
  finding out = finding_of(severity::error, report.why.value_or(error{error_code::checksum_mismatch}));
  out.message = "tampered: " + out.message;
  if (out.offset == error::no_offset) out.offset = offset;
  return out;
}

}  // namespace

content_findings check_content(const icrep::reader& file, const icrep::signature_report& signatures) {
  content_findings found;
  for (icrep::finding& each : file.verify()) {
    if (!file.facts().schema && icrep::is_of_undescribed_slot(each.what)) {
      ++found.not_checked;
    } else if (!signatures.why || !same_error(each.what, *signatures.why)) {
      found.all.push_back(std::move(each));
    }
  }
  return found;
}

verification verify_icrep(const game::replay& match, const open_options& options) {
  const icrep::reader& file = match.file();
  const icrep::signature_report signatures = options.trusted_key
                                                 ? icrep::verify_signatures_of(file, *options.trusted_key)
                                                 : file.verify_signatures();
  verification out;
  out.ticks = match.total_ticks();
  const content_findings found = check_content(file, signatures);
  for (const icrep::finding& each : found.all) {
    out.findings.push_back(finding_of(
        each.severity == icrep::severity::damage ? severity::error : severity::warning, each.what));
  }
  if (found.not_checked != 0) {
    out.findings.push_back({severity::warning, error::no_offset,
                            counted(found.not_checked, "keyframe is a delta", "keyframes are deltas") +
                                " that cannot be applied: the metadata do not describe the components"});
  }
  if (file.header().live) {
    out.findings.push_back({severity::warning, error::no_offset,
                            "the recording was not ended: it is still running, or its recorder died"});
  }
  for (const std::string& missing : parts_missing(match)) {
    out.findings.push_back(
        {match.missing_parts().empty() ? severity::note : severity::error, error::no_offset, missing});
  }
  if (const auto fixes = game::fixes_of(match.facts())) {
    out.findings.push_back({fixes->values == 0 ? severity::note : severity::warning, error::no_offset,
                            "the recorder fixed " + counted(fixes->texts, "text") +
                                " (not UTF-8, or too long) and left out " + counted(fixes->values, "value") +
                                " that readers reject"});
  }
  out.findings.push_back(signature_finding(match, signatures, options));
  // A caller that passes a key asks whether everything is proven.
  out.content_left_out = options.trusted_key && signatures.state == icrep::signature_state::incomplete;
  out.facts.push_back({"signature", std::string(name(signatures.state))});
  if (signatures.signer) out.facts.push_back({"signer", text::to_hex(*signatures.signer)});
  const bool sealed = signatures.sealed && signatures.state != icrep::signature_state::tampered;
  if (sealed) out.facts.push_back({"signed_ticks", static_cast<std::int64_t>(signatures.signed_ticks)});
  return out;
}

}  // namespace tickreel::files
