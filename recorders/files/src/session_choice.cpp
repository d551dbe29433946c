#include "tickreel/files/session_choice.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "tickreel/echo/events.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::files {

namespace {

// Recordings of one match in several formats, or by several recorders, differ by at most this.
constexpr std::int64_t same_length_ms = 1000;
// Of two recorders' clocks, for parts of one match.
constexpr std::int64_t max_overlap_ms = 1000;
// Longer than a round and its pause, so that one part may be missing. Shorter than the difference of time zones
// without the length of a match.
constexpr std::int64_t max_missing_ms = 15 * std::int64_t{60'000};
// About a thousand years: sums of times from hostile files do not overflow.
constexpr std::int64_t max_ms = std::int64_t{1} << 45;

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

std::int64_t start_ms(const session_recording& of) {
  return std::clamp(of.started_ms.value_or(0), -max_ms, max_ms);
}

std::int64_t end_ms(const session_recording& of) {
  return start_ms(of) + std::clamp<std::int64_t>(of.duration_ms, 0, max_ms);
}

bool contains(const session_recording& outer, const session_recording& inner, std::int64_t tolerance_ms) {
  return start_ms(inner) >= start_ms(outer) - tolerance_ms && end_ms(inner) <= end_ms(outer) + tolerance_ms;
}

bool overlaps(const session_recording& a, const session_recording& b) {
  if (!a.started_ms || !b.started_ms || contains(a, b, 0) || contains(b, a, 0)) return true;
  const std::int64_t shared_ms = std::min(end_ms(a), end_ms(b)) - std::max(start_ms(a), start_ms(b));
  const std::int64_t shorter_ms = std::min(end_ms(a) - start_ms(a), end_ms(b) - start_ms(b));
  return shared_ms > std::min(max_overlap_ms, shorter_ms / 2);
}

// The parts of a match: the most complete recording, then the most complete one of those that do not overlap it,
// and so on. The recordings of one file are consecutive.
std::vector<std::size_t> choose_parts(std::vector<std::size_t> of, const std::vector<session_recording>& all,
                                      std::vector<session_choice>& out) {
  std::vector<std::size_t> parts;
  while (!of.empty()) {
    const std::size_t chosen = choose_complete(of, all);
    const auto is_chosen = [&](std::size_t each) { return all[each].name == all[chosen].name; };
    std::vector<std::size_t> added;
    std::ranges::copy_if(of, std::back_inserter(added), is_chosen);
    parts.insert(parts.end(), added.begin(), added.end());
    std::erase_if(of, is_chosen);
    std::erase_if(of, [&](std::size_t each) {
      const auto part =
          std::ranges::find_if(added, [&](std::size_t counted) { return overlaps(all[counted], all[each]); });
      if (part == added.end()) return false;
      const bool is_contained =
          !all[*part].started_ms || !all[each].started_ms || contains(all[*part], all[each], same_length_ms);
      out[each] = {is_contained ? choice::contained : choice::overlapping, *part};
      return true;
    });
  }
  return parts;
}

// The group of consecutive parts that lasts longest.
std::vector<std::size_t> longest_group(std::vector<std::size_t> parts,
                                       const std::vector<session_recording>& all) {
  std::ranges::stable_sort(parts, {}, [&](std::size_t each) { return start_ms(all[each]); });
  std::vector<std::size_t> best, group;
  std::int64_t best_ms = -1, group_ms = 0;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const session_recording& part = all[parts[at]];
    group.push_back(parts[at]);
    group_ms += end_ms(part) - start_ms(part);
    if (at + 1 < parts.size()) {
      const session_recording& next = all[parts[at + 1]];
      const bool is_near = part.name == next.name || !part.started_ms || !next.started_ms ||
                           start_ms(next) - end_ms(part) <= max_missing_ms;
      if (is_near) continue;
    }
    if (group_ms > best_ms) {
      best = std::move(group);
      best_ms = group_ms;
    }
    group.clear();
    group_ms = 0;
  }
  return best;
}

void choose_in_match(const std::vector<std::size_t>& of, const std::vector<session_recording>& all,
                     std::vector<session_choice>& out) {
  const std::vector<std::size_t> parts = choose_parts(of, all, out);
  const std::vector<std::size_t> counted = longest_group(parts, all);
  const auto longest =
      *std::ranges::max_element(counted, {}, [&](std::size_t each) { return all[each].duration_ms; });
  for (const std::size_t each : parts) out[each] = {choice::other_time, longest};
  for (const std::size_t each : counted) out[each] = {choice::counts, longest, counted.size() > 1};
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
    out[i].chosen = i;
    if (all[i].is_clip) {
      out[i].outcome = choice::is_clip;
    } else if (!all[i].match.empty()) {
      matches[all[i].match].push_back(i);
    }
  }
  for (const auto& [match, recordings] : matches) choose_in_match(recordings, all, out);
  return out;
}

std::string sentence(const session_choice& of, const std::vector<session_recording>& all) {
  switch (of.outcome) {
    case choice::counts:
      break;
    case choice::is_clip:
      return "not counted: a clip of a match";
    case choice::contained:
      return "not counted: " + all[of.chosen].name + " contains the same match";
    case choice::overlapping:
      return "not counted: " + all[of.chosen].name + ", which is more complete, overlaps it";
    case choice::other_time:
      return "not counted: " + all[of.chosen].name +
             " has the same session, and more than 15 minutes are missing between them";
  }
  return {};
}

}  // namespace tickreel::files
