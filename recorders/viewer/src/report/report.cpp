#include "tickreel/viewer/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "match_report.hpp"
#include "page_style.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "words.hpp"

namespace tickreel::viewer {

namespace {

void add_unique(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& each : from) {
    if (std::ranges::find(to, each) == to.end()) to.push_back(each);
  }
}

bool is_collection(std::string_view format) noexcept {
  const files::format* const known = files::find_format(format);
  return known != nullptr && known->shown.is_collection;
}

}  // namespace

result<report_part> report_of(const file_path& recording, const report_limits& limits,
                              const files::monitor& watch) {
  auto opened = files::open(recording);
  if (!opened) return fail(opened.error());
  recording_facts facts;
  facts.name = file_path(filesystem_path(recording).filename()).utf8();
  auto summary = (*opened)->quick_summary(watch);
  if (!summary) return fail(summary.error());
  facts.summary = std::move(*summary);
  report_part out;
  add_unique(facts.summary.left_out, out.losses);
  if (auto checked = files::add_trailing_bytes(recording, out.losses); !checked) return fail(checked.error());
  if (auto back = (*opened)->rewind(); !back) return fail(back.error());
  const auto counted = (*opened)->statistics(
      [&](const files::match_rows& match) {
        facts.rows.push_back(match);
        return !watch.stop();
      },
      watch);
  if (!counted && counted.error().code != error_code::unsupported_operation) return fail(counted.error());
  if (watch.stop()) return fail(error_code::interrupted);
  add_unique((*opened)->losses(), out.losses);
  if (is_collection(facts.summary.format)) {
    out.matches.push_back(games_table(facts));
    return out;
  }
  std::vector<match_report> matches;
  if ((*opened)->offers().echo != nullptr) {
    auto found = echo_matches(recording, facts, limits, watch);
    if (!found) return fail(found.error());
    matches = std::move(*found);
  }
  if (matches.empty()) {
    auto found = general_match(**opened, facts, watch);
    if (!found) return fail(found.error());
    add_unique((*opened)->losses(), out.losses);
    matches.push_back(std::move(*found));
  }
  for (match_report& each : matches) {
    add_unique(each.losses, out.losses);
    each.losses = out.losses;
    out.matches.push_back({each.title, html_of(each), contents_line(each)});
  }
  return out;
}

result<std::string> report_page(const std::vector<report_part>& parts, const report_limits& limits) {
  std::size_t matches = 0, bytes = 0;
  std::string title;
  for (const report_part& part : parts) {
    for (const report_part::match& each : part.matches) {
      if (matches++ == 0) title = each.title;
      bytes += each.html.size() + each.title.size();
    }
  }
  if (bytes > limits.page_bytes) {
    return fail(error_code::over_limit, error::no_offset,
                "the page would be too large; name fewer recordings");
  }
  const std::string name = matches == 1 ? safe(title) : counted(matches, "match", "matches");
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">"
      "<title>Report: {0}</title>\n<style>{1}</style></head><body><main>\n<h1>{0}</h1>\n",
      name, report_style);
  std::size_t number = 0;
  if (matches > 1) {
    html += "<nav aria-label=\"Matches\"><ol>\n";
    for (const report_part& part : parts) {
      for (const report_part::match& each : part.matches) {
        html += fmt::format("<li><a href=\"#match-{}\">{}</a>{}</li>\n", ++number, safe(each.title),
                            each.line.empty() ? "" : " <small>" + safe(each.line) + "</small>");
      }
    }
    html += "</ol></nav>\n";
  }
  number = 0;
  for (const report_part& part : parts) {
    for (const report_part::match& each : part.matches) {
      ++number;
      html += fmt::format("<article id=\"match-{}\">\n", number);
      if (matches > 1) html += fmt::format("<h1>{}</h1>\n", safe(each.title));
      html += each.html;
      html += "</article>\n";
    }
  }
  return html + "</main></body></html>\n";
}

}  // namespace tickreel::viewer
