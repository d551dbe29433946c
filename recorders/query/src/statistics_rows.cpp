#include "statistics_rows.hpp"

#include "inputs.hpp"
#include "path_values.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/session_choice.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::query {

namespace {

// The matches of one file.
struct file_matches {
  std::vector<files::match_rows> matches;
  std::vector<std::string> losses;
  std::optional<error> failure;
};

file_matches read_matches(const input& from, const files::monitor& watch) {
  file_matches out;
  if (watch.stop()) return out;
  auto opened = open_recording(from);
  if (!opened) {
    out.failure = opened.error();
    return out;
  }
  const auto counted = (*opened)->statistics(
      [&](const files::match_rows& match) {
        out.matches.push_back(match);
        for (files::player_row& each : out.matches.back().players) {
          each.by_minute.clear();
          each.build_order.clear();
        }
        return !watch.stop();
      },
      watch);
  out.losses = (*opened)->losses();
  const auto read = counted ? add_trailing_bytes(from, out.losses) : counted;
  if (!read) out.failure = read.error();
  return out;
}

value text_or_null(const std::string& text) {
  return text.empty() ? value() : value(text);
}

// As `stats --csv` names them.
std::string uncertain_names(const files::player_row& row) {
  std::string out;
  for (std::size_t at = 0; at < files::statistic_count; ++at) {
    if (!row.uncertain.test(at)) continue;
    if (!out.empty()) out += ' ';
    out += files::column_of(static_cast<files::statistic>(at)).name;
  }
  return out;
}

std::vector<value> values_of(const files::match_rows& match, std::size_t number,
                             const files::player_row& row) {
  std::vector<value> out = {static_cast<std::int64_t>(number),
                            text_or_null(match.format),
                            text_or_null(match.session),
                            text_or_null(match.map),
                            text_or_null(echo::format_to_seconds(match.started_ms)),
                            match.duration_ms,
                            row.player,
                            number_or_text(row.id),
                            number_or_text(row.team),
                            text_or_null(row.result),
                            std::int64_t{row.partial ? 1 : 0},
                            text_or_null(uncertain_names(row))};
  for (const std::optional<double>& each : row.values) {
    value& to = out.emplace_back();
    if (each) to = *each;
  }
  return out;
}

}  // namespace

statistics_reading read_statistics(const std::vector<input>& inputs, std::size_t threads,
                                   const files::monitor& watch) {
  std::vector<file_matches> all(inputs.size());
  {
    workers::worker_pool pool(threads);
    for (std::size_t file = 0; file < inputs.size(); ++file) {
      pool.add([&, file] { all[file] = read_matches(inputs[file], watch); });
    }
    pool.finish();
  }
  statistics_reading out;
  std::vector<files::session_recording> candidates;
  for (std::size_t file = 0; file < inputs.size(); ++file) {
    out.failures.push_back(all[file].failure);
    for (const files::match_rows& each : all[file].matches) {
      const bool is_clip =
          !each.cut_from.empty() || (each.has_match_id && files::has_clip_name(file_path(inputs[file].file)));
      candidates.push_back({each.has_match_id ? files::match_key(each.session, each.map) : std::string(),
                            inputs[file].file, each.started_ms, each.duration_ms, !all[file].losses.empty(),
                            is_clip});
    }
  }
  const auto choices = files::choose_recordings(candidates);
  std::size_t at = 0;
  for (std::size_t file = 0; file < inputs.size(); ++file) {
    for (std::size_t number = 0; number < all[file].matches.size(); ++number, ++at) {
      if (choices[at].outcome != files::choice::counts) {
        out.notes.push_back(inputs[file].file + ": " + files::sentence(choices[at], candidates));
        continue;
      }
      const files::match_rows& match = all[file].matches[number];
      for (const files::player_row& row : match.players) {
        out.lines.push_back({file, values_of(match, number + 1, row)});
      }
    }
    out.losses.push_back(std::move(all[file].losses));
  }
  return out;
}

}  // namespace tickreel::query
