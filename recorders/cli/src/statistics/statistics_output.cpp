#include "statistics_output.hpp"

#include <fmt/format.h>

#include <utility>

#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/session_choice.hpp"
#include "tickreel/files/trailing_bytes.hpp"

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

// Holds the outcome of one file until its turn to be written. Matches that another file may also hold wait
// until all files are read; the others are already text.
struct file_rows {
  struct match {
    std::size_t number = 0;  // in the file, from 1
    files::match_rows rows;
    std::string text;
  };
  std::vector<match> matches;
  std::vector<std::string> losses;
  bool skipped_losses = false;
};

bool is_not_statistics(const error& what) noexcept {
  return what.code == error_code::not_recognised || what.code == error_code::unsupported_operation;
}

class statistics_run {
 public:
  statistics_run(const std::vector<named_file>& inputs, statistics_style style, bool sums_only)
      : inputs_(&inputs), writer_(make_writer(style, sums_only)), sums_only_(sums_only) {}

  int run() {
    if (inputs_->empty()) {
      report_no_files();
      return failed;
    }
    standard_output().write(writer_->begin());
    std::vector<std::string> names;
    names.reserve(inputs_->size());
    for (const named_file& each : *inputs_) names.push_back(each.file);
    const int code = run_batch(names, "counting", [this](std::size_t at, const files::monitor& watch) {
      return look_at((*inputs_)[at], watch);
    });
    if (interrupted_ || stop_requested()) return failed;
    // The output is closed; the caller that ends the output reports the reason.
    if (!standard_output().ok()) return code;
    standard_output().write(write_waiting());
    standard_output().write(writer_->end(sums_, left_out_));
    if (skipped_losses_ != 0) {
      report_error(counted(skipped_losses_, "file in a folder was skipped: it holds",
                           "files in folders were skipped: they hold") +
                   " no players' statistics");
    }
    if (counted_ == 0 && !left_out_.empty()) {
      report_error("no match is counted: every file is a part of a match; name the whole recordings");
      return code == done ? done_with_loss : code;
    }
    return code;
  }

 private:
  file_outcome look_at(const named_file& input, const files::monitor& watch) {
    auto rows = std::make_shared<file_rows>();
    file_outcome out;
    const result<void> read_result = read(input.file, watch, *rows);
    out.left_out = !rows->losses.empty();
    if (!read_result) {
      rows->skipped_losses = input.found_in_folder && is_not_statistics(read_result.error());
      if (!rows->skipped_losses) out.failure = read_result.error();
    }
    const std::string file = input.file;
    out.in_turn = [this, rows, file](file_outcome& at) { take(file, *rows, at); };
    return out;
  }

  result<void> read(const std::string& file, const files::monitor& watch, file_rows& into) const {
    auto opened = files::open(file);
    if (!opened) return fail(opened.error());
    const auto counted = (*opened)->statistics(
        [&](const files::match_rows& match) {
          file_rows::match& one = into.matches.emplace_back();
          one.number = into.matches.size();
          one.rows = match;
          if (!sums_only_ && !may_be_left_out(file, match)) {
            one.text = writer_->match(file, one.number, match);
          }
          if (sums_only_ || !one.text.empty()) forget_details(one.rows);
          return !watch.stop();
        },
        watch);
    into.losses = (*opened)->losses();
    return counted ? files::add_trailing_bytes(file, into.losses) : counted;
  }

  static bool may_be_left_out(const std::string& file, const files::match_rows& match) {
    return match.has_match_id || is_clip(file, match);
  }
  static bool is_clip(const std::string& file, const files::match_rows& match) {
    return !match.cut_from.empty() || (match.has_match_id && files::has_clip_name(file_path(file)));
  }
  // Only the text needs them.
  static void forget_details(files::match_rows& rows) {
    for (files::player_row& each : rows.players) {
      each.by_minute.clear();
      each.build_order.clear();
    }
  }

  void take(const std::string& file, file_rows& from, file_outcome& out) {
    if (from.skipped_losses) ++skipped_losses_;
    if (out.failure && out.failure->code == error_code::interrupted) interrupted_ = true;
    for (file_rows::match& each : from.matches) {
      if (waiting_.empty() && !may_be_left_out(file, each.rows)) {
        out.text += write(file, each);
      } else {
        waiting_.push_back({file, !from.losses.empty(), std::move(each)});
      }
    }
    for (const std::string& each : from.losses) report_note(file, each);
  }

  // Adds a counted match, or a part of one, to the sums.
  std::string write(const std::string& file, const file_rows::match& one,
                    std::optional<std::size_t> parts_of = std::nullopt) {
    sums_.add(one.rows, parts_of);
    ++counted_;
    if (sums_only_) return {};
    std::string out;
    if (std::exchange(any_, true)) out += writer_->between();
    out += one.text.empty() ? writer_->match(file, one.number, one.rows) : one.text;
    return out;
  }

  // Writes all waiting matches without those that do not count, which are reported.
  std::string write_waiting() {
    std::vector<files::session_recording> all;
    for (const waiting_match& each : waiting_) {
      const files::match_rows& rows = each.match.rows;
      all.push_back({rows.has_match_id ? files::match_key(rows.session, rows.map) : std::string(), each.file,
                     rows.started_ms, rows.duration_ms, each.has_losses, is_clip(each.file, rows)});
    }
    const auto choices = files::choose_recordings(all);
    std::string out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].outcome == files::choice::counts) {
        const auto parts_of = choices[i].is_part ? std::optional(choices[i].chosen) : std::nullopt;
        out += write(waiting_[i].file, waiting_[i].match, parts_of);
        continue;
      }
      std::string why = files::sentence(choices[i], all);
      report_note(waiting_[i].file, why);
      left_out_.push_back({waiting_[i].file, waiting_[i].match.number, std::move(why)});
    }
    return out;
  }

  struct waiting_match {
    std::string file;
    bool has_losses = false;
    file_rows::match match;
  };

  const std::vector<named_file>* inputs_;
  std::unique_ptr<statistics_writer> writer_;
  bool sums_only_;
  bool any_ = false;
  bool interrupted_ = false;
  std::size_t skipped_losses_ = 0;
  std::size_t counted_ = 0;  // matches
  std::vector<waiting_match> waiting_;
  std::vector<left_out_match> left_out_;
  files::statistics_sums sums_;
};

}  // namespace

int print_statistics(const std::vector<named_file>& inputs, statistics_style style, bool sums_only) {
  return statistics_run(inputs, style, sums_only).run();
}

}  // namespace tickreel::cli
