// tickreel verify: checks whether recordings are sound.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/shard.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/key_file.hpp"
#include "tickreel/files/line_comparison.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::cli {

namespace {

struct verify_options {
  std::vector<std::string> files;
  std::string key;
  std::string against;
  bool json = false;
  shard part;
};

std::string json_of(const std::string& file, std::string_view format, const files::verification& outcome) {
  std::string text;
  files::append_verification(file, format, outcome, text);
  return text + '\n';
}

std::string text_about(const std::string& file, const files::verification& outcome) {
  std::string text = fmt::format("{}: {}, {}\n", printable(file), outcome.ok() ? "ok" : "NOT OK",
                                 counted(outcome.ticks, "tick"));
  for (const files::finding& each : outcome.findings) {
    text += fmt::format("  {:<8} ", files::name(each.level));
    if (each.offset != error::no_offset) text += fmt::format("at offset {}: ", each.offset);
    text += printable(each.message) + "\n";
  }
  return text;
}

// A file that cannot be opened has one finding.
files::verification unopened(const error& what) {
  error without_offset = what;
  without_offset.offset = error::no_offset;
  return {.ticks = 0, .findings = {{files::severity::error, what.offset, describe(without_offset)}}};
}

// Only formats that support signatures report them.
bool has_signature(const files::verification& outcome) {
  return std::any_of(outcome.facts.begin(), outcome.facts.end(),
                     [](const files::fact& each) { return each.key == "signature"; });
}

// Adds the findings of compare_lines(). After a failure, `failed_one` is 1 if `against` is the cause.
result<void> compare(const std::string& file, const std::string& against, const files::monitor& watch,
                     files::verification& outcome, std::size_t& failed_one) {
  const auto compared = files::compare_lines(file, against, watch, &failed_one);
  if (!compared) return fail(compared.error());
  outcome.facts.push_back({"different_lines", static_cast<std::int64_t>(compared->different)});
  if (compared->not_compared != 0) {
    outcome.findings.push_back(
        {files::severity::error, error::no_offset,
         fmt::format("{} too long to be compared with {}",
                     counted(compared->not_compared, "line is", "lines are"), against)});
  }
  if (compared->different == 0) return {};
  outcome.findings.push_back({files::severity::error, error::no_offset,
                              fmt::format("{} of {} differ from {}: {}", compared->different,
                                          counted(compared->ticks, "tick"), against, compared->first)});
  return {};
}

file_outcome look_at(const std::string& file, const files::open_options& how, const std::string& against,
                     const files::monitor& watch, bool json) {
  file_outcome out;
  auto opened = files::open(file, how);
  if (!opened) {
    if (json) out.text = json_of(file, "", unopened(opened.error()));
    out.failure = opened.error();
    return out;
  }
  auto outcome = (*opened)->verify(watch);
  if (!outcome) {
    out.failure = outcome.error();
    return out;
  }
  const auto trailing = files::find_trailing_bytes(file_path(file));
  if (!trailing) {
    out.failure = trailing.error();
    return out;
  }
  if (*trailing) {
    outcome->findings.push_back({files::severity::error, (*trailing)->offset, (*trailing)->sentence()});
  }
  if (how.trusted_key && !has_signature(*outcome)) {
    outcome->findings.push_back({files::severity::error, error::no_offset,
                                 "not signed: recordings of this format carry no signatures"});
  }
  if (!against.empty()) {
    std::size_t failed_one = 0;
    if (auto compared = compare(file, against, watch, *outcome, failed_one); !compared) {
      out.failure = compared.error();
      if (failed_one == 1) out.failed_file = against;
      return out;
    }
  }
  out.sound = outcome->ok();
  // The missing ticks of a sound file, as every verb that reads all of it reports them.
  out.left_out = outcome->content_left_out || !(*opened)->losses().empty();
  out.text = json ? json_of(file, (*opened)->format(), *outcome) : text_about(file, *outcome);
  return out;
}

int run(verify_options& options) {
  if (!options.part.keep_own(options.files)) return done;
  files::open_options how;
  if (!options.key.empty()) {
    if (files::read_secret_key(options.key)) {
      return report_usage(
          fmt::format("--key {}: this is the secret key; keep it private, and name the public one, {}.pub",
                      printable(options.key), printable(options.key)));
    }
    const auto key = files::read_public_key(options.key);
    if (!key) {
      report_error(options.key, key.error(), false);
      report_advice(
          "--key takes the file of a public key (KEYFILE.pub of 'tickreel keygen'), or its 64 hexadecimal "
          "digits");
      return failed;
    }
    how.trusted_key = *key;
  }
  return run_batch(options.files, "verifying", [&](const std::string& file, const files::monitor& watch) {
    return look_at(file, how, options.against, watch, options.json);
  });
}

}  // namespace

void add_verify(command& program) {
  auto options = std::make_shared<verify_options>();
  command& app = program.add_subcommand("verify", "Checks whether recordings are sound");
  app.add_option("FILE", options->files, "Recordings of any format").required();
  app.add_option("--key", options->key,
                 "Public key that must have signed the recordings: a file or 64 hexadecimal digits")
      .check(file_to_read());
  app.add_option("--against", options->against,
                 "An .echoreplay, or a reel of one: compare the ticks' lines with its lines, byte for byte")
      .check(file_to_read());
  options->part.add_to(app);
  app.add_flag("--json", options->json, "One JSON object per file and line");
  app.notes =
      "Checks hashes, structure, keyframe cadence, value ranges and the order of times. Errors make the "
      "exit\n"
      "code 1; warnings and notes do not. It is 3 if a sound file has a loss: ticks lost while\n"
      "recording, a missing end, omitted values.";
  app.examples = {"tickreel verify match.butter", "tickreel verify match.icrep --key relay.key.pub",
                  "tickreel verify match.reel --against match.echoreplay",
                  "tickreel verify --json *.reel | jq -r 'select(.ok | not) | .file'"};
  app.run = [options] { return run(*options); };
}

}  // namespace tickreel::cli
