// tickreel cat and tickreel seek: ticks as NDJSON.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/places_help.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tick_line.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::cli {

namespace {

using files::moment;

struct cat_options {
  std::string file;
  std::string from;
  std::string to;
  bool repair = false;
};

struct seek_options {
  std::string file;
  std::optional<std::uint64_t> tick;
  std::optional<double> time;
  std::string clock;
  bool repair = false;
};

// The last tick that cat prints.
bool is_after(const std::optional<moment>& end, files::recording& at) {
  return end && files::is_after(*end, at.position().tick, at.position().time_ms, at.game_clock());
}

bool is_before(files::recording& from, const moment& place) {
  return files::is_before(place, from.position().tick, from.position().time_ms, from.game_clock());
}

// Whether no tick after that one is requested, except ticks that look the same from there.
bool is_last_wanted(const std::optional<moment>& end, files::recording& at) {
  if (!end) return false;
  constexpr double clock_rounding_s = 1e-4;
  switch (end->unit) {
    case moment::by::tick:
      return at.position().tick >= end->tick;
    case moment::by::time:
      break;
    case moment::by::clock:
      if (const auto clock = at.game_clock()) return *clock <= end->seconds + clock_rounding_s;
  }
  return static_cast<double>(at.position().time_ms) >= end->seconds * 1000 - 0.5;
}

// The losses right before the tick that was found, if it is not the requested one or if damage shifts the numbers
// of ticks; with a filter, all losses on the way to it. Moves the recording.
std::vector<std::string> losses_before_found(files::recording& at, const moment& asked) {
  if (at.is_shifted(asked.unit)) return at.losses();
  const std::uint64_t tick = at.position().tick;
  bool is_there = false;
  switch (asked.unit) {
    case moment::by::tick:
      if (tick != asked.tick) return at.losses();
      return {};
    case moment::by::time:
      is_there = static_cast<double>(at.position().time_ms) <= asked.seconds * 1000 + 0.5;
      break;
    case moment::by::clock:
      if (const auto clock = at.game_clock()) {
        constexpr double rounding_s = 1e-4;
        is_there = *clock >= asked.seconds - rounding_s;
      } else {
        is_there = static_cast<double>(at.position().time_ms) <= asked.seconds * 1000 + 0.5;
      }
      break;
  }
  if (is_there || tick == 0) return {};
  // From a preceding tick, further back until one is there: lost ticks are between that one and this.
  result<bool> more = true;
  for (std::uint64_t back = 1;; back = back > tick / 2 ? tick : 2 * back) {
    if (!at.seek(moment::at_tick(tick - back))) return at.losses();
    more = at.next();
    if (!more || !*more) return at.losses();
    if (at.position().tick < tick) break;
    if (back == tick) return at.losses();
  }
  const std::vector<std::string> before = at.losses();
  while (more && *more && at.position().tick < tick) more = at.next();
  std::vector<std::string> all = at.losses();
  if (all == before) all.clear();
  return all;
}

// After Ctrl-C, when the output lacks something.
int interrupted(const std::string& file) {
  report_error(file, error{error_code::interrupted, error::no_offset, "the output is not complete"});
  return failed;
}

int run_cat(const cat_options& options) {
  files::tick_range range;
  const std::string wrong = files::read_range(options.from, options.to, range);
  if (!wrong.empty()) return report_usage(wrong);
  const auto& [from, to] = range;
  auto opened = files::open(options.file, {.repair = options.repair});
  if (!opened) {
    report_error(options.file, opened.error());
    return failed;
  }
  files::recording& ticks = **opened;
  if (from) {
    let_stop_signals_end();
    const auto found = ticks.seek(*from);
    catch_stop_signals();
    if (!found) {
      report_error(options.file, found.error());
      // The requested tick may be lost.
      (void)report_losses(options.file, ticks.losses());
      return failed;
    }
  }
  bool any = false;
  // For the last requested tick, losses after it do not concern the answer.
  std::optional<std::vector<std::string>> losses_at_end;
  std::string line;
  if (!standard_output().write(ticks.lines_before())) return done;
  while (!stop_requested()) {
    // Decompression before the first tick may take long, and nothing is written yet.
    if (!any) let_stop_signals_end();
    auto more = ticks.next();
    if (!any) catch_stop_signals();
    if (!more) {
      report_error(options.file, more.error());
      return failed;
    }
    if (!*more) {
      const auto rest = ticks.lines_after();
      if (!rest) {
        report_error(options.file, rest.error());
        return failed;
      }
      if (!standard_output().write(*rest)) return done;
      std::vector<std::string> losses = ticks.losses();
      if (const auto checked = files::add_trailing_bytes(options.file, losses); !checked) {
        report_error(options.file, checked.error());
        return failed;
      }
      return report_losses(options.file, losses);
    }
    // A format whose states are sparse finds the state from which the place can be reached.
    if (from && is_before(ticks, *from)) continue;
    if (is_after(to, ticks)) {
      // read_range() has already rejected ranges of different units.
      const bool ordered = !from || (from->unit == to->unit && from->unit != moment::by::clock);
      if (losses_at_end) return report_losses(options.file, *losses_at_end);
      if (any || ordered || !ticks.losses().empty()) return report_losses(options.file, ticks.losses());
      report_error(fmt::format("{}: --to {} comes before --from {}", options.file, options.to, options.from));
      return failed;
    }
    any = true;
    if (!write_tick(ticks, line)) return stop_requested() ? interrupted(options.file) : done;
    if (is_last_wanted(to, ticks)) losses_at_end = ticks.losses();
  }
  return interrupted(options.file);
}

int run_seek(const seek_options& options) {
  if ((options.tick ? 1 : 0) + (options.time ? 1 : 0) + (options.clock.empty() ? 0 : 1) != 1) {
    return report_usage("seek needs exactly one of --tick, --time and --clock");
  }
  std::optional<moment> where;
  if (options.tick) where = moment::at_tick(*options.tick);
  if (options.time) where = moment::at_time(*options.time);
  // "8.30" with two decimals probably means 08:30, not 8.3 seconds.
  const std::size_t point = options.clock.find('.');
  if (point != std::string::npos && point <= 2 && options.clock.size() == point + 3) {
    std::string meant = options.clock;
    meant[point] = ':';
    return report_usage(
        fmt::format("--clock {0}: minutes and seconds have a colon, {1}; seconds alone are clock:{0}",
                    options.clock, meant));
  }
  if (!options.clock.empty()) {
    where =
        files::parse_moment(options.clock.starts_with("clock:") ? options.clock : "clock:" + options.clock);
  }
  if (!where) return report_usage(fmt::format("--clock {}: not minutes and seconds (08:30)", options.clock));
  auto opened = files::open(options.file, {.repair = options.repair});
  if (!opened) {
    report_error(options.file, opened.error());
    return failed;
  }
  let_stop_signals_end();
  auto found = (*opened)->seek(*where);
  if (found) {
    if (auto more = (*opened)->next(); !more) found = fail(more.error());
  }
  if (!found) {
    report_error(options.file, found.error());
    (void)report_losses(options.file, (*opened)->losses());
    return failed;
  }
  std::string line;
  if (!write_tick(**opened, line) && stop_requested()) return interrupted(options.file);
  // Reports a tick that is shown instead of a lost one, and losses between a state and the tick after it.
  let_stop_signals_end();
  const std::vector<std::string> losses = losses_before_found(**opened, *where);
  catch_stop_signals();
  return report_losses(options.file, losses);
}

}  // namespace

void add_cat(command& program) {
  auto options = std::make_shared<cat_options>();
  command& app = program.add_subcommand("cat", "Prints ticks as JSON, one per line");
  app.add_option("FILE", options->file, "A recording of any format").required();
  app.add_option("--from", options->from,
                 "First place: a time (90s), a tick (tick:1200) or the game clock (clock:08:30)");
  app.add_option("--to", options->to, "Last place; its tick is included");
  app.add_flag("--repair", options->repair, "Reverse known defects of the .butter writer where possible");
  app.notes = std::string(places_help);
  app.examples = {"tickreel cat match.butter | head -1 | jq .session.teams[0].players[].name",
                  "tickreel cat match.echoreplay --from 09:30 --to 09:00",
                  "tickreel cat match.butter --from 120 --to 240 > part.ndjson"};
  app.run = [options] { return run_cat(*options); };
}

void add_seek(command& program) {
  auto options = std::make_shared<seek_options>();
  command& app = program.add_subcommand("seek", "Prints one tick as JSON");
  app.add_option("FILE", options->file, "A recording of any format").required();
  app.add_option("--tick", options->tick,
                 "Number of the tick, from 0; in a reel, lost polls have numbers, too")
      .check(whole_number());
  app.add_option("--time", options->time, "Time since the first tick: 90, 90s, 1.5m or 01:30")
      .check(seconds_with_unit())
      .check(not_negative());
  app.add_option("--clock", options->clock,
                 "Moment at which the game clock falls to MM:SS; the time in formats without a game clock");
  app.add_flag("--repair", options->repair, "Reverse known defects of the .butter writer where possible");
  app.examples = {"tickreel seek match.butter --tick 1500",
                  "tickreel seek match.butter --time 61.5 | jq .session.disc",
                  "tickreel seek match.echoreplay --clock 08:30"};
  app.run = [options] { return run_seek(*options); };
}

}  // namespace tickreel::cli
