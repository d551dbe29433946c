#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "match_report.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/text/utc.hpp"
#include "words.hpp"

namespace tickreel::viewer {

void append_table(const html_rows& rows, std::string_view kind, std::string& html) {
  if (rows.size() < 2) return;
  html += fmt::format("<div class=\"table\" tabindex=\"0\"><table class=\"{}\">\n<thead>", kind);
  for (const std::vector<std::string>& row : rows) {
    const bool head = &row == &rows.front();
    if (!head && &row == &rows[1]) html += "</thead>\n<tbody>\n";
    html += "<tr>";
    for (std::size_t at = 0; at < row.size(); ++at) {
      const bool names = head || at == 0;
      const char* const scope = head ? " scope=\"col\"" : " scope=\"row\"";
      html += names ? fmt::format("<th{}>{}</th>", scope, row[at]) : fmt::format("<td>{}</td>", row[at]);
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
}

std::string_view team_style(std::string_view team, std::size_t number) noexcept {
  if (team == "blue") return "blue";
  if (team == "orange") return "orange";
  return series_style(number);
}

std::string when_text(std::int64_t unix_ms) {
  const std::int64_t seconds = unix_ms >= 0 ? unix_ms / 1000 : -((999 - unix_ms) / 1000);
  const std::string text = text::utc_text(seconds);  // 2020-07-28T21:53:36Z
  return text.size() < 16 ? text : text.substr(0, 10) + " " + text.substr(11, 5) + " UTC";
}

std::string contents_line(const match_report& match) {
  std::string out;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : ", ") + text;
  };
  if (match.started_ms) {
    constexpr std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::string text = when_text(*match.started_ms);  // 2020-07-28 21:53 UTC
    const auto digit = [&](std::size_t at) { return static_cast<std::size_t>(text[at] - '0'); };
    const std::size_t month = text.size() == 20 ? digit(5) * 10 + digit(6) : 0;
    if (month >= 1 && month <= std::size(months)) {
      add(fmt::format("{} {} {}", digit(8) * 10 + digit(9), months[month - 1], text.substr(0, 4)));
    }
  }
  // Of sides with points the score, of others who won.
  std::string winners, losers;
  bool counted = match.score.size() == 2;
  for (const score_side& each : match.score) {
    (each.won ? winners : losers) += (((each.won ? winners : losers).empty()) ? "" : ", ") + each.name;
    counted =
        counted && !each.points.empty() && each.points.find_first_not_of("0123456789.") == std::string::npos;
  }
  if (counted) {
    add(fmt::format("{} {} : {} {}", match.score[0].name, match.score[0].points, match.score[1].points,
                    match.score[1].name));
  } else if (!winners.empty() && !losers.empty()) {
    add(winners + " beat " + losers);
  }
  add(time_text(match.seconds));
  return out;
}

void add_facts(const files::summary& from, match_report& to) {
  const auto add = [&](std::string name, std::string text) {
    to.facts.emplace_back(std::move(name), std::move(text));
  };
  const files::format* const known = files::find_format(from.format);
  const std::string_view title = known == nullptr || known->title.empty() ? from.format : known->title;
  add("format", fmt::format("{}, version {}", title, from.format_version));
  add("file", fmt::format("{}, {}, {}", size_text(from.bytes), counted(from.ticks, "tick"),
                          files::name(from.health)));
  constexpr std::size_t most = 80;
  for (const files::fact& each : from.facts) {
    if (to.facts.size() == most) break;
    // A page is meant to be sent: it does not contain the server's address.
    if (each.key == "session_ip") continue;
    add(label_of(each.key), text_of(each));
  }
}

namespace {

std::string clock_of(const listed_event& one) {
  return one.clock ? time_text(*one.clock) : std::string();
}

void append_score(const match_report& match, std::string& html) {
  if (match.score.empty()) return;
  html += "<div class=\"score\">";
  for (const score_side& each : match.score) {
    html += fmt::format("<div class=\"side {}{}\"><span class=\"team\">{}</span><b>{}</b></div>", each.style,
                        each.won ? " won" : "", safe(each.name, 80), safe(each.points));
  }
  html += "</div>\n";
  if (!match.score_note.empty()) html += fmt::format("<p class=\"note\">{}</p>\n", safe(match.score_note));
}

void append_losses(const match_report& match, std::string& html) {
  if (match.losses.empty()) return;
  html += "<div class=\"losses\"><h2>Missing in this recording</h2><ul>\n";
  constexpr std::size_t most = 50;
  for (std::size_t at = 0; at < std::min(most, match.losses.size()); ++at) {
    html += fmt::format("<li>{}</li>\n", safe(match.losses[at]));
  }
  if (match.losses.size() > most) html += fmt::format("<li>and {} more</li>\n", match.losses.size() - most);
  html += "</ul></div>\n";
}

// Players are columns: there are fewer of them than of values.
void append_players(const match_report& match, std::string& html) {
  constexpr std::size_t max_shown_columns = 16;
  std::vector<const files::player_row*> players;
  for (const files::player_row& each : match.rows.players) players.push_back(&each);
  if (players.empty()) return;
  // By team, in order of first occurrence.
  std::map<std::string_view, std::size_t> teams;
  for (const files::player_row* each : players) teams.emplace(each->team, teams.size());
  std::ranges::stable_sort(players, [&](const files::player_row* a, const files::player_row* b) {
    return a->team != b->team && teams[a->team] < teams[b->team];
  });
  html += "<section><h2>Players</h2>\n";
  bool any_doubt = false, any_partial = false;
  for (std::size_t first = 0; first < players.size(); first += max_shown_columns) {
    const std::size_t end = std::min(players.size(), first + max_shown_columns);
    const std::vector<const files::player_row*> part(players.begin() + static_cast<std::ptrdiff_t>(first),
                                                     players.begin() + static_cast<std::ptrdiff_t>(end));
    html_rows rows(1);
    rows.front().emplace_back("player");
    std::vector<std::string> sides = {"team"}, results = {"result"};
    for (const files::player_row* each : part) {
      const auto number = static_cast<std::size_t>(each - match.rows.players.data());
      const std::string_view style = team_style(each->team, number);
      any_partial = any_partial || each->partial;
      rows.front().push_back(fmt::format("<span class=\"name{}\">{}{}</span>",
                                         each->team.empty() ? "" : fmt::format(" mark {}", style),
                                         safe(each->player, 80), each->partial ? " *" : ""));
      sides.push_back(safe(each->team, 80));
      results.push_back(safe(each->result));
    }
    const auto any = [](const std::vector<std::string>& of) {
      return std::any_of(of.begin() + 1, of.end(), [](const std::string& each) { return !each.empty(); });
    };
    if (any(sides)) rows.push_back(sides);
    if (any(results)) rows.push_back(results);
    for (const files::statistic which : files::columns_in_use(part)) {
      std::vector<std::string> row = {safe(label_of(files::column_of(which).name))};
      bool all_zero = true;
      for (const files::player_row* each : part) {
        const auto& value = each->get(which);
        const bool doubt = each->uncertain.test(static_cast<std::size_t>(which));
        all_zero = all_zero && (!value || *value == 0);
        any_doubt = any_doubt || (value && doubt);
        row.push_back(value ? number_text(*value, std::abs(*value) >= 100 ? 1 : 0.1) + (doubt ? "?" : "")
                            : "");
        // Whole numbers are counts.
        if (value && *value == std::floor(*value)) row.back() = number_text(*value, 1) + (doubt ? "?" : "");
      }
      // Rows without any value are omitted, such as kinds of goals that were not scored.
      if (!all_zero) rows.push_back(std::move(row));
    }
    append_table(rows, "players", html);
  }
  if (any_doubt) {
    html += "<p class=\"note\">A question mark: the value depends on lost ticks or events.</p>\n";
  }
  if (any_partial) {
    html +=
        "<p class=\"note\">* had played before the recording began; only the recorded part is counted.</p>\n";
  }
  html += "</section>\n";
}

void append_possession(const match_report& match, std::string& html) {
  double all = 0;
  for (const share_of_time& each : match.possession) all += each.seconds;
  if (!(all > 0)) return;
  html += "<section><h2>Possession</h2>\n<div class=\"shares\">";
  for (const share_of_time& each : match.possession) {
    const double share = each.seconds / all * 100;
    if (share < 0.05) continue;
    html += fmt::format(
        "<div class=\"share {}\"><svg viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\"><rect class=\"ground\" width=\"100\" height=\"4\"/>"
        "<rect class=\"fill\" width=\"{:.1f}\" height=\"4\"/></svg>"
        "<span>{}</span> <b>{:.0f} %</b> <small>{}</small></div>",
        each.style, share, safe(each.name, 80), share, time_text(each.seconds));
  }
  html += "</div>\n";
  if (match.possession_strip) {
    std::vector<std::pair<std::string, std::string_view>> owners;
    for (const share_of_time& each : match.possession) owners.emplace_back(each.name, each.style);
    append_strip("Who had it when", *match.possession_strip, owners, match.seconds, html);
  }
  html += "</section>\n";
}

void append_passes(const match_report& match, std::string& html) {
  const event_log::passes_by_pair& passes = match.events.passes();
  if (passes.empty()) return;
  constexpr std::size_t max_people = 16;
  std::vector<std::string> people;
  const auto note = [&](const std::string& name) {
    if (std::ranges::find(people, name) == people.end()) people.push_back(name);
  };
  // In the order of the players' table.
  for (const files::player_row& each : match.rows.players) {
    const bool takes_part = std::ranges::any_of(passes, [&](const auto& pair) {
      return pair.first.first == each.player || pair.first.second == each.player;
    });
    if (takes_part) note(each.player);
  }
  for (const auto& [pair, count] : passes) note(pair.first), note(pair.second);
  if (people.size() > max_people) people.resize(max_people);
  html_rows rows(1);
  rows.front().emplace_back("from \\ to");
  for (const std::string& each : people) rows.front().push_back(each.empty() ? "unknown" : safe(each, 80));
  for (const std::string& from : people) {
    std::vector<std::string> row = {from.empty() ? "unknown" : safe(from, 80)};
    for (const std::string& to : people) {
      const auto found = passes.find({from, to});
      row.push_back(found == passes.end() ? "" : std::to_string(found->second));
    }
    rows.push_back(std::move(row));
  }
  html += "<section><h2>Passes</h2>\n";
  append_table(rows, "passes", html);
  html += "</section>\n";
}

void append_charts(const match_report& match, std::string& html) {
  if (match.charts.empty() && match.fields_left_out.empty()) return;
  html += "<section><h2>Over time</h2>\n<div class=\"charts\">\n";
  for (const chart& each : match.charts) {
    std::vector<drawn_curve> lines;
    for (const chart::series& line : each.lines) lines.push_back({line.name, line.style, &line.line});
    append_chart(each.title, each.unit, lines, html);
  }
  html += "</div>\n";
  if (!match.fields_left_out.empty())
    html += fmt::format("<p class=\"note\">{}</p>\n", safe(match.fields_left_out));
  html += "</section>\n";
}

void append_listing(std::string_view title, const std::vector<const listed_event*>& events, bool with_kind,
                    std::string& html) {
  if (events.empty()) return;
  const bool clocks =
      std::ranges::any_of(events, [](const listed_event* each) { return each->clock.has_value(); });
  html_rows rows(1);
  rows.front() = {"time"};
  if (clocks) rows.front().emplace_back("game clock");
  if (with_kind) {
    rows.front().emplace_back("what happened");
  } else {
    rows.front().insert(rows.front().end(), {"who", "what"});
  }
  for (const listed_event* each : events) {
    std::vector<std::string> row = {time_text(each->seconds)};
    if (clocks) row.push_back(clock_of(*each));
    if (with_kind) {
      const std::string details = each->what.empty() || each->who.empty() ? each->what : ' ' + each->what;
      // The letters of a name must not affect the order of the words after it.
      const std::string who = each->who.empty() ? std::string() : "<bdi>" + safe(each->who, 80) + "</bdi>";
      row.push_back(each->is_sentence
                        ? who + safe(details)
                        : safe(label_of(each->kind), 80) + (who.empty() && details.empty() ? "" : ": ") +
                              who + safe(details));
    } else {
      row.push_back(safe(each->who, 80));
      row.push_back(safe(each->what));
    }
    rows.push_back(std::move(row));
  }
  if (!title.empty()) html += fmt::format("<h3>{}</h3>\n", title);
  append_table(rows, "listing", html);
}

std::vector<const listed_event*> addresses(const std::vector<listed_event>& of) {
  std::vector<const listed_event*> out;
  for (const listed_event& each : of) out.push_back(&each);
  return out;
}

void append_events(const match_report& match, std::string& html) {
  if (match.events.all() == match.events.protocol()) return;
  html += "<section><h2>Events</h2>\n";
  append_listing("Goals", addresses(match.events.goals()), false, html);
  append_listing("What was said", addresses(match.events.texts()), false, html);
  // Counts of events per player, for the most active players.
  std::map<std::string, std::uint64_t> totals;
  for (const auto& [kind, count] : match.events.kinds()) {
    for (const auto& [name, times] : count.by_player) {
      if (!name.empty()) totals[name] += times;
    }
  }
  std::vector<std::string> people;
  for (const auto& [name, times] : totals) people.push_back(name);
  std::ranges::stable_sort(people,
                           [&](const std::string& a, const std::string& b) { return totals[a] > totals[b]; });
  if (people.size() > 12) people.resize(12);
  html_rows rows(1);
  rows.front() = {"events", "all"};
  for (const std::string& each : people) rows.front().push_back(safe(each, 80));
  for (const auto& [kind, count] : match.events.kinds()) {
    std::vector<std::string> row = {safe(label_of(kind), 80), std::to_string(count.all)};
    for (const std::string& each : people) {
      const auto found = count.by_player.find(each);
      row.push_back(found == count.by_player.end() ? "" : std::to_string(found->second));
    }
    rows.push_back(std::move(row));
  }
  html += "<h3>How many</h3>\n";
  append_table(rows, "counts", html);
  if (match.events.protocol() != 0) {
    html += fmt::format(
        "<p class=\"note\">Not counted here: {} of the game's protocol, such as camera positions and "
        "selections.</p>\n",
        counted(match.events.protocol(), "event"));
  }
  const auto listed = match.events.listed();
  if (!listed.empty()) {
    html += fmt::format("<details><summary>{} one by one</summary>\n", counted(listed.size(), "event"));
    append_listing({}, listed, true, html);
    html += fmt::format(
        "<p class=\"note\">Without kinds that occurred more than {} times; at most {} are listed. The "
        "program's "
        "verb 'events' prints all.</p></details>\n",
        event_log::max_per_kind, event_log::max_listed);
  }
  html += "</section>\n";
}

void append_build_orders(const match_report& match, std::string& html) {
  constexpr std::size_t max_steps = 120;
  bool any = false;
  for (const files::player_row& player : match.rows.players) {
    if (player.build_order.empty()) continue;
    if (!std::exchange(any, true)) html += "<section><h2>Build orders</h2>\n";
    html_rows rows = {{"time", "supply", "kind", "what"}};
    for (const files::build_entry& each : player.build_order) {
      if (rows.size() > max_steps) break;
      rows.push_back({time_text(static_cast<double>(each.time_ms) / 1000), number_text(each.supply, 1),
                      safe(each.kind) + (each.cancelled ? ", cancelled" : ""), safe(each.name, 80)});
    }
    html += fmt::format("<details><summary>{}, {}{}</summary>\n", safe(player.player, 80),
                        player.build_order.size() >= rows.size() ? "the first " : "",
                        counted(rows.size() - 1, "step"));
    append_table(rows, "listing", html);
    html += "</details>\n";
  }
  if (any) html += "</section>\n";
}

void append_facts(const match_report& match, std::string& html) {
  if (match.facts.empty()) return;
  html += "<section><h2>The recording</h2>\n<dl>\n";
  for (const auto& [name, text] : match.facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", safe(name, 80), safe(text));
  }
  html += "</dl></section>\n";
}

}  // namespace

std::string html_of(const match_report& match) {
  std::string html;
  if (!match.under.empty()) html += fmt::format("<p class=\"under\">{}</p>\n", safe(match.under));
  append_score(match, html);
  append_losses(match, html);
  append_players(match, html);
  append_possession(match, html);
  for (const heat_group& group : match.heat) {
    std::vector<drawn_density> maps;
    for (const heat_group::map& each : group.maps) maps.push_back({each.name, each.style, &each.cells});
    append_heat_maps(group.title, group.under, group.unit, maps, group.in_arena, html);
  }
  append_passes(match, html);
  append_charts(match, html);
  append_build_orders(match, html);
  append_events(match, html);
  append_facts(match, html);
  return html;
}

}  // namespace tickreel::viewer
