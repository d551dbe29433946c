// tickreel npc edit: cuts, joins and turns recordings without a script.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "console/checks.hpp"
#include "npc_input.hpp"
#include "npc_verbs.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/samp_rec/edit.hpp"
#include "tickreel/samp_rec/writer.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct edit_arguments {
  std::string input;
  std::string output;
  std::vector<double> cut_s;
  std::vector<std::string> join;
  double blend_s = 1;
  bool here = false;
  bool reverse = false;
  bool backwards = false;
  double retime = 1;
  double duration_s = 0;
  std::vector<double> shift_m;
  double rotate_degrees = 0;
  std::vector<double> pivot_m;
  std::optional<double> mirror_heading;
  double smooth_s = 0;
  std::uint32_t resample_ms = 0;
  std::uint32_t repeat = 1;
  bool train = false;
  bool force = false;
  bool json = false;
};

std::uint32_t milliseconds(double seconds) {
  return static_cast<std::uint32_t>(std::llround(std::clamp(seconds, 0.0, 4e6) * 1000));
}

// Returns false, with a message, if a longer recording would end after the largest time of a block.
template <class Block>
bool can_last(const std::vector<Block>& blocks, double duration_ms, std::string_view option,
              const edit_arguments& how) {
  if (samp_rec::fits_times(blocks.front().time_ms, duration_ms)) return true;
  report_error(fmt::format("{}: {}: the recording would take {:.0f} hours, but times of blocks end after {}",
                           printable(how.input), option, duration_ms / 3'600'000,
                           duration_text(std::numeric_limits<std::uint32_t>::max())));
  return false;
}

template <class Block>
double duration_ms_of(const std::vector<Block>& blocks) {
  return static_cast<double>(blocks.back().time_ms) - static_cast<double>(blocks.front().time_ms);
}

// Returns false, with a message, if the result has more blocks than readers take: one wrong time at the end
// would need millions.
template <class Block>
bool can_resample(const std::vector<Block>& blocks, const edit_arguments& how) {
  const std::uint32_t duration_ms = blocks.back().time_ms - blocks.front().time_ms;
  const std::uint32_t needed = duration_ms / how.resample_ms;
  if (needed < samp_rec::limits{}.blocks) return true;
  report_error(
      fmt::format("{}: --resample {}: {} would need {} blocks, at most {} are read: resample with a "
                  "longer step, or --cut the part whose times are right",
                  how.input, how.resample_ms, duration_text(duration_ms), needed, samp_rec::limits{}.blocks));
  return false;
}

// In the order of the options in the help. Returns false after a message.
template <class Block>
bool apply(std::vector<Block>& blocks, const std::vector<std::vector<Block>>& more,
           const edit_arguments& how) {
  namespace edit = samp_rec;
  if (blocks.empty()) return true;
  const auto special = how.train ? edit::special_view::train_speed : edit::special_view::raw;
  if (!how.cut_s.empty()) {
    const std::uint32_t first = blocks.front().time_ms;
    blocks = edit::cut<Block>(blocks, first + milliseconds(how.cut_s[0]), first + milliseconds(how.cut_s[1]),
                              {.start_at_zero = true, .exact_ends = true});
  }
  for (const std::vector<Block>& each : more) {
    if (blocks.empty() || each.empty()) continue;
    const double parts_ms = duration_ms_of(blocks) + duration_ms_of(each) + how.blend_s * 1000 + 1000;
    if (!can_last(blocks, parts_ms, "--join", how)) return false;
    blocks = edit::join<Block>(blocks, each, {.rebase = how.here, .blend_ms = milliseconds(how.blend_s)});
  }
  if (how.reverse || how.backwards) {
    blocks = edit::reversed<Block>(
        blocks, how.backwards ? edit::reverse_style::backwards : edit::reverse_style::turned_round, special);
  }
  if (blocks.empty()) return true;
  if (!can_last(blocks, duration_ms_of(blocks) * how.retime, "--retime", how)) return false;
  if (how.retime != 1) edit::retime(std::span(blocks), how.retime, special);
  if (!can_last(blocks, how.duration_s * 1000, "--duration", how)) return false;
  if (how.duration_s > 0) edit::retime_to(std::span(blocks), milliseconds(how.duration_s), special);
  if (!how.shift_m.empty()) {
    edit::shift(std::span(blocks),
                edit::vector3{static_cast<float>(how.shift_m[0]), static_cast<float>(how.shift_m[1]),
                              static_cast<float>(how.shift_m[2])});
  }
  edit::vector3 pivot = blocks.empty() ? edit::vector3{} : blocks.front().position_m;
  if (!how.pivot_m.empty())
    pivot = {static_cast<float>(how.pivot_m[0]), static_cast<float>(how.pivot_m[1]), 0};
  if (how.rotate_degrees != 0) edit::rotate_about_z(std::span(blocks), how.rotate_degrees, pivot);
  if (how.mirror_heading) edit::mirror(std::span(blocks), *how.mirror_heading, pivot);
  if (how.smooth_s > 0) blocks = edit::smoothed<Block>(blocks, milliseconds(how.smooth_s));
  if (how.resample_ms > 0 && !blocks.empty()) {
    if (!can_resample(blocks, how)) return false;
    blocks = edit::resampled<Block>(blocks, {.step_ms = how.resample_ms});
  }
  if (!can_last(blocks, duration_ms_of(blocks) * how.repeat, "--repeat", how)) return false;
  if (how.repeat > 1) blocks = edit::repeated<Block>(blocks, how.repeat);
  return true;
}

template <class Block>
int edit_and_write(samp_rec::recording& first, const std::vector<samp_rec::recording>& others,
                   const edit_arguments& how) {
  std::vector<Block> blocks = first.blocks<Block>();
  std::vector<std::vector<Block>> more;
  for (const samp_rec::recording& each : others) more.push_back(each.blocks<Block>());
  if (how.repeat > 1 && blocks.size() * std::uint64_t{how.repeat} > samp_rec::limits{}.blocks) {
    return report_usage("--repeat: more blocks than readers take");
  }
  if (!apply(blocks, more, how)) return failed;
  if (blocks.empty()) {
    report_error(fmt::format("{}: nothing is left", how.input));
    return failed;
  }
  // The writer refuses blocks that the game cannot play.
  auto out = published_file::create(how.output, how.force);
  result<void> written = out ? result<void>() : result<void>(fail(out.error()));
  samp_rec::writer<Block> writer;
  byte_vector piece(64 * 1024);
  std::size_t filled = 0;
  const auto flush = [&] {
    if (written) written = out->append(byte_span(piece).first(filled));
    filled = 0;
  };
  if (written) {
    byte_writer to(piece);
    written = writer.begin(to);
    filled = to.size();
  }
  for (std::size_t i = 0; i < blocks.size() && written; ++i) {
    if (piece.size() - filled < Block::wire_bytes) flush();
    byte_writer to(mutable_byte_span(piece).subspan(filled));
    if (written) written = writer.append(blocks[i], to);
    filled += to.size();
  }
  flush();
  if (written) written = out->commit();
  if (!written) {
    report_error(how.output, written.error());
    return failed;
  }
  const std::int64_t duration_ms = blocks.back().time_ms - blocks.front().time_ms;
  if (how.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("file", how.input).member("output", how.output);
    json.member("blocks", std::uint64_t{blocks.size()})
        .member("bytes", writer.bytes())
        .member("duration_ms", duration_ms);
    json.end_object();
    standard_output().write_line(text);
  } else {
    standard_output().write_line(fmt::format("{}: {}, {}, {}", printable(how.output),
                                             counted(blocks.size(), "block"), duration_text(duration_ms),
                                             bytes_text(writer.bytes())));
  }
  return done;
}

int run(const edit_arguments& arguments) {
  if (!arguments.cut_s.empty() && arguments.cut_s[1] <= arguments.cut_s[0])
    return report_usage("--cut: FROM is not before TO");
  int code = done;
  auto first = read_rec_in_order(arguments.input, code);
  if (!first) return code;
  const auto format = files::detect(file_path(arguments.input));
  if (!format) {
    report_error(arguments.input, format.error());
    return failed;
  }
  if (const auto fits = files::check_output_name(**format, arguments.output); !fits) {
    return report_usage(
        fmt::format("{}: {}", printable(arguments.output), std::string_view(fits.error().detail)));
  }
  bool lossy = report_loss(arguments.input, *first);
  std::vector<samp_rec::recording> others;
  for (const std::string& file : arguments.join) {
    auto read = read_rec_in_order(file, code);
    if (!read) return code;
    lossy = report_loss(file, *read) || lossy;
    if (read->kind != first->kind) {
      report_error(fmt::format("{}: cannot join a recording {} and one {}", file, samp_rec::name(first->kind),
                               samp_rec::name(read->kind)));
      return failed;
    }
    others.push_back(std::move(*read));
  }
  const int made = first->kind == samp_rec::recording_kind::on_foot
                       ? edit_and_write<samp_rec::on_foot_block>(*first, others, arguments)
                       : edit_and_write<samp_rec::vehicle_block>(*first, others, arguments);
  return made == done && lossy ? done_with_loss : made;
}

}  // namespace

void add_npc_edit(command& npc_app) {
  auto arguments = std::make_shared<edit_arguments>();
  command& app = npc_app.add_subcommand("edit", "Cuts, joins, rotates and retimes a recording");
  app.add_option("IN", arguments->input, "A recording of any layout").required();
  app.add_option("OUT", arguments->output, "Output recording").required().check(file_to_write());
  app.add_option("--cut", arguments->cut_s, "FROM TO: keep this part, in seconds or as 01:05")
      .values(2)
      .check(seconds_with_unit())
      .check(not_negative());
  app.add_option("--join", arguments->join, "Append another recording").check(file_to_read()).one_each_time();
  app.add_option("--blend", arguments->blend_s,
                 "Duration of the transition between two recordings in seconds (1; 0: none)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, 60.0));
  app.add_flag("--here", arguments->here,
               "Move and rotate the appended recording to start where the first ends");
  app.add_flag("--reverse", arguments->reverse, "Reverse, facing the direction of motion");
  app.add_flag("--backwards", arguments->backwards, "Reverse, facing as before");
  app.add_option("--retime", arguments->retime, "Multiply the duration by this factor")
      .check(finite_number())
      .check(between(0.01, 100.0));
  app.add_option("--duration", arguments->duration_s, "Set the duration, in seconds or as 01:05")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.001, 4e6));
  app.add_option("--shift", arguments->shift_m, "X Y Z: move by these metres")
      .values(3)
      .check(finite_number());
  app.add_option("--rotate", arguments->rotate_degrees,
                 "Rotate by these degrees about a vertical axis, counter-clockwise")
      .check(finite_number());
  app.add_option("--pivot", arguments->pivot_m, "X Y: position of the axis (default: the first block)")
      .values(2)
      .check(finite_number());
  app.add_option("--mirror", arguments->mirror_heading, "Mirror at the vertical plane with this heading")
      .check(finite_number());
  app.add_option("--smooth", arguments->smooth_s, "Smooth over this many seconds to either side")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, 10.0));
  app.add_option("--resample", arguments->resample_ms, "Interval of the blocks in milliseconds")
      .check(between(5, 10'000));
  app.add_option("--repeat", arguments->repeat, "Number of repetitions").check(between(1, 100'000));
  app.add_flag("--train", arguments->train, "It is a train: its stored speed changes too");
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes = "Edits are applied in the order of this list.";
  app.examples = {"tickreel npc edit drive.rec lap.rec --cut 12.5 74",
                  "tickreel npc edit there.rec round.rec --join back.rec --blend 0.5",
                  "tickreel npc edit patrol.rec other_side.rec --rotate 180 --shift 0 40 0"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
