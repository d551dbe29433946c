#include "column_units.hpp"

#include <algorithm>
#include <set>

#include "inputs.hpp"
#include "tables.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/viewer/field_descriptions.hpp"

namespace tickreel::query {

namespace {

// Its path in a tick or event.
std::string path_in_line(const column_origin& of) {
  if (of.table != name(table::players)) return of.path;
  return std::string("session.teams[0].players[0]") + (of.path.starts_with('[') ? "" : ".") + of.path;
}

// Members of events of Echo VR have the units of members of its ticks.
viewer::field_description describe_in_event(const viewer::field_descriptions& described, bool is_echo,
                                            const std::string& path) {
  if (!is_echo) return described.at(path);
  return described.at(std::string("session") + (path.starts_with('[') ? "" : ".") + path);
}

bool has_echo_states(const byte_source& of) {
  const auto opened = files::open(of);
  return opened && (*opened)->offers().echo != nullptr;
}

std::set<std::string> files_with_rows(const report& about, std::string_view of_table) {
  std::set<std::string> out;
  for (const table_part& part : about.parts) {
    if (part.table != of_table) continue;
    for (const file_part& each : part.files) {
      if (each.rows != 0) out.insert(each.file);
    }
  }
  return out;
}

}  // namespace

std::vector<column_unit> units_of(const report& about, const std::vector<std::string>& names,
                                  const std::vector<input>& inputs, std::vector<std::string>& notes) {
  std::vector<column_unit> out(names.size());
  std::set<std::size_t> differing;
  for (const table from : {table::ticks, table::players, table::events}) {
    std::vector<std::string> paths(names.size());
    for (std::size_t at = 0; at < std::min(names.size(), about.columns.size()); ++at) {
      if (about.columns[at].table == name(from)) paths[at] = path_in_line(about.columns[at]);
    }
    if (std::ranges::all_of(paths, &std::string::empty)) continue;
    for (const std::string& file : files_with_rows(about, name(from))) {
      const auto given = std::ranges::find(inputs, file, &input::file);
      const auto source = open_bytes(given == inputs.end() ? input{.file = file} : *given);
      if (!source) continue;
      const bool is_event = from == table::events;
      const bool is_echo = is_event && has_echo_states(*source);
      using lines = viewer::field_descriptions::lines;
      const viewer::field_descriptions described(*source,
                                                 is_event && !is_echo ? lines::events : lines::ticks);
      for (std::size_t at = 0; at < paths.size(); ++at) {
        if (paths[at].empty()) continue;
        const viewer::field_description found =
            is_event ? describe_in_event(described, is_echo, paths[at]) : described.at(paths[at]);
        if (out[at].meaning.empty()) out[at].meaning = found.meaning;
        if (out[at].unit.empty()) out[at].unit = found.unit;
        if (!found.unit.empty() && out[at].unit != found.unit) differing.insert(at);
      }
    }
  }
  for (const std::size_t at : differing) {
    out[at].unit.clear();
    notes.push_back("column \"" + names[at] + "\" has no unit, because the recordings have different ones");
  }
  return out;
}

}  // namespace tickreel::query
