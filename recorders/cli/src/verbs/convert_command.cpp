// tickreel convert: from one format to another.
#include <fmt/format.h>

#include <map>
#include <set>

#include "console/checks.hpp"
#include "console/codec_arguments.hpp"
#include "console/console.hpp"
#include "console/format_lists.hpp"
#include "console/places_help.hpp"
#include "console/verb.hpp"
#include "convert_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

void add_cut(const std::optional<files::cut_place>& cut, text::json_writer& json) {
  if (!cut) return;
  const auto number = [&](std::string_view key, const std::optional<std::uint64_t>& value) {
    json.key(key);
    value ? json.value(*value) : json.null();
  };
  json.key("cut").begin_object();
  number("first_tick", cut->first_tick);
  number("last_tick", cut->last_tick);
  json.member("first_ms", cut->first_ms).member("last_ms", cut->last_ms);
  json.member("lead_in_ticks", cut->lead_in_ticks).member("lead_in_ms", cut->lead_in_ms).end_object();
}

// The source of a clip, and how much earlier it begins, if it does.
void report_cut(const convert_arguments& arguments, const std::optional<files::cut_place>& cut) {
  if (!cut) return;
  report_note(arguments.output, cut->sentence(arguments.input));
  if (const std::string start = cut->sentence_of_start(); !start.empty()) {
    report_note(arguments.output, start);
  }
}

void print_json(const convert_arguments& arguments, const files::convert_report& report) {
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  files::add_file_member(arguments.input, json);
  json.key("outputs").begin_array();
  for (const auto& each : report.files) json.value(each.utf8());
  json.end_array().member("ticks", report.ticks).member("bytes", report.bytes);
  json.member("frames_kept", report.kept_frames).member("frames_encoded", report.left_out.frames);
  json.key("lost").array(sentences(report.losses)).key("left_out").begin_object();
  json.member("unsupported_fields", report.left_out.unsupported_fields);
  json.member("clamped_values", report.left_out.clamped_values);
  json.member("transliterated_names", report.left_out.transliterated_names);
  json.member("forced_keyframes", report.left_out.forced_keyframes);
  json.end_object();
  add_cut(report.cut, json);
  json.end_object();
  standard_output().write_line(text);
}

// Values that the format cannot hold, per kind and in total.
void report_left_out(const files::convert_report& report) {
  for (const std::string& each : butter::sentences(report.left_out)) report_note(report.files.front(), each);
}

void report_done(const files::convert_report& report) {
  for (std::size_t each = 0; each < report.files.size(); ++each) {
    standard_output().write_line(printable(report.files[each].utf8()));
  }
  if (report.files.size() > 1) {
    std::string reasons;
    const auto add = [&](std::uint64_t count, const char* reason) {
      if (count != 0) reasons += (reasons.empty() ? "" : ", and ") + std::string(reason);
    };
    add(report.new_matches, "the session or the map changes inside");
    add(report.full_player_tables, "there are more than the 255 players that one .butter can hold");
    add(report.full_captures, "there are more ticks or players than one capture can hold");
    report_note(report.files.front(), fmt::format("{}: {}", reasons, counted(report.files.size(), "file")));
  }
  const double per_tick = static_cast<double>(report.bytes) / static_cast<double>(report.ticks);
  const std::string frames = report.kept_frames ? ", frames unchanged"
                             : report.left_out.frames != 0
                                 ? ", " + counted(report.left_out.frames, "frame") + " encoded"
                                 : "";
  report_note(report.files.front(),
              fmt::format("{}, {}, {:.0f} bytes per tick{}", counted(report.ticks, "tick"),
                          bytes_text(report.bytes), per_tick, frames));
}

std::string_view source_name(std::string_view from) noexcept {
  return from == files::any_recording ? "any recording" : from;
}

// For conversions with a format that is not Echo VR's.
int run(const convert_arguments& arguments, const files::conversion& how) {
  const std::string_view idle = !arguments.codec.profile.empty()      ? "--profile"
                                : arguments.codec.bone_errors         ? "--bone-error"
                                : !arguments.bones                    ? "--no-bones"
                                : arguments.repair                    ? "--repair"
                                : arguments.extra                     ? "--extra"
                                : arguments.attach && !how.can_attach ? "--attach"
                                                                      : "";
  if (!idle.empty()) {
    return report_usage(fmt::format("{} has no effect from {} to {}", idle, source_name(how.from), how.to));
  }
  files::conversion_options options;
  options.codec = arguments.codec.options(how.to);
  if (const std::string wrong = codec_arguments::wrong_level(options.codec); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.keyframe_interval_ticks = arguments.keyframe_interval_ticks;
  options.attach = arguments.attach;
  options.overwrite = arguments.force;
  options.range = arguments.range;
  progress_bar bar("converting " + arguments.input);
  options.watch = bar.monitor();
  const auto report = how.run(arguments.input, arguments.output, options);
  bar.clear();
  if (!report) {
    report_error(file_of(report.error(), arguments.input, arguments.output), report.error());
    return failed;
  }
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object();
    files::add_file_member(arguments.input, json);
    json.key("outputs").begin_array();
    for (const auto& each : report->files) json.value(each.utf8());
    json.end_array().member("ticks", report->ticks).member("bytes", report->bytes);
    json.key("lost").array(report->lost).key("left_out").array(report->left_out);
    add_cut(report->cut, json);
    json.end_object();
    standard_output().write_line(text);
  } else {
    for (const auto& each : report->files) standard_output().write_line(printable(each.utf8()));
    report_note(arguments.output,
                fmt::format("{}, {}", counted(report->ticks, "tick"), bytes_text(report->bytes)));
  }
  report_cut(arguments, report->cut);
  for (const std::string& each : report->left_out) report_note(arguments.output, each);
  for (const std::string& each : report->lost) report_note(arguments.input, each);
  return report->lost.empty() ? done : done_with_loss;
}

// Why the input, or a part of it, does not become the output's format.
std::string without_conversion(const convert_arguments& arguments, const files::format& source) {
  const bool is_part = !arguments.range.is_all();
  std::set<std::string_view> outputs;
  for (const files::conversion& each : files::conversions()) {
    if (each.from != source.name && (is_part || each.from != files::any_recording)) continue;
    if (is_part || !each.only_ranges) outputs.insert(each.to);
  }
  if (source.echo != nullptr) {
    for (const std::string_view each : files::echo_outputs()) outputs.insert(each);
  }
  if (outputs.empty()) {
    return fmt::format("{}: a part of a recording cannot be copied from {} files", arguments.input,
                       source.extension);
  }
  return fmt::format(
      "{}: {}{} files become {}. Name the output's format with --to (convert) or --format (clip), or by its "
      "extension",
      arguments.output, is_part ? "parts of " : "", source.extension,
      list_of(std::vector<std::string_view>(outputs.begin(), outputs.end())));
}

// An option that the format of the output cannot follow, as a sentence; empty if there is none.
std::string useless_option(const convert_arguments& arguments, const files::format& target) {
  const files::echo_output& output = target.as_echo_output;
  if (arguments.attach) return fmt::format("--attach has no effect on {}", target.extension);
  if (arguments.extra && !output.has_side_data) {
    return "--extra is for a .butter: the other formats hold all values";
  }
  if (!output.has_keyframes && arguments.keyframe_interval_ticks) {
    return fmt::format("--keyframe-interval: {} has no keyframes", target.extension);
  }
  if (output.is_exact && !arguments.codec.profile.empty()) {
    return fmt::format("--profile is for a .butter or a reel: {} is exact", target.extension);
  }
  if (!arguments.codec.bone_errors) return {};
  if (!output.may_have_bone_errors) {
    return fmt::format("--bone-error is for a .reel, not for {}", target.extension);
  }
  if (!arguments.codec.profile.empty()) {
    return "--bone-error and --profile: a reel has either columns or frames of a .butter";
  }
  return arguments.bones ? "" : "--bone-error has no effect with --no-bones";
}

int convert(const convert_arguments& arguments) {
  const std::string wanted = arguments.to.empty() ? files::format_of_name(arguments.output) : arguments.to;
  const bool is_part = !arguments.range.is_all();
  const auto how = files::find_conversion(arguments.input, wanted, is_part);
  if (!how) {
    report_error(arguments.input, how.error());
    return failed;
  }
  // A part of a reel keeps its frames unchanged unless an option of Echo VR requires other ones.
  const bool encodes = arguments.keyframe_interval_ticks || !arguments.codec.profile.empty() ||
                       !arguments.codec.codec.empty() || arguments.codec.level != 0 || !arguments.bones ||
                       arguments.codec.bone_errors || arguments.repair;
  const bool other_frames = is_part && encodes && *how != nullptr && (*how)->from == (*how)->to;
  const files::format* const source = *how != nullptr ? files::find_format((*how)->from) : nullptr;
  const bool may_be_echo = source != nullptr && source->echo != nullptr;
  if (*how != nullptr && !(other_frames && may_be_echo)) return run(arguments, **how);
  files::convert_options options;
  const files::format* const target = files::echo_output_of(wanted);
  const auto known = files::detect(file_path(arguments.input));
  if (!known) {
    report_error(arguments.input, known.error());
    return failed;
  }
  // Why a format that is only written cannot be read is known to open().
  const bool has_echo = (*known)->echo != nullptr || (*known)->is_only_written;
  if (target == nullptr || !has_echo) return report_usage(without_conversion(arguments, **known));
  options.to = target->name;
  if (const std::string wrong = useless_option(arguments, *target); !wrong.empty())
    return report_usage(wrong);
  options.codec = arguments.codec.options(target->name);
  if (const std::string wrong = codec_arguments::wrong_level(options.codec); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.keyframe_interval_ticks = arguments.keyframe_interval_ticks;
  options.hold = arguments.codec.hold();
  options.bones = arguments.bones;
  options.bone_errors = arguments.codec.bone_errors;
  options.repair = arguments.repair;
  options.extra = arguments.extra;
  options.overwrite = arguments.force;
  options.range = arguments.range;
  if (const std::string wrong = codec_arguments::wrong_codec(options.codec, *target); !wrong.empty()) {
    return report_usage(wrong);
  }
  if (const std::string rare = codec_arguments::rare_codec(options.codec, *target); !rare.empty()) {
    report_note(arguments.output, rare);
  }
  progress_bar bar("converting " + arguments.input);
  options.watch = bar.monitor();
  auto report = files::convert(file_path(arguments.input), arguments.output, options);
  bar.clear();
  if (!report) {
    report_error(file_of(report.error(), arguments.input, arguments.output), report.error());
    return failed;
  }
  if (arguments.json) {
    print_json(arguments, *report);
  } else {
    report_done(*report);
  }
  report_cut(arguments, report->cut);
  report_left_out(*report);
  for (const std::string& each : sentences(report->losses)) report_note(arguments.input, each);
  return report->lossy_source() ? done_with_loss : done;
}

}  // namespace

int run_conversion(const convert_arguments& arguments) {
  // Before the output may get the input's name.
  const auto trailing = files::find_trailing_bytes(file_path(arguments.input));
  const int code = convert(arguments);
  // A conversion reads no address, which alone could fail here.
  if (!trailing || !*trailing || (code != done && code != done_with_loss)) return code;
  report_note(arguments.input, (*trailing)->sentence());
  return done_with_loss;
}

namespace {

// "butter, echoreplay, reel -> butter, echoreplay, reel" and a line for each other source.
std::string conversion_table() {
  std::map<std::string_view, std::string> becomes;
  for (const files::conversion& each : files::conversions()) {
    if (each.only_ranges) continue;
    std::string& list = becomes[each.from];
    if (!list.empty()) list += ", ";
    list += each.to;
  }
  const std::string of_echo = fmt::format("{}", fmt::join(files::echo_outputs(), ", "));
  std::string text = fmt::format("  Echo VR: {0} -> {0}\n", of_echo);
  for (const auto& [from, to] : becomes) text += fmt::format("  {} -> {}\n", source_name(from), to);
  return text;
}

std::set<std::string> targets() {
  std::set<std::string> names;
  for (const std::string_view each : files::echo_outputs()) names.emplace(each);
  for (const files::conversion& each : files::conversions()) names.emplace(each.to);
  return names;
}

// --to is a format or, together with --from, a place in the recording; both may be given.
int run(convert_arguments arguments, const std::string& from, const std::vector<std::string>& to) {
  if (std::vector own = {arguments.input}; !arguments.part.keep_own(own)) return done;
  std::string last;
  const std::set<std::string> formats = targets();
  for (const std::string& each : to) {
    std::string& meant = formats.contains(each) ? arguments.to : last;
    if (!meant.empty()) return report_usage(fmt::format("--to {} and --to {}: give only one", meant, each));
    meant = each;
  }
  if (const std::string wrong = files::read_range(from, last, arguments.range); !wrong.empty()) {
    return report_usage(wrong);
  }
  if (const std::string wrong = arguments.codec.read_bone_error(); !wrong.empty()) return report_usage(wrong);
  return run_conversion(arguments);
}

}  // namespace

void add_convert(command& program) {
  auto arguments = std::make_shared<convert_arguments>();
  command& app = program.add_subcommand("convert", "Writes a recording in another format");
  app.add_option("IN", arguments->input, "Input recording; its format is detected by its content").required();
  app.add_option("OUT", arguments->output, "Output file; its extension selects the format")
      .required()
      .check(file_to_write());
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::vector<std::string>>();
  arguments->part.add_to(app);
  app.add_option("--from", *from, "Start of the part to convert, as in 'tickreel clip'");
  app.add_option("--to", *to,
                 "A format: that of the output, whatever its extension; a place: the end of the part")
      .one_each_time();
  arguments->codec.add_to(app);
  arguments->codec.add_profile_to(app);
  arguments->codec.add_bone_error_to(app);
  app.add_option("--keyframe-interval", arguments->keyframe_interval_ticks,
                 "Ticks between keyframes (300; in a reel 60)")
      .check(between(1, 65535));
  app.add_flag("--bones,!--no-bones", arguments->bones, "Keep skeletons (default) or omit them");
  app.add_flag("--repair", arguments->repair, "Reverse known defects of the .butter writer where possible");
  app.add_flag("--extra", arguments->extra,
               "Write NAME.extra.json beside a .butter, with values that it cannot hold; readers use it "
               "automatically");
  app.add_flag("--attach", arguments->attach, "Store the input itself in an .mcap, too");
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes =
      "Conversions:\n" + conversion_table() + "Codecs: " + codecs_of_outputs() + ".\n" +
      "A .butter holds one session on one map. The next session or map goes to OUT-2.butter, and so on.\n"
      "Between two .butter files, frames are copied bit for bit unless an option requires new ones.\n" +
      std::string(places_help);
  app.examples = {"tickreel convert match.echoreplay match.butter",
                  "tickreel convert match.butter match.echoreplay",
                  "tickreel convert old.butter new.butter --repair --keyframe-interval 300",
                  "tickreel convert match.echoreplay plain.echoreplay --codec none",
                  "tickreel convert match.butter goal.echoreplay --from clock:08:30 --to clock:08:00"};
  app.run = [arguments, from, to] { return run(*arguments, *from, *to); };
}

}  // namespace tickreel::cli
