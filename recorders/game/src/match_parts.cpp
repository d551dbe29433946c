#include "match_parts.hpp"

#include <algorithm>

#include "match_frame.hpp"
#include "tickreel/icrep/fact_values.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::game {

namespace {

constexpr std::string_view split_key = "x_split";
constexpr std::string_view part_key = "x_part";

// Limits beyond icrep::limits are reduced to those.
part_limits in_range(part_limits most) noexcept {
  most.bytes = std::clamp(most.bytes, least_part_bytes, icrep::writer_file_limit_bytes);
  most.keyframes = std::clamp(most.keyframes, least_part_keyframes, icrep::limits{}.keyframes);
  return most;
}

}  // namespace

std::optional<part_limits> split_of(const icrep::metadata& facts) {
  std::uint64_t bytes = 0;
  std::uint64_t keyframes = 0;
  if (!icrep::read_numbers(facts, split_key, {{"bytes", &bytes}, {"keyframes", &keyframes, UINT32_MAX}}))
    return std::nullopt;
  return in_range({bytes, static_cast<std::uint32_t>(keyframes)});
}

void add_split(icrep::metadata& facts, const part_limits& most) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("bytes", most.bytes).member("keyframes", most.keyframes).end_object();
  facts.others.emplace_back(split_key, std::move(text));
}

std::optional<match_part> part_of(const icrep::metadata& facts) {
  match_part part;
  std::uint64_t number = 0;
  std::uint64_t of = 0;
  const bool found = icrep::read_numbers(facts, part_key,
                                         {{"number", &number, max_match_parts},
                                          {"of", &of, max_match_parts},
                                          {"first_tick", &part.first_tick},
                                          {"end_tick", &part.end_tick}});
  if (!found || number == 0 || number > of) return std::nullopt;
  part.number = static_cast<std::uint32_t>(number);
  part.of = static_cast<std::uint32_t>(of);
  return part;
}

void remove_part(icrep::metadata& facts) {
  std::erase_if(facts.others, [](const auto& one) { return one.first == part_key; });
}

void add_part(icrep::metadata& facts, const match_part& part) {
  remove_part(facts);
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("number", part.number).member("of", part.of);
  json.member("first_tick", part.first_tick).member("end_tick", part.end_tick).end_object();
  facts.others.emplace_back(part_key, std::move(text));
}

file_path part_path(const file_path& first, std::uint32_t number) {
  const std::string& path = first.utf8();
  if (number <= 1) return first;
  const std::size_t name = path.find_last_of("/\\") + 1;
  const std::size_t dot = path.rfind('.');
  const std::size_t at = dot == std::string::npos || dot <= name ? path.size() : dot;
  return path.substr(0, at) + "." + std::to_string(number) + path.substr(at);
}

void part_planner::frame(std::uint64_t tick, bool has_keyframe, bool is_full, std::uint64_t bytes) {
  if (is_full && bytes_ != 0) last_full_ = place{tick, bytes_, keyframes_};
  bytes_ += bytes;
  if (has_keyframe) ++keyframes_;
  if (!last_full_ || (bytes_ <= most_.bytes && keyframes_ <= most_.keyframes)) return;
  starts_.push_back(last_full_->tick);
  bytes_ -= last_full_->bytes_before;
  keyframes_ -= last_full_->keyframes_before;
  last_full_.reset();
}

result<std::vector<match_part>> plan_parts(reel::reader& from) {
  const auto facts = icrep::read_metadata(as_text(from.head().schema));
  if (!facts) return fail(facts.error());
  auto most = split_of(*facts);
  if (!most) return std::vector<match_part>{match_part{}};
  most->bytes -= finishing_bytes;
  part_planner planner(*most);
  reel::frame_stream walk(from);
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (next.kind == reel::item_kind::event)
      planner.record(part_planner::bytes_of_record(next.event.bytes.size()));
    match_frame frame;
    if (next.kind != reel::item_kind::frame || !read_match_frame(next.frame.bytes, frame)) continue;
    // No recorder writes that: with splitting, keyframes have their form in files. Each file would need
    // another scan over all links.
    if (frame.keyframe && frame.keyframe->chained) {
      return fail(error_code::malformed, next.in->info.offset,
                  "keyframes as links in a match of several files");
    }
    const auto keyframe = frame.keyframe ? std::optional(frame.keyframe->bytes.size()) : std::nullopt;
    planner.frame(next.frame.stamp.tick, keyframe.has_value(), keyframe && frame.keyframe->full,
                  part_planner::bytes_of_frame(frame.orders.size(), keyframe));
  }
  const auto& starts = planner.starts();
  // Each file needs its own scans of the whole reel. A real file has 4 MiB or a thousand keyframes, which
  // take at least this much of a reel; a smaller reel is forged.
  constexpr std::uint64_t least_reel_bytes = 16u << 10;
  constexpr std::uint64_t of_any = 16;
  if (starts.size() >= max_match_parts ||
      starts.size() >= of_any + from.contents().file_bytes / least_reel_bytes)
    return fail(error_code::over_limit, error::no_offset, "files of a match");
  std::vector<match_part> parts(starts.size() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].number = static_cast<std::uint32_t>(i + 1);
    parts[i].of = static_cast<std::uint32_t>(parts.size());
    parts[i].first_tick = i == 0 ? 0 : starts[i - 1];
    if (i < starts.size()) parts[i].end_tick = starts[i];
  }
  return parts;
}

}  // namespace tickreel::game
