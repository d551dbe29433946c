#include "tickreel/files/session_choice.hpp"

#include <algorithm>
#include <map>

#include "tickreel/echo/events.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::files {

namespace {

// Recordings of one match in several formats, or by several recorders, differ by at most this.
constexpr std::int64_t same_length_ms = 1000;

// Among recordings of one match without clips.
std::size_t choose_complete(const std::vector<std::size_t>& of, const std::vector<session_recording>& all) {
  const auto longest =
      *std::ranges::max_element(of, {}, [&](std::size_t each) { return all[each].duration_ms; });
  for (const std::size_t each : of) {
    const bool as_long = all[longest].duration_ms - all[each].duration_ms <= same_length_ms;
    if (as_long && !all[each].has_losses) return each;
  }
  return longest;
}

}  // namespace

std::string match_key(std::string_view session, std::string_view map) {
  return session.empty() ? std::string() : std::string(session) + '\n' + std::string(map);
}

bool has_clip_name(const file_path& file) {
  const std::string name = file_path(filesystem_path(file).stem()).utf8();
  std::string_view stem = name;
  const auto number = stem.find_last_not_of("0123456789");
  if (number != std::string_view::npos && number + 1 < stem.size() && stem[number] == '-') {
    stem = stem.substr(0, number);
  }
  const auto is_label = [&](std::string_view label) {
    return stem.size() > label.size() + 1 && stem.ends_with(label) &&
           stem[stem.size() - label.size() - 1] == '_';
  };
  if (is_label("clip")) return true;
  for (std::size_t type = 0; type < echo::event_type_count; ++type) {
    if (is_label(echo::type_name(type))) return true;
  }
  return false;
}

std::vector<session_choice> choose_recordings(const std::vector<session_recording>& all) {
  std::vector<session_choice> out(all.size());
  std::map<std::string_view, std::vector<std::size_t>> matches;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_clip) {
      out[i].outcome = choice::is_clip;
    } else if (!all[i].match.empty()) {
      matches[all[i].match].push_back(i);
    }
  }
  for (const auto& [match, recordings] : matches) {
    const std::size_t chosen = choose_complete(recordings, all);
    for (const std::size_t each : recordings) {
      // Parts of one file are consecutive.
      if (all[each].name != all[chosen].name) out[each] = {choice::less_complete, chosen};
    }
  }
  return out;
}

std::string sentence(const session_choice& of, const std::vector<session_recording>& all) {
  switch (of.outcome) {
    case choice::counts:
      break;
    case choice::is_clip:
      return "not counted: a clip of a match";
    case choice::less_complete:
      return "not counted: " + all[of.chosen].name + " contains the same match";
  }
  return {};
}

}  // namespace tickreel::files
