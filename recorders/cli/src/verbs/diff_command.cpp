// tickreel diff: where two recordings of a match, of Echo VR, or of described structs differ.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "diff_output.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/match_losses.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::cli {

namespace {

void report_lacks(const diff_arguments& arguments, const auto& ranges) {
  for (const auto& each : ranges) {
    const std::uint64_t ticks = each.end_tick - each.first_tick;
    const std::string what =
        fmt::format("{} from tick {} on {} not compared", counted(ticks, "tick"), each.first_tick,
                    ticks == 1 ? "is missing and was" : "are missing and were");
    if (each.in_first) report_note(arguments.first, what);
    if (each.in_second) report_note(arguments.second, what);
  }
}

void report_both_losses(const diff_arguments& arguments, const diff_losses& losses) {
  for (const std::string& each : losses.of[0]) report_note(arguments.first, each);
  for (const std::string& each : losses.of[1]) report_note(arguments.second, each);
}

// The comparison's losses precede the given ones.
diff_losses with_losses_of(const auto& found, diff_losses losses) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
    losses.of[i].insert(losses.of[i].begin(), found.lost[i].begin(), found.lost[i].end());
  return losses;
}

int code_of(const auto& found, const diff_losses& losses) {
  if (found.same()) return losses.any() ? done_with_loss : done;
  return found.differ() || found.ticks != 0 ? done_with_loss : failed;
}

result<game::replay> open_match(const std::string& file) {
  const auto format = files::detect(file);
  if (!format) return fail(format.error());
  return game::replay::open(file);
}

template <class Found>
int run_ticks(const diff_arguments& arguments, const diff_losses& known,
              result<Found> (*compare)(const file_path&, const file_path&, const files::monitor&,
                                       std::size_t*)) {
  catch_stop_signals();
  std::size_t failed_one = 0;
  const auto found =
      compare(arguments.first, arguments.second, {.progress = {}, .cancelled = stop_requested}, &failed_one);
  if (!found) {
    report_error(failed_one == 0 ? arguments.first : arguments.second, found.error());
    return failed;
  }
  const diff_losses losses = with_losses_of(*found, known);
  arguments.json ? print_json(arguments, *found, losses) : print_text(*found);
  report_lacks(arguments, found->not_compared);
  report_both_losses(arguments, losses);
  if (!found->differ() && found->total[0] != found->total[1]) {
    report_note(arguments.second,
                fmt::format("{}, the other has {}", counted(found->total[1], "tick"), found->total[0]));
  }
  return code_of(*found, losses);
}

int run_replays(const diff_arguments& arguments, const diff_losses& known) {
  catch_stop_signals();
  std::size_t failed_one = 0;
  const auto found = files::compare_replays(arguments.first, arguments.second,
                                            {.progress = {}, .cancelled = stop_requested}, &failed_one);
  if (!found) {
    report_error(failed_one == 0 ? arguments.first : arguments.second, found.error());
    return failed;
  }
  const diff_losses losses = with_losses_of(*found, known);
  arguments.json ? print_json(arguments, *found, losses) : print_text(*found);
  report_both_losses(arguments, losses);
  return found->same() && !losses.any() ? done : done_with_loss;
}

// Compares the ticks of two recordings of one format without further knowledge.
bool are_of_one_format(const diff_arguments& arguments) {
  const auto first = files::detect(file_path(arguments.first));
  const auto second = files::detect(file_path(arguments.second));
  return first && second && *first == *second && !(*first)->has_records;
}

// Of two formats without a common content.
void report_incomparable(const diff_arguments& arguments) {
  const auto named = [](const std::string& file) {
    const auto format = files::detect(file_path(file));
    return fmt::format("{} ({})", printable(file), format ? (*format)->extension : "unknown");
  };
  report_error(fmt::format("{} and {} cannot be compared", named(arguments.first), named(arguments.second)));
}

// The end of the missing ticks that report_lacks() names of one recording.
std::uint64_t end_of_named(const std::vector<game::lacking_ticks>& not_compared,
                           bool game::lacking_ticks::* in_it) {
  std::uint64_t end = 0;
  for (const game::lacking_ticks& each : not_compared) {
    if (each.*in_it) end = std::max(end, each.end_tick);
  }
  return end;
}

int compare_matches(const diff_arguments& arguments, const game::replay& first, const game::replay& second,
                    diff_losses losses) {
  const std::string* const files[2] = {&arguments.first, &arguments.second};
  std::size_t failed_one = 0;
  const auto found = game::compare(first, second, &failed_one);
  if (!found) {
    report_error(*files[failed_one], found.error());
    return failed;
  }
  constexpr bool game::lacking_ticks::* in_it[] = {&game::lacking_ticks::in_first,
                                                   &game::lacking_ticks::in_second};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    // Ticks after the end of the shorter recording are not compared.
    const auto read = files::losses_of_match(*files[i], end_of_named(found->not_compared, in_it[i]));
    if (!read) {
      report_error(*files[i], read.error());
      return failed;
    }
    losses.of[i].insert(losses.of[i].begin(), read->begin(), read->end());
  }
  const std::array<std::uint64_t, 2> lengths = {first.total_ticks(), second.total_ticks()};
  arguments.json ? print_json(arguments, *found, losses, lengths) : print_text(*found);
  report_lacks(arguments, found->not_compared);
  if (lengths[0] != lengths[1]) {
    report_note(arguments.second,
                fmt::format("{}, the other has {}", counted(lengths[1], "tick"), lengths[0]));
  }
  report_both_losses(arguments, losses);
  return code_of(*found, losses);
}

int compare_them(const diff_arguments& arguments, const diff_losses& known) {
  using files::content;
  content contents[2] = {};
  const std::string* const files[2] = {&arguments.first, &arguments.second};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto format = files::detect(file_path(*files[i]));
    const auto found = format ? files::content_of(*files[i]) : fail(format.error());
    if (!found) {
      report_error(*files[i], found.error());
      return failed;
    }
    contents[i] = *found;
  }
  const auto are = [&](content of) { return contents[0] == of && contents[1] == of; };
  if (are(content::echo_ticks)) return run_ticks(arguments, known, &files::compare_echo);
  if (are(content::replay)) return run_replays(arguments, known);
  if (are(content::ticks) && are_of_one_format(arguments))
    return run_ticks(arguments, known, &files::compare_states);
  // Echo VR in columns is described, too.
  const auto is_described = [&](std::size_t i) { return files::is_described_reel(*files[i]); };
  if (is_described(0) && is_described(1)) return run_ticks(arguments, known, &files::compare_described);
  const auto is_match = [&](std::size_t i) {
    return contents[i] != content::echo_ticks && contents[i] != content::replay && !is_described(i);
  };
  std::optional<game::replay> matches[2];
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_match(i)) continue;
    auto opened = open_match(*files[i]);
    if (!opened) {
      const bool is_other_format = opened.error().code == error_code::bad_magic;
      is_other_format ? report_incomparable(arguments) : report_error(*files[i], opened.error());
      if (is_other_format) {
        report_advice(
            "diff compares recordings of matches: .icrep, and reels of them; Echo VR recordings of any "
            "format; two reels of described structs; two .SC2Replay files; and two recordings of one other "
            "format, such as .mcap");
      }
      return failed;
    }
    matches[i] = std::move(*opened);
  }
  if (!matches[0] || !matches[1]) {
    const auto name = [&](std::size_t i) {
      return contents[i] == content::echo_ticks ? "ticks of Echo VR"
             : contents[i] == content::replay   ? "a StarCraft II replay"
             : is_described(i)                  ? "described structs"
                                                : "a match of a game's own";
    };
    report_error(fmt::format("{} holds {}, {} {}: they cannot be compared", arguments.first, name(0),
                             arguments.second, name(1)));
    return failed;
  }
  return compare_matches(arguments, *matches[0], *matches[1], known);
}

// Bytes after the end of either recording are not compared.
int run(const diff_arguments& arguments) {
  const std::string* const files[2] = {&arguments.first, &arguments.second};
  diff_losses losses;
  bool is_checked = true;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const auto trailing = files::find_trailing_bytes(file_path(*files[i]));
    if (!trailing) {
      losses.of[i].push_back(describe(trailing.error()));
      is_checked = false;
    } else if (*trailing) {
      losses.of[i].push_back((*trailing)->sentence());
    }
  }
  const int code = compare_them(arguments, losses);
  return is_checked ? code : failed;
}

}  // namespace

void add_diff(command& program) {
  auto arguments = std::make_shared<diff_arguments>();
  command& app = program.add_subcommand("diff", "Finds where two recordings differ");
  app.add_option("A", arguments->first,
                 "An .icrep, an Echo VR recording, a reel of one, a reel of described structs, a .SC2Replay, "
                 "a .rec, a "
                 ".gamecache or an .mcap")
      .required();
  app.add_option("B", arguments->second, "Recording to compare with").required();
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes =
      "Two .icrep or their reels, for desynchronised games: the first tick whose state differs; the entity,\n"
      "the component and the field that differ in the first differing keyframe at the same tick. Ticks that\n"
      "only one recording has are not compared.\n"
      "Two reels of described structs: the first tick and the member that differ, and the differences of\n"
      "the structs themselves.\n"
      "Two Echo VR recordings: the number of ticks that differ, and for the first one the path of the field\n"
      "in the game's API. Comparisons with a .butter use its precision. Ticks with the same recorded time\n"
      "are compared, or the nearest within half an interval. Tick numbers are those of the first recording.\n"
      "Two .rec, two .gamecache or two .mcap: the first tick whose state differs.\n"
      "Two .SC2Replay: facts of the game that differ, and for each stream the first event and field.\n"
      "Exit codes: 0 the same, 3 they differ or lack ticks, 1 they cannot be compared.";
  app.examples = {"tickreel diff mine.icrep theirs.icrep",
                  "tickreel diff mine.icrep theirs.icrep --json | jq .state",
                  "tickreel diff match.echoreplay match.butter"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
