// One chain of verbs on one recording: runs them in forked processes, and checks what is true of every run and of every copy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "chain_recordings.hpp"
#include "lines.hpp"
#include "printed_ticks.hpp"
#include "run_in_child.hpp"
#include "wrong_plural.hpp"

namespace tickreel::test {

// A broken relation.
struct finding {
  std::string what;
};

// A line of `cat` without numbers and times, which formats and clips count differently.
inline std::string_view state_of(std::string_view line) {
  for (const std::string_view begin : {"\"recorded_time\":", "\"game_seed\":"}) {
    const std::size_t at = line.substr(0, 160).find(begin);
    if (at != std::string_view::npos) return line.substr(at);
  }
  std::size_t at = 0;
  for (int comma = 0; comma < 2 && at != std::string_view::npos; ++comma) at = line.find(',', at + 1);
  return at == std::string_view::npos ? line : line.substr(at);
}

inline std::vector<std::string_view> states_of(const std::vector<std::string>& lines) {
  std::vector<std::string_view> states;
  for (const std::string& each : lines) states.push_back(state_of(each));
  return states;
}

inline std::string text_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + key.size());
  return std::string(rest.substr(0, rest.find('"')));
}

// A .rec may end with a line of bytes that are no tick.
inline std::vector<std::string> ticks_of(const std::string& printed) {
  std::vector<std::string> lines = lines_of(printed);
  std::erase_if(lines, [](const std::string& each) { return !each.starts_with("{\"tick\":"); });
  return lines;
}

// True if `part` is contained in `whole` in the same order.
inline bool is_part_of(const std::vector<std::string_view>& part,
                       const std::vector<std::string_view>& whole) {
  auto at = whole.begin();
  for (const std::string_view each : part) {
    at = std::find(at, whole.end(), each);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

// One chain: its files, its current recording, and the commands.
class chain {
 public:
  explicit chain(std::uint64_t seed) {
    generator random(seed);
    kind_ = &one_of(random, recording_kinds);
    path_ = folder_ / (std::string("0") + kind_->extension);
    kind_->make(path_, random);
    before_ = listing();
    look();
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& extension() const { return extension_; }
  [[nodiscard]] const std::string& commands() const { return commands_; }
  [[nodiscard]] const scratch_folder& folder() const { return folder_; }
  [[nodiscard]] bool is_echo() const { return is_echo_; }
  [[nodiscard]] bool is_readable() const { return cat_.code == 0 || cat_.code == 3; }
  [[nodiscard]] bool is_damaged() const { return is_damaged_; }
  [[nodiscard]] const outcome& cat() const { return cat_; }
  [[nodiscard]] const std::string& format() const { return format_; }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

  [[noreturn]] void fail_with(const std::string& what) const { throw finding{what}; }
  void check(bool holds, const std::string& what) const {
    if (!holds) fail_with(what);
  }

  // Runs a verb. Checks what is true of every run: a documented exit code, a reason in correct English, no file but the output.
  outcome run(const std::vector<std::string>& words, const std::string& output = {}) {
    note(words);
    const outcome said = run_verb_in_child(messages_, words);
    check(said.code <= 3, "exit code " + std::to_string(said.code) + ": " + said.err);
    const std::string wrong =
        wrong_plural_in(said.err) + (words.front() == "cat" ? "" : wrong_plural_in(said.out));
    check(wrong.empty(), "a plural after 1: " + wrong);
    if (said.code == 1 || said.code == 2) {
      check(!said.err.empty() || !said.out.empty(), "no reason for exit code " + std::to_string(said.code));
      if (words.front() != "verify" && words.front() != "diff") {
        check(said.err.find("tickreel: ") != std::string::npos, "no message: " + said.err);
      }
    }
    const std::set<std::string> now = listing();
    for (const std::string& each : now) {
      if (before_.contains(each)) continue;
      const bool is_output = !output.empty() && each.starts_with(stem_of(output));
      check(is_output && (said.code == 0 || said.code == 3),
            "exit code " + std::to_string(said.code) + " left " + each + ": " + said.err);
    }
    for (const std::string& each : before_) check(now.contains(each), "removed " + each);
    if (!output.empty()) {
      check(std::filesystem::exists(output) == (said.code == 0 || said.code == 3) ||
                before_.size() < now.size(),
            "exit code " + std::to_string(said.code) + " without output: " + said.err);
    }
    before_ = now;
    return said;
  }

  std::string new_output(const std::string& extension) {
    return folder_ / (std::to_string(++outputs_) + extension);
  }

  // The chain made files without a verb.
  void accept_files() { before_ = listing(); }

  // The current recording is now `path`.
  void take(const std::string& path) {
    if (!std::filesystem::exists(path)) return;
    path_ = path;
    look();
  }
  void damage(byte_vector bytes) {
    const std::string path = new_output(extension_);
    write_file(path, bytes);
    commands_ += "(damaged " + path_ + " -> " + path + ")\n";
    before_ = listing();
    is_damaged_ = true;
    path_ = path;
    look();
  }

  std::vector<std::string> cat_of(const std::string& path, outcome& said) {
    said = run({"cat", path});
    return ticks_of(said.out);
  }

 private:
  static std::string stem_of(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.substr(0, name.rfind('.'));
  }
  std::set<std::string> listing() const {
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(folder_.path())) {
      names.insert(each.path().filename().string());
    }
    return names;
  }
  void note(const std::vector<std::string>& words) {
    commands_ += "tickreel";
    for (const std::string& each : words) commands_ += ' ' + shell_word(each);
    commands_ += '\n';
  }

  void look() {
    extension_ = std::filesystem::path(path_).extension().string();
    const outcome info = run({"info", "--json", path_});
    format_ = text_after(info.out, "\"format\":\"");
    lines_ = cat_of(path_, cat_);
    is_echo_ =
        !lines_.empty() && lines_.front().substr(0, 200).find("\"recorded_time\":") != std::string::npos;
    if (!is_readable()) return;
    const outcome verify = run({"verify", path_});
    if (cat_.code == 3) {
      check(verify.code != 0, "cat reports a loss and verify does not: " + cat_.err);
    } else {
      check(is_damaged_ || verify.code != 1, "verify rejects what cat reads: " + verify.out + verify.err);
    }
    check(info.code == 0 || info.code == 3 || lines_.empty(), "info fails on what cat reads: " + info.err);
    // An .icrep has a line per keyframe, a gamecache a line per game.
    if (is_echo_ || format_ == "rec") {
      check(number_after(info.out, "\"ticks\":") == lines_.size(),
            "info counts " + std::to_string(number_after(info.out, "\"ticks\":")) + " ticks, cat prints " +
                std::to_string(lines_.size()));
    }
    const std::string health = text_after(info.out, "\"health\":\"");
    // Values that no tick shows are listed by `info` with exit code 3, and lost ticks are counted, whatever the health.
    const std::string lost_ticks = text_after(info.out, "\"lost_ticks\":");
    check(health != "whole" || info.code == 3 || verify.code != 3 ||
              (!lost_ticks.empty() && !lost_ticks.starts_with("0,")),
          "info says whole without lost ticks, and verify reports a loss: " + verify.out);
    // Of these, other members or implausible values are damaged; `verify` lists them.
    if ((health == "damaged" || health == "incomplete") && format_ != "sc2replay" && format_ != "rec") {
      check(cat_.code == 3, "info says " + health + ", and cat reports nothing");
    }
  }

  scratch_folder folder_;
  scratch_folder messages_;
  const recording_kind* kind_ = nullptr;
  std::string path_;
  std::string extension_;
  std::string format_;
  std::string commands_;
  std::set<std::string> before_;
  outcome cat_;
  std::vector<std::string> lines_;
  unsigned outputs_ = 0;
  bool is_echo_ = false;
  bool is_damaged_ = false;
};

inline std::string first_difference(const std::vector<std::string_view>& one,
                                    const std::vector<std::string_view>& other) {
  std::ostringstream text;
  text << one.size() << " and " << other.size() << " ticks";
  const auto [left, right] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (left == one.end() || right == other.end()) return text.str();
  const auto at = std::mismatch(left->begin(), left->end(), right->begin(), right->end());
  const auto begin = static_cast<std::size_t>(at.first - left->begin());
  const std::size_t from = begin < 60 ? 0 : begin - 60;
  text << ", tick " << left - one.begin() << ":\n  " << left->substr(from, 160) << "\n  "
       << right->substr(from, 160);
  return text.str();
}

// A copy with the same ticks: an output that the chain continues with. A reported loss stays reported.
inline void check_copy(chain& of, const outcome& said, const std::string& output, bool same_text,
                       bool same_count = true) {
  if (said.code == 1 || said.code == 2) return;
  if (of.cat().code == 3) of.check(said.code == 3, "the loss of the input is not reported: " + of.cat().err);
  if (!std::filesystem::exists(output)) return;
  outcome cat;
  const std::vector<std::string> lines = of.cat_of(output, cat);
  of.check(cat.code == 0 || cat.code == 3, "the output is unreadable: " + cat.err);
  const bool is_one_file =
      !std::filesystem::exists(output.substr(0, output.rfind('.')) + "-2" + output.substr(output.rfind('.')));
  const auto before = states_of(of.lines());
  const auto after = states_of(lines);
  if (said.code == 0) {
    of.check(cat.code == 0, "a copy with exit code 0 reports a loss: " + cat.err);
    if (is_one_file && same_count) {
      of.check(after.size() == before.size(), "the copy has other ticks: " + first_difference(before, after));
    }
  }
  if (same_text && is_one_file) {
    of.check(said.code == 0 && same_count ? after == before : is_part_of(after, before),
             "the copy differs: " + first_difference(before, after));
  }
}

inline void must_work(chain& of, const outcome& said) {
  if (!of.is_damaged())
    of.check(said.code == 0 || said.code == 3, "a whole recording is refused: " + said.err);
}

}  // namespace tickreel::test
