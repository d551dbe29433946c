// Runs verbs on damaged files, in forked processes of the test program, and judges them.
#pragma once

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_damage.hpp"
#include "printed_ticks.hpp"
#include "run_in_child.hpp"
#include "sanitized.hpp"
#include "served_verbs.hpp"
#include "tried_verbs.hpp"

namespace tickreel::test {

// Behind checksums that the damage left wrong, or behind ones that were computed again.
inline constexpr std::size_t damage_columns = damage_kinds + 1;
inline constexpr std::size_t repaired_column = damage_kinds;

struct bad_file {
  std::size_t column = 0;
  std::string what;
  byte_vector bytes;
};

struct bad_input_counts {
  struct cell {
    std::uint64_t runs = 0, done = 0, reported = 0, failed = 0;
  };
  std::array<std::array<cell, verb_class_names.size()>, damage_columns> cells;
  std::array<std::uint64_t, damage_columns> files = {};
  std::array<std::uint64_t, damage_columns> unnoticed = {};  // `cat` prints other ticks with exit code 0
  std::uint64_t max_kib = 0;
  std::uint64_t longest_us = 0;  // of processor time
};

struct whole_recording {
  std::string name;
  byte_vector bytes;
  std::string extension;
  outcome cat;                    // without paths
  std::string other_cat;          // what `cat` prints of the recording that splices end with
  std::vector<tried_verb> verbs;  // that work on it
  bool is_checked = false;        // no change of a byte stays unnoticed
};

// So that messages about different files can be compared.
[[nodiscard]] inline std::string without_paths(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    const std::size_t path = line.find('/');
    out += path == std::string::npos
               ? line
               : line.substr(0, path) + line.substr(std::min(line.size(), line.find(": ", path)));
    out += '\n';
  }
  return out;
}

// According to the last line of `serve`.
[[nodiscard]] inline std::uint64_t shown_ticks(const std::string& out) {
  const std::vector<std::string> lines = lines_of(out);
  return lines.empty() ? 0 : std::strtoull(lines.back().c_str(), nullptr, 10);
}

// What `cat` reports beyond the whole recording. Text that it must make Unicode for JSON does not count: copies keep it.
[[nodiscard]] inline std::vector<std::string> new_reports(const outcome& cat, const outcome& whole) {
  std::vector<std::string> more;
  if (cat.code == 0) return more;
  const std::vector<std::string> known = lines_of(whole.err);
  for (const std::string& each : lines_of(without_paths(cat.err))) {
    if (contains(each, "are no Unicode, and got U+FFFD in their place")) continue;
    if (std::ranges::find(known, each) == known.end()) more.push_back(each);
  }
  return more;
}

// The first of them that is not in `text`.
[[nodiscard]] inline std::string first_missing(const std::vector<std::string>& reports,
                                               const std::string& text) {
  constexpr std::string_view before_sentence = ": : ";  // the program, and the path that is left out
  for (const std::string& each : reports) {
    const std::size_t at = each.find(before_sentence);
    if (!contains(text, at == std::string::npos ? each : each.substr(at + before_sentence.size())))
      return each;
  }
  return {};
}

// Runs it in this process, whose standard output goes to `log`. `input` has those bytes.
// A client that adds to it, and does not come that far, leaves less.
inline int run_tried(const tried_verb& what, const std::vector<std::string>& words, const std::string& input,
                     byte_span bytes, const std::string& log) {
  if (words.empty()) return print_in_viewer(bytes) == 0 ? 0 : 1;
  switch (what.client) {
    case verb_client::none:
      break;
    case verb_client::game:
      return run_with_client(words, log, ask_as_client_of_game);
    case verb_client::page:
      return run_with_client(words, log, [&](std::uint16_t port) { return ask_as_page(port, bytes); });
    case verb_client::growing_page: {
      write_file(input, grown(bytes, 1));
      return run_with_client(words, log,
                             [&](std::uint16_t port) { return ask_as_growing_page(port, input, bytes); });
    }
  }
  return run_verb(words);
}

class bad_input_judge {
 public:
  explicit bad_input_judge(const whole_recording& of) : of_(of) {
    std::filesystem::create_directory(folder_.path() / "in");
    std::filesystem::create_directory(folder_.path() / "out");
    input_ = folder_ / "in/damaged" + of.extension;
    write_file(folder_ / "whole" + of.extension, of.bytes);
    BOOST_REQUIRE(run_verb_in_child(messages_, {"keygen", folder_ / "key"}).code == 0);
  }

  // Of the verbs beside the first two, every `share`-th runs on each file; the number of the file selects them.
  void check(std::size_t first, const std::vector<bad_file>& files, std::size_t share) {
    std::vector<chosen> reading;
    for (std::size_t each = 0; each < files.size(); ++each) {
      for (std::size_t verb = 0; verb < of_.verbs.size(); ++verb) {
        if (is_chosen(verb, first + each, share) && can_share_process(of_.verbs[verb]))
          reading.push_back({each, verb});
      }
    }
    std::map<chosen, outcome> known = read_all(files, reading);
    for (std::size_t each = 0; each < files.size(); ++each) {
      const bad_file& file = files[each];
      ++counts_.files[file.column];
      write_file(input_, file.bytes);
      for (std::size_t verb = 0; verb < of_.verbs.size(); ++verb) {
        if (!is_chosen(verb, first + each, share)) continue;
        const auto found = known.find({each, verb});
        const outcome now = found != known.end() ? found->second : run(of_.verbs[verb], file.bytes);
        judge(file, verb, now, known.at({each, cat_verb}));
        for (const auto& left : std::filesystem::directory_iterator(folder_.path() / "out"))
          std::filesystem::remove_all(left.path());
      }
      if (read_file(input_) != file.bytes) add_finding(file, "some verb", "the input has changed");
    }
  }

  [[nodiscard]] const bad_input_counts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }

 private:
  using chosen = std::pair<std::size_t, std::size_t>;  // a file and a verb

  static bool is_chosen(std::size_t verb, std::size_t number, std::size_t share) {
    return verb <= verify_verb || (verb + number) % share == 0;
  }

  static bool can_share_process(const tried_verb& what) {
    return what.extension.empty() && what.client == verb_client::none;
  }

  // One process runs all verbs that write nothing, because a process costs more than a verb on a small file. After a crash another
  // one continues.
  std::map<chosen, outcome> read_all(const std::vector<bad_file>& files, const std::vector<chosen>& runs) {
    std::map<chosen, outcome> known;
    const std::string results = messages_ / "results";
    while (known.size() < runs.size()) {
      const std::uint64_t before = used_by_children().first;
      const outcome all = in_child(messages_, [&] {
        for (std::size_t next = known.size(); next < runs.size(); ++next) {
          const auto& [file, verb] = runs[next];
          for (const int each : {STDOUT_FILENO, STDERR_FILENO}) {
            if (::ftruncate(each, 0) != 0 || ::lseek(each, 0, SEEK_SET) != 0) std::abort();
          }
          write_file(input_, files[file].bytes);
          const int code = run_here(of_.verbs[verb], files[file].bytes);
          std::fflush(nullptr);
          const std::string out = text_of_file(messages_ / "out");
          const std::string err = text_of_file(messages_ / "err");
          std::ofstream(results, std::ios::app | std::ios::binary)
              << code << ' ' << out.size() << ' ' << err.size() << '\n'
              << out << err;
        }
        return 0;
      });
      counts_.longest_us = std::max(counts_.longest_us, (used_by_children().first - before) / runs.size());
      std::ifstream from(results, std::ios::binary);
      outcome each;
      for (std::size_t out = 0, err = 0; from >> each.code >> out >> err;) {
        from.get();
        each.out.resize(out);
        each.err.resize(err);
        from.read(each.out.data(), static_cast<std::streamsize>(out));
        from.read(each.err.data(), static_cast<std::streamsize>(err));
        known.emplace(runs[known.size()], each);
      }
      from.close();
      std::filesystem::remove(results);
      if (all.code != 0) known.emplace(runs.at(known.size()), all);
    }
    counts_.max_kib = std::max(counts_.max_kib, used_by_children().second);
    return known;
  }

  // With checksums computed again, only decoding finds the damage: a query decodes the columns that it needs.
  void judge(const bad_file& file, std::size_t verb, const outcome& now, const outcome& cat) {
    const tried_verb& what = of_.verbs[verb];
    count(file, what, now.code);
    std::string problem = problem_of(what, now);
    if (verb == cat_verb) {
      // After the header of a copy, the other recording may be whole.
      const bool is_unnoticed = now.code == 0 && now.out != of_.cat.out && now.out != of_.other_cat;
      if (is_unnoticed) ++counts_.unnoticed[file.column];
      if (is_unnoticed && of_.is_checked && file.column != repaired_column) problem = "no report";
    } else if (what.client == verb_client::game && now.code != 1 && cat.code != 1 &&
               shown_ticks(now.out) != lines_of(cat.out).size()) {
      problem = "does not show the ticks that cat prints";
    } else if (const std::vector<std::string> reports = new_reports(cat, of_.cat); what.reads_all) {
      const bool decodes_all = what.name != "query" || file.column != repaired_column;
      // While a reel grows, its last record may still be completed.
      const bool has_sentences = what.client == verb_client::game || what.client == verb_client::page;
      std::string missing;
      if (has_sentences && cat.code == 3 && now.code != 1) missing = first_missing(reports, now.err);
      if (decodes_all && now.code == 0 && !reports.empty())
        problem = "does not report what cat reports: " + cat.err;
      else if (!missing.empty())
        problem = "does not say as cat: " + missing;
    }
    if (!problem.empty())
      add_finding(file, what.name,
                  problem + '\n' + now.out.substr(0, max_shown) + now.err.substr(0, max_shown));
  }
  void add_finding(const bad_file& file, const std::string& verb, const std::string& problem) {
    findings_.push_back(of_.name + ", " + file.what + ", " + verb + ": " + problem);
    const char* const to = std::getenv("TICKREEL_TEST_KEEP");
    if (to == nullptr) return;
    std::filesystem::create_directories(to);
    write_file(std::filesystem::path(to) / (std::to_string(findings_.size()) + "-" + of_.name), file.bytes);
  }

  void count(const bad_file& file, const tried_verb& what, int code) {
    auto& cell = counts_.cells[file.column][static_cast<std::size_t>(what.of)];
    ++cell.runs;
    ++(code == 0 ? cell.done : code == 3 ? cell.reported : cell.failed);
  }

  [[nodiscard]] std::vector<std::string> words_of(const tried_verb& what) const {
    std::vector<std::string> words = what.words;
    const std::string extension = what.extension == "=" ? of_.extension : what.extension;
    for (std::string& each : words) {
      if (each == "INPUT") each = input_;
      if (each == "WHOLE") each = folder_ / "whole" + of_.extension;
      if (each == "FOLDER") each = folder_ / "in";
      if (each == "KEY") each = folder_ / "key";
      if (each == "OUTPUT") each = folder_ / "out/output" + extension;
    }
    return words;
  }

  outcome run(const tried_verb& what, byte_span bytes) {
    const std::uint64_t before = used_by_children().first;
    outcome now = in_child(messages_, [&] { return run_here(what, bytes); });
    if (what.client == verb_client::growing_page) write_file(input_, bytes);
    const auto [us, kib] = used_by_children();
    counts_.longest_us = std::max(counts_.longest_us, us - before);
    counts_.max_kib = std::max(counts_.max_kib, kib);
    return now;
  }
  int run_here(const tried_verb& what, byte_span bytes) const {
    limit_time(bytes.size());
    return run_tried(what, words_of(what), input_, bytes, messages_ / "out");
  }

  // 10 s of the processor for each MB. The signals' usual action ends the process.
  static void limit_time(std::size_t bytes) {
    constexpr std::size_t bytes_per_mb = 1'000'000;
    const auto seconds = static_cast<long>((is_sanitized ? 100 : 10) * (1 + bytes / bytes_per_mb));
    const itimerval limit{{0, 0}, {seconds, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
    ::alarm(10 * static_cast<unsigned>(seconds));
  }
  // Microseconds of the processor, and the most memory of one of them.
  static std::pair<std::uint64_t, std::uint64_t> used_by_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    std::uint64_t us = 0;
    for (const timeval& each : {used.ru_utime, used.ru_stime})
      us += static_cast<std::uint64_t>(each.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(each.tv_usec);
    return {us, static_cast<std::uint64_t>(used.ru_maxrss)};
  }

  // What is wrong with it whatever the damage; empty: nothing.
  [[nodiscard]] std::string problem_of(const tried_verb& what, const outcome& now) const {
    if (now.code != 0 && now.code != 1 && now.code != 3) return "exit code " + std::to_string(now.code);
    const bool is_silent = now.out.empty() && now.err.empty() && !what.words.empty();
    if (now.code != 0 && is_silent) return "exit code " + std::to_string(now.code) + " without a reason";
    bool wrote = false;
    for (const auto& each : std::filesystem::directory_iterator(folder_.path() / "out")) {
      const std::string name = each.path().filename().string();
      if (name.find(".part") != std::string::npos || !name.starts_with("output"))
        return "leaves the file " + name;
      wrote = true;
    }
    if (!is_sanitized && counts_.max_kib > max_kib) return "more than 256 MiB of memory";
    if (what.extension.empty() || what.extension == ".db") return {};
    if (now.code == 1 && wrote) return "fails and leaves an output";
    if (now.code != 1 && !wrote) return "works without an output";
    return {};
  }

  static constexpr std::uint64_t max_kib = 256u << 10;
  static constexpr std::size_t max_shown = 1000;

  const whole_recording& of_;
  scratch_folder folder_;
  scratch_folder messages_;
  std::string input_;
  bad_input_counts counts_;
  std::vector<std::string> findings_;
};

}  // namespace tickreel::test
