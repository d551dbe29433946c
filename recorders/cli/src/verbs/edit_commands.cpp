// tickreel anonymise, recompress, strip-voice and sign: write a modified copy of a recording.
#include <fmt/format.h>

#include <algorithm>

#include "console/checks.hpp"
#include "console/codec_arguments.hpp"
#include "console/console.hpp"
#include "console/format_lists.hpp"
#include "console/shell_word.hpp"
#include "console/verb.hpp"
#include "edit_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/key_file.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct sign_arguments : edit_arguments {
  std::string key;
  std::uint32_t interval_ticks = 30;
  bool replace = false;
};

struct anonymise_arguments : edit_arguments {
  std::string salt;
};

struct recompress_arguments : edit_arguments {
  codec_arguments codec;
};

std::string formats_for(std::string_view verb) {
  using files::format;
  return verb == "anonymise"    ? formats_with(&format::anonymise)
         : verb == "recompress" ? formats_with(&format::recompress)
         : verb == "sign"       ? formats_with(&format::sign)
         : verb == "compact"    ? formats_with(&format::compact)
                                : formats_with(&format::strip_voice);
}

// Whether its recorder has not ended it: it runs, or it died.
bool is_unfinished(const std::string& file) {
  const auto opened = files::open(file);
  if (!opened) return false;
  const auto known = (*opened)->quick_summary();
  return known && std::ranges::find(known->facts, "live", &files::fact::key) != known->facts.end();
}

// A remedy if the reason alone does not contain one.
std::string advice(std::string_view verb, const edit_arguments& arguments, const error& what) {
  if (what.code == error_code::unsupported_operation) {
    const auto found = files::detect(arguments.file);
    const std::string able = formats_for(verb);
    const bool is_reel = found && (*found)->edit_advice != nullptr && verb != "compact";
    if (found && (is_reel || able.find((*found)->extension) == std::string::npos)) {
      return fmt::format(
          "{} takes {}{}", verb, able,
          verb == "recompress"
              ? "; for a reel of your own game use 'tickreel compact', for others 'tickreel convert'"
          : is_reel ? "; 'tickreel convert' makes an .icrep from a reel of a match"
                    : "");
    }
  }
  if (what.code == error_code::wrong_state && is_unfinished(arguments.file)) {
    return fmt::format("'tickreel recover {}' makes a finished file of it", shell_word(arguments.file));
  }
  if (what.code == error_code::wrong_state && verb == "sign") return "--replace replaces existing signatures";
  return {};
}

int report(std::string_view verb, const edit_arguments& arguments, const result<files::edit_report>& outcome,
           std::string_view summary) {
  if (!outcome) {
    // The name of the copy is wrong, not the recording.
    if (outcome.error().code == error_code::invalid_argument && files::detect(arguments.file)) {
      return report_usage(
          fmt::format("{}: {}", printable(arguments.output), std::string_view(outcome.error().detail)));
    }
    const file_path about = file_of(outcome.error(), arguments.file, arguments.output);
    report_error(about, outcome.error());
    if (const std::string next = advice(verb, arguments, outcome.error()); !next.empty()) report_advice(next);
    return failed;
  }
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object();
    files::add_file_member(arguments.file, json);
    json.member("output", arguments.output);
    json.member("bytes", outcome->bytes).member("changes", outcome->changes);
    for (const files::fact& each : outcome->facts) {
      std::visit([&](const auto& value) { json.member(each.key, value); }, each.value);
    }
    for (const auto& [key, list] : {std::pair("notes", &outcome->notes), std::pair("lost", &outcome->lost)}) {
      json.key(key).array(*list);
    }
    json.end_object();
    standard_output().write_line(text);
  } else {
    standard_output().write(
        fmt::format("{}: {}{}\n", printable(arguments.output), summary, bytes_text(outcome->bytes)));
  }
  for (const std::string& each : outcome->notes) report_note(arguments.output, each);
  for (const std::string& each : outcome->lost) report_note(arguments.output, each);
  return outcome->lost.empty() ? done : done_with_loss;
}

template <class Options>
Options options_of(const edit_arguments& arguments, progress_bar& bar) {
  Options options{};
  options.overwrite = arguments.force;
  options.watch = bar.monitor();
  return options;
}

int run_anonymise(const anonymise_arguments& arguments) {
  const auto format = files::detect(arguments.file);
  if (!arguments.salt.empty() && format && (*format)->echo == nullptr) {
    return report_usage("--salt: only Echo VR supports consistent names in several files");
  }
  progress_bar bar("renaming " + arguments.file);
  auto options = options_of<files::edit_options>(arguments, bar);
  options.salt = arguments.salt;
  const auto outcome = files::anonymise(arguments.file, arguments.output, options);
  bar.clear();
  return report("anonymise", arguments, outcome,
                outcome ? counted(outcome->changes, "place") + " changed, " : std::string());
}

int run_strip_voice(const edit_arguments& arguments) {
  progress_bar bar("copying " + arguments.file);
  const auto outcome =
      files::strip_voice(arguments.file, arguments.output, options_of<files::edit_options>(arguments, bar));
  bar.clear();
  return report("strip-voice", arguments, outcome, "without voice, ");
}

// "41.2 % of 1.2 MB, " if the edit reported both.
std::string size_change(const result<files::edit_report>& outcome) {
  std::string summary;
  if (outcome) {
    for (const files::fact& each : outcome->facts) {
      const auto* before = std::get_if<std::int64_t>(&each.value);
      if (each.key == "bytes_before" && before != nullptr && *before > 0) {
        summary = fmt::format("{:.1f} % of {}, ",
                              100.0 * static_cast<double>(outcome->bytes) / static_cast<double>(*before),
                              bytes_text(static_cast<std::uint64_t>(*before)));
      }
    }
  }
  return summary;
}

int run_compact(const edit_arguments& arguments) {
  progress_bar bar("compacting " + arguments.file);
  const auto outcome =
      files::compact(arguments.file, arguments.output, options_of<files::edit_options>(arguments, bar));
  bar.clear();
  return report("compact", arguments, outcome, size_change(outcome));
}

int run_recompress(const recompress_arguments& arguments) {
  progress_bar bar("compressing " + arguments.file);
  auto options = options_of<files::recompress_options>(arguments, bar);
  const auto format = files::detect(arguments.file);
  options.codec = arguments.codec.options(format ? (*format)->name : "");
  if (const std::string wrong = codec_arguments::wrong_level(options.codec); !wrong.empty()) {
    return report_usage(wrong);
  }
  if (format) {
    if (const std::string wrong = codec_arguments::wrong_codec(options.codec, **format); !wrong.empty()) {
      return report_usage(wrong);
    }
  }
  const auto outcome = files::recompress(arguments.file, arguments.output, options);
  bar.clear();
  return report("recompress", arguments, outcome, size_change(outcome));
}

int run_sign(const sign_arguments& arguments) {
  const auto key = files::read_secret_key(arguments.key);
  if (!key) {
    report_error(arguments.key, key.error(), false);
    report_advice(key.error().code == error_code::not_found
                      ? fmt::format("'tickreel keygen {}' makes a key", shell_word(arguments.key))
                      : "--key takes the file of a secret key that 'tickreel keygen' made");
    return failed;
  }
  progress_bar bar("signing " + arguments.file);
  auto options = options_of<files::sign_options>(arguments, bar);
  options.key_seed = *key;
  options.interval_ticks = arguments.interval_ticks;
  options.replace = arguments.replace;
  const auto outcome = files::sign(arguments.file, arguments.output, options);
  bar.clear();
  return report("sign", arguments, outcome,
                outcome ? fmt::format("{} with the key {}, ", counted(outcome->changes, "signature"),
                                      files::key_text(files::public_key_of(*key)))
                        : std::string());
}

}  // namespace

void add_anonymise(command& program) {
  auto arguments = std::make_shared<anonymise_arguments>();
  command& app = program.add_subcommand("anonymise", "Replaces the names of people in a recording");
  arguments->add_to(app);
  app.add_option("--salt", arguments->salt,
                 "Echo VR: a secret text that gives a person the same new name in every file");
  app.notes =
      "Names become \"Player 1\", \"Player 2\", ... everywhere, also in chat. Signatures would be wrong, "
      "and\n"
      "are removed. In Echo VR recordings it also replaces user ids, session, address and team names, and\n"
      "encodes the ticks again. Exit code 3: fields remain that only the game can read, or ticks are lost.";
  app.examples = {"tickreel anonymise match.icrep -o public.icrep",
                  "tickreel anonymise match.butter -o public.butter --salt 'what only we know'",
                  "tickreel anonymise match.icrep -o public.icrep --json | jq .changes"};
  app.run = [arguments] { return run_anonymise(*arguments); };
}

void add_compact(command& program) {
  auto arguments = std::make_shared<edit_arguments>();
  command& app = program.add_subcommand(
      "compact", "Recompresses a finished recording of your own game to its smallest size");
  arguments->add_to(app);
  app.notes =
      "For reels that a program writes with tickreel::record<T>(). Only the size changes: any tick can\n"
      "still be read directly, a little slower. Other formats: 'tickreel recompress'.";
  app.examples = {"tickreel compact match.reel -o archive/match.reel"};
  app.run = [arguments] { return run_compact(*arguments); };
}

void add_recompress(command& program) {
  auto arguments = std::make_shared<recompress_arguments>();
  command& app =
      program.add_subcommand("recompress", "Compresses a recording again; its content stays unchanged");
  arguments->add_to(app);
  arguments->codec.add_to(app);
  app.notes =
      "Without --codec and --level: the format's best compression. An .icrep takes lz4 (levels "
      "3 to\n"
      "12) and none; its signatures stay valid.";
  app.examples = {"tickreel recompress match.icrep -o small.icrep",
                  "tickreel recompress match.icrep -o plain.icrep --codec none"};
  app.run = [arguments] { return run_recompress(*arguments); };
}

void add_strip_voice(command& program) {
  auto arguments = std::make_shared<edit_arguments>();
  command& app = program.add_subcommand("strip-voice", "Removes voice chat from a recording");
  arguments->add_to(app);
  app.notes =
      "Signatures of states stay valid. The content seal, which covers everything, would be wrong and is "
      "removed.";
  app.examples = {"tickreel strip-voice match.icrep -o silent.icrep"};
  app.run = [arguments] { return run_strip_voice(*arguments); };
}

void add_sign(command& program) {
  auto arguments = std::make_shared<sign_arguments>();
  command& app = program.add_subcommand("sign", "Signs a recording");
  arguments->add_to(app);
  app.add_option("--key", arguments->key, "File of the secret key, made by 'tickreel keygen'")
      .check(file_to_read())
      .required();
  app.add_option("--every", arguments->interval_ticks, "Ticks between signed states (30)")
      .check(between(1, 1'000'000));
  app.add_flag("--replace", arguments->replace, "Replace existing signatures");
  app.notes =
      "Signs the hash of the state at an interval, at keyframes and at the end. Each signature also covers\n"
      "everything recorded before it. 'tickreel verify --key' then checks that nothing was changed.";
  app.examples = {"tickreel keygen relay.key", "tickreel sign match.icrep --key relay.key -o signed.icrep",
                  "tickreel verify signed.icrep --key relay.key.pub"};
  app.run = [arguments] { return run_sign(*arguments); };
}

}  // namespace tickreel::cli
