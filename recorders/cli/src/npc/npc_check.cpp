// tickreel npc check: finds what will look wrong in the game.
#include <memory>

#include "console/checks.hpp"
#include "npc_input.hpp"
#include "npc_verbs.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/samp_rec/check.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct check_arguments {
  std::vector<std::string> files;
  std::size_t findings = 20;
  bool json = false;
};

void add_spread(text::json_writer& json, std::string_view key, const samp_rec::spread& of) {
  json.key(key).begin_object().member("count", of.count).member("min", of.least).member("median", of.median);
  json.member("p95", of.p95).member("max", of.most).member("mean", of.mean).end_object();
}

void print_json(const std::string& file, const samp_rec::recording& read,
                const samp_rec::check_report& report) {
  const samp_rec::check_statistics& all = report.statistics;
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("file", file).member("kind", samp_rec::name(read.kind));
  using enum samp_rec::check_severity;
  json.member("ok", report.passes()).member("finding_count", report.total());
  json.member("defects", report.count(error))
      .member("warnings", report.count(warning))
      .member("notes", report.count(note));
  json.key("findings").begin_array();
  for (const samp_rec::check_finding& each : report.findings) {
    json.begin_object()
        .member("kind", samp_rec::name(each.kind))
        .member("severity", samp_rec::name(each.severity));
    json.member("block", each.block)
        .member("offset", each.offset)
        .member("time_ms", std::uint64_t{each.time_ms});
    json.member("measured", each.measured)
        .member("limit", each.limit)
        .member("unit", std::string_view(each.unit));
    json.member("message", samp_rec::describe(each)).end_object();
  }
  json.end_array().key("statistics").begin_object();
  json.member("blocks", all.blocks)
      .member("duration_ms", std::uint64_t{all.last_time_ms - all.first_time_ms});
  json.member("length_m", all.path_length_m).member("top_speed_mps", all.top_speed_m_per_s);
  add_spread(json, "moving_interval_ms", all.moving_interval_ms);
  add_spread(json, "idle_interval_ms", all.idle_interval_ms);
  add_spread(json, "rotation_length", all.rotation_length);
  add_spread(json, "displacement_per_velocity", all.displacement_per_velocity);
  add_spread(json, "heading_error_degrees", all.heading_error_degrees);
  json.end_object().end_object();
  standard_output().write_line(text);
}

void print_text(const std::string& file, const samp_rec::check_report& report, std::size_t most) {
  const samp_rec::check_statistics& all = report.statistics;
  using enum samp_rec::check_severity;
  std::string judgement = report.passes() ? "ok" : counted(report.count(error), "defect");
  if (const auto warnings = report.count(warning); warnings > 0)
    judgement += ", " + counted(warnings, "warning");
  if (const auto notes = report.count(note); notes > 0) judgement += ", " + counted(notes, "note");
  std::string text =
      fmt::format("{}: {}; {}, {}, {:.0f} m, at most {:.1f} m/s\n", printable(file), judgement,
                  counted(all.blocks, "block"), duration_text(all.last_time_ms - all.first_time_ms),
                  all.path_length_m, all.top_speed_m_per_s);
  // The most severe first, then in the order of the blocks.
  std::size_t shown = 0;
  for (const samp_rec::check_severity level : {error, warning, note}) {
    for (const samp_rec::check_finding& each : report.findings) {
      if (each.severity != level || shown == most) continue;
      text += fmt::format("  {:<8} {}\n", level == error ? "defect" : samp_rec::name(level),
                          samp_rec::describe(each));
      ++shown;
    }
  }
  if (report.total() > shown) text += fmt::format("  and {} more\n", report.total() - shown);
  standard_output().write(text);
}

int run(const check_arguments& arguments) {
  int code = done;
  const std::vector<std::string> files = rec_files(arguments.files);
  if (files.empty()) {
    report_error("found no .rec");
    return failed;
  }
  for (const std::string& file : files) {
    const auto read = read_rec(file, samp_rec::strictness::as_is);
    if (!read) {
      report_error(file, read.error());
      code = failed;
      continue;
    }
    const samp_rec::check_report report = samp_rec::check(*read);
    if (!report.passes()) code = failed;
    arguments.json ? print_json(file, *read, report) : print_text(file, report, arguments.findings);
    if (!standard_output().ok()) break;
  }
  return code;
}

}  // namespace

void add_npc_check(command& npc_app) {
  auto arguments = std::make_shared<check_arguments>();
  command& app = npc_app.add_subcommand("check", "Finds what will look wrong in the game");
  app.add_option("FILE", arguments->files, "Recordings, or folders with recordings").required();
  app.add_option("--findings", arguments->findings, "Maximum findings per file (20)").check(whole_number());
  app.add_flag("--json", arguments->json, "One JSON object per file and line, with statistics");
  app.notes =
      "Jumps, velocities that contradict the positions, headings against the motion, turns that no player "
      "can\n"
      "make, times that decrease or repeat, jumps in height, keys that contradict the speed. Only "
      "defects\n"
      "(damage, teleports, velocities without motion) make the exit code 1; warnings and notes, which "
      "recordings\n"
      "of players also have, do not.";
  app.examples = {"tickreel npc check npcmodes/recordings",
                  "tickreel npc check --json guard.rec | jq .statistics"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
