// Random chains of verbs on random recordings, judged by relations between inputs and outputs.
//
// Data flow: a seed makes a recording (chain_recordings.hpp) and a list of steps. Each step has a seed of its own, so that a chain
// stays the same when other steps are removed. A step runs verbs on the current recording, checks relations, and may replace the
// current recording by its output. Every verb runs in a forked process of this program. The first relation that fails ends the
// chain; steps are then removed as long as it still fails, and the commands of the shortest chain are printed.
//
//   TICKREEL_TEST_CHAINS=N   the number of chains (default below)
//   TICKREEL_TEST_SEED=N     the seed of the first chain; later chains count up from it
//   TICKREEL_TEST_KEEP=DIR   keep the files of failing chains there
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <map>
#include <optional>

#include "byte_damage.hpp"
#include "verb_chain.hpp"

BOOST_AUTO_TEST_SUITE(cli_chains_tests)
BOOST_AUTO_TEST_SUITE(verb_chains_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct step {
  std::size_t verb = 0;
  std::uint64_t seed = 0;
};

void convert_step(chain& of, generator& random) {
  constexpr const char* echo[] = {".butter", ".echoreplay", ".reel", ".tape", ".nevrcap"};
  constexpr const char* any[] = {".reel", ".icrep", ".csv",    ".ndjson",
                                 ".json", ".rec",   ".butter", ".gamecache"};
  const std::string extension = of.is_echo() ? one_of(random, echo) : one_of(random, any);
  const std::string output = of.new_output(extension);
  const std::string input = of.path();
  const outcome said = of.run({"convert", input, output}, output);
  if (of.is_echo() && of.is_readable() && !of.lines().empty()) must_work(of, said);
  if (said.code == 1 || said.code == 2) return;
  if (extension == ".csv" || extension == ".ndjson" || extension == ".json" ||
      (extension == ".rec" && of.format() != "rec")) {
    if (of.cat().code == 3)
      of.check(said.code == 3, "the loss of the input is not reported: " + of.cat().err);
    return;
  }
  // An .icrep of a StarCraft II replay has keyframes of its own.
  const bool is_other_game = of.format() == "sc2replay";
  const bool same_text = (extension == ".reel" || extension == of.extension()) && !is_other_game;
  check_copy(of, said, output, same_text && extension != ".tape" && extension != ".nevrcap", !is_other_game);
  // Axes of a capture are computed from quaternions and back.
  const bool is_capture =
      of.format() == "tape" || of.format() == "nevrcap" || extension == ".tape" || extension == ".nevrcap";
  if (of.is_echo() && !is_capture && said.code == 0 && std::filesystem::exists(output) &&
      !std::filesystem::exists(output.substr(0, output.rfind('.')) + "-2" + extension)) {
    const outcome diff = of.run({"diff", input, output});
    of.check(diff.code == 0, "the copy differs: " + diff.out + diff.err);
  }
  of.take(output);
}

void clip_step(chain& of, generator& random) {
  if (of.lines().empty()) return;
  std::vector<std::uint64_t> ticks;
  for (const std::string& each : of.lines()) ticks.push_back(number_after(each, "{\"tick\":"));
  std::uint64_t from = ticks[below(random, ticks.size())];
  std::uint64_t to = ticks[below(random, ticks.size())];
  if (from > to) std::swap(from, to);
  const std::string range[] = {"tick:" + std::to_string(from), "tick:" + std::to_string(to)};
  const std::string output = of.new_output(of.extension());
  const std::string input = of.path();
  const outcome said = of.run({"clip", input, "--from", range[0], "--to", range[1], "-o", output}, output);
  if (said.code == 1 || said.code == 2) {
    if (of.is_echo()) must_work(of, said);
    return;
  }
  const outcome wanted = of.run({"cat", input, "--from", range[0], "--to", range[1]});
  if (!std::filesystem::exists(output)) return;
  outcome cat;
  const std::vector<std::string> lines = of.cat_of(output, cat);
  of.check(cat.code == 0 || cat.code == 3, "the clip is unreadable: " + cat.err);
  const auto wanted_lines = ticks_of(wanted.out);
  auto expected = states_of(wanted_lines);
  auto got = states_of(lines);
  const bool is_one_file =
      !std::filesystem::exists(output.substr(0, output.rfind('.')) + "-2" + of.extension());
  // It may begin at an earlier keyframe.
  if (got.size() > expected.size())
    got.erase(got.begin(), got.end() - static_cast<std::ptrdiff_t>(expected.size()));
  if (is_one_file && of.extension() != ".tape" && of.extension() != ".nevrcap") {
    of.check(got == expected, "the clip differs from cat: " + first_difference(expected, got));
  }
  // `cat` may also report a loss before the range of a reel; in other formats one after it.
  const bool has_losses = of.format() == "reel" || of.format() == "echoreplay" || of.format() == "butter";
  if (wanted.code == 3 && said.code == 0 && has_losses) {
    const std::string before = "tick:" + std::to_string(from - std::min<std::uint64_t>(from, 1));
    const std::string after = "tick:" + std::to_string(to + 1);
    const outcome outside = of.format() == "reel" ? of.run({"cat", input, "--to", before})
                                                  : of.run({"cat", input, "--from", after});
    of.check(outside.code != 0, "cat of the range reports a loss, clip does not: " + wanted.err);
  }
  if (said.code == 0) of.check(cat.code == 0, "a clip with exit code 0 reports a loss: " + cat.err);
  // Stored events of the range.
  if (!of.is_echo() && of.format() == "reel") {
    const outcome all = of.run({"events", input, "--from", range[0], "--to", range[1]});
    const outcome clipped = of.run({"events", output});
    if (all.code == 0 && clipped.code == 0) {
      of.check(lines_of(all.out).size() == lines_of(clipped.out).size(),
               "events of the clip:\n" + clipped.out + "events of the range:\n" + all.out);
    }
  }
  of.take(output);
}

void recover_step(chain& of, generator& random) {
  const bool to_reel = of.format() == "reel" && chance(random, 2);
  const std::string output = of.new_output(to_reel || of.format() != "reel" ? of.extension() : ".reel");
  const outcome said = of.run({"recover", of.path(), "-o", output}, output);
  if (of.is_readable() && !of.lines().empty()) must_work(of, said);
  if (said.code == 1 || said.code == 2) return;
  // Axes of a capture are computed from quaternions and back, unless its records are kept.
  const bool is_exact = of.format() != "nevrcap" && (of.format() != "tape" || said.code == 0);
  if (of.is_readable()) check_copy(of, said, output, is_exact);
  const outcome verify = of.run({"verify", output});
  of.check(verify.code == 0 || said.code == 3, "recover wrote an invalid file: " + verify.out + verify.err);
  of.take(output);
}

void edit_step(chain& of, const std::vector<std::string>& words, bool same_text) {
  const std::string output = of.new_output(of.extension());
  std::vector<std::string> all = words;
  all.insert(all.begin() + 1, {of.path(), "-o", output});
  const outcome said = of.run(all, output);
  if (said.code == 1 || said.code == 2) return;
  check_copy(of, said, output, same_text);
  of.take(output);
}

void recompress_step(chain& of, generator& random) {
  constexpr const char* codecs[] = {"none", "gzip", "lz4", "zstd"};
  edit_step(of, {"recompress", "--codec", one_of(random, codecs)}, of.format() != "nevrcap");
}
void compact_step(chain& of, generator& /*random*/) {
  edit_step(of, {"compact"}, true);
}
void anonymise_step(chain& of, generator& /*random*/) {
  edit_step(of, {"anonymise", "--salt", "x"}, false);
}
void strip_voice_step(chain& of, generator& /*random*/) {
  edit_step(of, {"strip-voice"}, true);
}

void derive_step(chain& of, generator& /*random*/) {
  if (!of.is_echo()) return;
  const std::string output = of.new_output(".reel");
  const std::string input = of.path();
  const outcome said = of.run({"derive", input, "-o", output}, output);
  if (!of.lines().empty()) must_work(of, said);
  if (said.code == 1 || said.code == 2) return;
  check_copy(of, said, output, true);
  if (of.cat().code == 0 && of.format() != "reel") {
    const outcome detected = of.run({"events", input});
    const outcome stored = of.run({"events", output});
    of.check(lines_of(detected.out).size() == lines_of(stored.out).size(),
             "detected:\n" + detected.out + "stored:\n" + stored.out);
  }
  of.take(output);
}

void sign_step(chain& of, generator& /*random*/) {
  const std::string key = of.folder() / "key";
  if (!std::filesystem::exists(key)) (void)of.run({"keygen", key}, key);
  const std::string output = of.new_output(of.extension());
  const outcome said = of.run({"sign", of.path(), "--key", key, "-o", output}, output);
  if (said.code == 1 || said.code == 2) return;
  check_copy(of, said, output, true);
  const outcome verify = of.run({"verify", output, "--key", key + ".pub"});
  // 3: a clip is incomplete.
  of.check(verify.code == 0 || verify.code == 3, "a signature does not verify: " + verify.out + verify.err);
  of.take(output);
}

void events_step(chain& of, generator& random) {
  if (of.lines().empty() || of.cat().code != 0) return;
  const outcome all = of.run({"events", of.path()});
  if (all.code != 0) return;
  const std::uint64_t at = number_after(of.lines()[below(random, of.lines().size())], "{\"tick\":");
  const outcome first = of.run({"events", of.path(), "--to", "tick:" + std::to_string(at)});
  const outcome second = of.run({"events", of.path(), "--from", "tick:" + std::to_string(at + 1)});
  if (first.code != 0 || second.code != 0) return;
  of.check(first.out + second.out == all.out, "events up to tick " + std::to_string(at) + ":\n" + first.out +
                                                  "events after it:\n" + second.out + "all:\n" + all.out);
}

void cat_step(chain& of, generator& random) {
  if (of.lines().empty() || of.cat().code != 0) return;
  const std::uint64_t at = number_after(of.lines()[below(random, of.lines().size())], "{\"tick\":");
  const outcome first = of.run({"cat", of.path(), "--to", "tick:" + std::to_string(at)});
  const outcome second = of.run({"cat", of.path(), "--from", "tick:" + std::to_string(at + 1)});
  if (second.code == 0) {
    of.check(first.out + second.out == of.cat().out,
             "cat of two parts is not cat of the whole, at tick " + std::to_string(at));
  }
  if (of.format() == "icrep" || of.format() == "sc2replay") return;
  const outcome seek = of.run({"seek", of.path(), "--tick", std::to_string(at)});
  of.check(of.cat().out.find(seek.out) != std::string::npos,
           "seek " + std::to_string(at) + " printed " + seek.out);
}

void diff_step(chain& of, generator& /*random*/) {
  const std::string copy = of.new_output(of.extension());
  write_file(copy, read_file(of.path()));
  of.accept_files();
  const outcome said = of.run({"diff", of.path(), copy});
  // 3: equal, and ticks before a clip are missing.
  const bool is_equal = said.code != 3 || said.out.starts_with("the same");
  if (of.cat().code == 0) of.check(is_equal, "a recording differs from its copy: " + said.out + said.err);
}

// Sums of the game's own counters by player.
std::map<std::string, std::vector<std::uint64_t>> counters_of(const std::string& csv) {
  std::map<std::string, std::vector<std::uint64_t>> sums;
  std::vector<std::vector<std::string>> rows(1, {""});
  bool is_quoted = false;
  for (const char each : csv) {
    if (each == '"') is_quoted = !is_quoted;
    if (each == ',' && !is_quoted) {
      rows.back().emplace_back();
    } else if (each == '\n' && !is_quoted) {
      rows.push_back({""});
    } else {
      rows.back().back() += each;
    }
  }
  rows.pop_back();
  std::vector<std::size_t> columns;
  std::size_t id = 0;
  for (std::size_t number = 0; number < rows.size(); ++number) {
    const std::vector<std::string>& cells = rows[number];
    if (number == 0) {
      for (std::size_t at = 0; at < cells.size(); ++at) {
        if (cells[at] == "id") id = at;
        for (const char* each : {"points", "goals", "saves", "stuns", "assists", "blocks"}) {
          if (cells[at] == each) columns.push_back(at);
        }
      }
      continue;
    }
    auto& sum = sums[cells.at(id)];
    sum.resize(columns.size());
    for (std::size_t each = 0; each < columns.size(); ++each) {
      sum[each] += std::strtoull(cells.at(columns[each]).c_str(), nullptr, 10);
    }
  }
  return sums;
}

void stats_step(chain& of, generator& random) {
  const outcome whole = of.run({"stats", "--csv", of.path()});
  if (!of.is_echo() || of.cat().code != 0 || of.lines().size() < 2) return;
  // Clips are not counted.
  if (whole.err.find("a clip of a match") != std::string::npos) return;
  of.check(whole.code == 0, "stats of a whole recording: " + whole.err);
  const std::uint64_t at = number_after(of.lines()[below(random, of.lines().size())], "{\"tick\":");
  const std::string tick = "tick:" + std::to_string(at);
  // A .butter does not state that it is a clip. It is encoded again, so that it begins with this tick.
  const std::string first = of.new_output(".butter");
  const std::string second = of.new_output(".butter");
  const outcome one = of.run({"convert", of.path(), first, "--to", tick, "--keyframe-interval", "20"}, first);
  const outcome other =
      of.run({"convert", of.path(), second, "--from", tick, "--keyframe-interval", "20"}, second);
  if (one.code != 0 || other.code != 0) return;
  for (const std::string& each : {first, second}) {
    if (std::filesystem::exists(each.substr(0, each.rfind('.')) + "-2.butter")) return;
  }
  auto sums = counters_of(of.run({"stats", "--csv", first}).out);
  for (const auto& [id, counters] : counters_of(of.run({"stats", "--csv", second}).out)) {
    auto& sum = sums[id];
    sum.resize(counters.size());
    for (std::size_t each = 0; each < counters.size(); ++each) sum[each] += counters[each];
  }
  const auto expected = counters_of(whole.out);
  of.check(sums == expected, "stats of two parts at " + tick + " do not add up to the whole");
}

// The viewer's reader in another process, since its input may be damaged.
void viewer_step(chain& of, generator& random) {
  const byte_vector bytes = read_file(of.path());
  const scratch_folder folder;
  const outcome said = in_child(folder, [&bytes] { return print_in_viewer(bytes); });
  of.check(said.code < 4, "the viewer's reader ends with " + std::to_string(said.code));
  if (of.cat().code == 0 && !of.lines().empty()) {
    of.check(said.code == 0, "the viewer's reader fails with " + std::to_string(said.code));
  }
  if (said.code == 0 && of.is_readable()) {
    const auto lines = lines_of(said.out);
    of.check(lines == of.lines(),
             "the viewer's reader differs from cat: " +
                 first_difference({lines.begin(), lines.end()}, {of.lines().begin(), of.lines().end()}));
  }
  if (!chance(random, 8)) return;
  const std::string page = of.new_output(".html");
  const outcome report = of.run({"report", of.path(), "-o", page}, page);
  if (of.cat().code == 3 && report.code != 1) of.check(report.code == 3, "the report hides a loss");
}

void library_step(chain& of, generator& /*random*/) {
  const scratch_folder folder;
  const std::string file = folder / ("copy" + of.extension());
  write_file(file, read_file(of.path()));
  const std::string index = folder / "index";
  const outcome scanned = of.run({"library", "scan", "--db", index, folder.path().string()});
  of.check(scanned.code == 0 || scanned.code == 3, "scan fails: " + scanned.err);
  const outcome found = of.run({"library", "find", "--db", index, "--json"});
  if (of.cat().code != 0 || of.format() == "gamecache" || of.lines().empty()) return;
  of.check(found.out.find("copy") != std::string::npos,
           "the library does not find the recording: " + scanned.out + found.err);
}

void npc_step(chain& of, generator& random) {
  if (of.extension() != ".rec") return;
  const std::string output = of.new_output(".rec");
  const outcome said = chance(random, 2)
                           ? of.run({"npc", "edit", of.path(), output, "--join", of.path()}, output)
                           : of.run({"npc", "edit", of.path(), output, "--repeat", "2"}, output);
  if (said.code == 0) of.take(output);
}

// Two recordings of one match in one file.
void concatenate_step(chain& of, generator& /*random*/) {
  byte_vector bytes = read_file(of.path());
  const byte_vector once = bytes;
  bytes.insert(bytes.end(), once.begin(), once.end());
  of.damage(std::move(bytes));
}

void damage_step(chain& of, generator& random) {
  byte_vector bytes = read_file(of.path());
  if (bytes.size() < 2 || of.is_damaged()) return;
  const std::vector<std::string> before = of.lines();
  const bool was_whole = of.cat().code == 0;
  const bool is_checked = of.format() == "reel";
  of.damage(damaged_at_random(std::move(bytes), random));
  if (!is_checked || !was_whole || !of.is_readable()) return;
  of.check(is_part_of(states_of(of.lines()), states_of(before)), "a damaged reel returns other ticks");
  if (of.lines().size() < before.size()) of.check(of.cat().code == 3, "ticks are missing without a report");
}

struct verb {
  const char* name;
  void (*run)(chain& of, generator& random);
  unsigned share;
};
const verb verbs[] = {{"convert", convert_step, 6},
                      {"clip", clip_step, 4},
                      {"recover", recover_step, 3},
                      {"recompress", recompress_step, 2},
                      {"compact", compact_step, 2},
                      {"anonymise", anonymise_step, 2},
                      {"strip-voice", strip_voice_step, 1},
                      {"derive", derive_step, 2},
                      {"sign", sign_step, 2},
                      {"events", events_step, 2},
                      {"cat", cat_step, 2},
                      {"diff", diff_step, 1},
                      {"stats", stats_step, 2},
                      {"viewer", viewer_step, 2},
                      {"library", library_step, 1},
                      {"npc", npc_step, 1},
                      {"concatenate", concatenate_step, 1},
                      {"damage", damage_step, 3}};

void run_step(chain& of, const step& each) {
  generator random(each.seed);
  verbs[each.verb].run(of, random);
}

std::vector<step> steps_of(std::uint64_t seed) {
  generator random(seed * 2 + 1);
  std::vector<std::size_t> shares;
  for (std::size_t each = 0; each < std::size(verbs); ++each)
    shares.insert(shares.end(), verbs[each].share, each);
  std::vector<step> steps(1 + below(random, 6));
  for (step& each : steps) each = {shares[below(random, shares.size())], random()};
  return steps;
}

struct broken_chain {
  std::string what;
  std::string commands;
};

std::optional<broken_chain> failure_of(std::uint64_t seed, const std::vector<step>& steps) {
  std::optional<chain> of;
  try {
    of.emplace(seed);
    for (const step& each : steps) run_step(*of, each);
    return std::nullopt;
  } catch (const finding& found) {
    if (!of) return broken_chain{found.what, "(the recording itself)"};
    if (const char* const keep = std::getenv("TICKREEL_TEST_KEEP"); keep != nullptr) {
      const std::filesystem::path to = std::filesystem::path(keep) / std::to_string(seed);
      std::filesystem::remove_all(to);
      std::filesystem::create_directories(to);
      std::filesystem::copy(of->folder().path(), to, std::filesystem::copy_options::recursive);
    }
    return broken_chain{found.what, of->commands()};
  }
}

void report_failure(std::uint64_t seed, std::vector<step> steps, broken_chain found) {
  for (std::size_t at = steps.size(); at-- > 0;) {
    std::vector<step> fewer = steps;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
    if (auto still = failure_of(seed, fewer)) {
      steps = std::move(fewer);
      found = std::move(*still);
    }
  }
  std::string names;
  for (const step& each : steps) names += std::string(" ") + verbs[each.verb].name;
  BOOST_ERROR("chain " << seed << " (" << names << " ): " << found.what.substr(0, 3000)
                       << "\nTICKREEL_TEST_CHAINS=1 TICKREEL_TEST_SEED=" << seed << " repeats it:\n"
                       << found.commands);
}

std::uint64_t number_in(const char* name, std::uint64_t usual) {
  const char* const given = std::getenv(name);
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_chains_keep_every_relation) {
  const std::uint64_t first = number_in("TICKREEL_TEST_SEED", 1);
  const std::uint64_t chains = number_in("TICKREEL_TEST_CHAINS", 300);
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + chains && failures < 10; ++seed) {
    const std::vector<step> steps = steps_of(seed);
    if (auto found = failure_of(seed, steps)) {
      ++failures;
      report_failure(seed, steps, std::move(*found));
    }
  }
  BOOST_TEST(failures == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
