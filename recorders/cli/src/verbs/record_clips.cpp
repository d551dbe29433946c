#include "record_clips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "console/checks.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/text/suggestion.hpp"

namespace tickreel::cli {

namespace {

constexpr double max_clip_s = 24 * 3600;

std::uint32_t whole_ms(double seconds) {
  return static_cast<std::uint32_t>(seconds * 1000);
}

// "goals" means "goal", "passes" means "pass".
std::optional<std::size_t> event_type_from_plural(std::string_view word) {
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const std::string_view plural = cut == 2 ? "es" : "s";
    if (cut != 0 && !word.ends_with(plural)) continue;
    if (const auto type = echo::event_type_from_name(word.substr(0, word.size() - cut))) return type;
  }
  return std::nullopt;
}

}  // namespace

std::string read_event_types(const char* option, const std::string& text, std::vector<std::size_t>& into) {
  std::vector<std::string_view> known;
  for (std::size_t type = 0; type < echo::event_type_count; ++type) known.push_back(echo::type_name(type));
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto type = event_type_from_plural(word);
    if (!type) {
      return fmt::format("{}: there is no event '{}'{}", option, word, text::suggestion(word, known));
    }
    into.push_back(*type);
  }
  return {};
}

std::string live_clip_arguments::complete(echo_vr::match_options& matches) {
  if (const std::string wrong = read_event_types("--clips", types, options.types); !wrong.empty())
    return wrong;
  const bool buffers = buffer_s > 0;
  options.before_ms = whole_ms(before_s.value_or(20));
  options.after_ms = whole_ms(after_s);
  options.asked_ms = whole_ms(before_s.value_or(buffers ? buffer_s : 20));
  if (!buffers) return {};
  if (matches.file_per_round) return "--split-rounds has no effect with --buffer, which writes no files";
  if (before_s.value_or(0) + after_s > buffer_s) {
    return "--buffer is shorter than --before and --after together";
  }
  options.before_ms = std::min(options.before_ms, whole_ms(buffer_s - after_s));
  options.longest_ms = whole_ms(buffer_s);
  matches.buffer_ms = whole_ms(buffer_s);
  return {};
}

void live_clip_arguments::add_to(command& app) {
  app.add_option("--clips", types,
                 "Write a clip for each event of these types, comma-separated: goals,saves");
  app.add_option("--clips-player", options.player,
                 "With --clips: only for events that concern this player: a name, a userid or a slot");
  app.add_option("--before", before_s, "Time in a clip before its event or request (20s)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, max_clip_s));
  app.add_option("--after", after_s, "Time in a clip after its event (5s)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, max_clip_s));
  app.add_option("--buffer", buffer_s,
                 "Record no matches; keep only this much of the current one, for clips: 5m")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(1.0, max_clip_s));
}

std::string clips_text(const echo_vr::clip_counts& clips) {
  if (clips.saved + clips.failed + clips.missed == 0) return {};
  std::string text = ", " + counted(clips.saved, "clip");
  if (clips.failed != 0) text += ", " + counted(clips.failed, "clip") + " NOT SAVED";
  if (clips.missed != 0) text += ", " + counted(clips.missed, "event") + " not checked for clips";
  return text;
}

}  // namespace tickreel::cli
