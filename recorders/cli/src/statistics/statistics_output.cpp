#include "statistics_output.hpp"

#include <fmt/format.h>

#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

namespace {

std::unique_ptr<statistics_writer> make_writer(statistics_style style, bool sums_only) {
  switch (style) {
    case statistics_style::csv:
      return make_csv_writer(sums_only);
    case statistics_style::json:
      return make_json_writer();
    case statistics_style::page:
      return make_page_writer();
    case statistics_style::tables:
      break;
  }
  return make_table_writer();
}

// What came of one file, until its turn to be written comes.
struct file_rows {
  std::vector<files::match_rows> matches;
  std::vector<std::string> texts;
  std::vector<std::string> losses;
  bool passed_over = false;
};

bool says_nothing(const error& what) noexcept {
  return what.code == error_code::not_recognised || what.code == error_code::unsupported_operation;
}

class statistics_run {
 public:
  statistics_run(const std::vector<statistics_input>& inputs, statistics_style style, bool sums_only)
      : inputs_(&inputs), writer_(make_writer(style, sums_only)), sums_only_(sums_only) {}

  int run() {
    if (inputs_->empty()) {
      report_error("there are no files to look at");
      return failed;
    }
    standard_output().write(writer_->begin());
    std::vector<std::string> names;
    names.reserve(inputs_->size());
    for (const statistics_input& each : *inputs_) names.push_back(each.file);
    const int code = run_batch(names, "counting", [this](std::size_t at, const files::monitor& watch) {
      return look_at((*inputs_)[at], watch);
    });
    if (interrupted_ || stop_requested()) return failed;
    // Nobody takes the rest; why that is is for whoever ends the output.
    if (!standard_output().ok()) return code;
    standard_output().write(writer_->end(sums_));
    if (passed_over_ != 0) {
      report_error(
          fmt::format("{} files in folders are passed over: they hold no players' statistics", passed_over_));
    }
    return code;
  }

 private:
  file_outcome look_at(const statistics_input& input, const files::monitor& watch) {
    auto rows = std::make_shared<file_rows>();
    file_outcome out;
    const result<void> done_so_far = read(input.file, watch, *rows);
    out.left_out = !rows->losses.empty();
    if (!done_so_far) {
      rows->passed_over = input.found_in_folder && says_nothing(done_so_far.error());
      if (!rows->passed_over) out.failure = done_so_far.error();
    }
    const std::string file = input.file;
    out.in_turn = [this, rows, file](file_outcome& at) { take(file, *rows, at); };
    return out;
  }

  result<void> read(const std::string& file, const files::monitor& watch, file_rows& into) const {
    auto opened = files::open(file);
    if (!opened) return fail(opened.error());
    const auto told = (*opened)->statistics(
        [&](const files::match_rows& match) {
          if (!sums_only_) into.texts.push_back(writer_->match(file, into.matches.size() + 1, match));
          into.matches.push_back(match);
          // Only the text needs them.
          for (files::player_row& each : into.matches.back().players) {
            each.by_minute.clear();
            each.build_order.clear();
          }
          return !watch.stop();
        },
        watch);
    into.losses = (*opened)->losses();
    return told;
  }

  void take(const std::string& file, const file_rows& from, file_outcome& out) {
    if (from.passed_over) ++passed_over_;
    if (out.failure && out.failure->code == error_code::interrupted) interrupted_ = true;
    for (const std::string& each : from.texts) {
      if (any_) out.text += writer_->between();
      out.text += each;
      any_ = true;
    }
    for (const files::match_rows& each : from.matches) sums_.add(each);
    for (const std::string& each : from.losses) report_note(file, each);
  }

  const std::vector<statistics_input>* inputs_;
  std::unique_ptr<statistics_writer> writer_;
  bool sums_only_;
  bool any_ = false;
  bool interrupted_ = false;
  std::size_t passed_over_ = 0;
  files::statistics_sums sums_;
};

}  // namespace

int print_statistics(const std::vector<statistics_input>& inputs, statistics_style style, bool sums_only) {
  return statistics_run(inputs, style, sums_only).run();
}

}  // namespace tickreel::cli
