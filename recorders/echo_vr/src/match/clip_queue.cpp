#include "clip_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "match_file.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"

namespace tickreel::echo_vr {

namespace {

using clock = std::chrono::steady_clock;

// Requests within this time share their clips.
constexpr std::chrono::seconds same_request{1};

std::int64_t utc_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// "Ann_goal"; only the type if the player is unknown.
std::string label_of(const echo::event& happened) {
  std::string name;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.player; }) name = kind.player.name.view();
      },
      happened.what);
  const std::string type(echo::type_name(happened));
  return name.empty() ? type : file_stem("{client}", {.client = name}) + '_' + type;
}

bool is_made(const pending_clip& clip, record_format format) {
  return std::find(clip.made.begin(), clip.made.end(), format) != clip.made.end();
}

// Whether both are parts of one match.
bool is_same_match(const auto& one, const auto& other) {
  return one.target == other.target && one.session_id == other.session_id;
}

bool is_better_source(const clip_source& one, const clip_source& other, std::int64_t at_ms) {
  const bool one_has_it = one.begin_ms <= at_ms;
  const bool other_has_it = other.begin_ms <= at_ms;
  if (one.is_buffer || !one_has_it || !other_has_it) return one.begin_ms < other.begin_ms;
  return one.begin_ms > other.begin_ms;  // which continues where the other one ended
}

}  // namespace

void clip_queue::remove_source(const file_path& reel) {
  std::erase_if(sources_, [&](const clip_source& each) { return each.reel == reel; });
}

void clip_queue::add(const live_event& happened) {
  const auto& types = options_.types;
  if (std::find(types.begin(), types.end(), happened.what.what.index()) == types.end()) return;
  if (!options_.player.empty() && !echo::concerns(happened.what, options_.player)) return;
  const std::int64_t at_ms = happened.what.time_ms - happened.what.late_ms;
  pending_clip clip;
  clip.target = happened.target;
  clip.session_id = happened.sessionid;
  clip.label = label_of(happened.what);
  clip.at_ms = at_ms;
  clip.from_ms = at_ms - options_.before_ms;
  clip.to_ms = at_ms + options_.after_ms;
  const std::int64_t wait_ms = std::int64_t{options_.after_ms} - happened.what.late_ms;
  clip.due = clip.next_look = clock::now() + std::chrono::milliseconds(std::max<std::int64_t>(wait_ms, 0));
  for (pending_clip& other : waiting_) {
    const bool overlaps = other.request == 0 && other.made.empty() && is_same_match(other, clip) &&
                          clip.from_ms <= other.to_ms && clip.to_ms - other.from_ms <= options_.longest_ms &&
                          are_in_one_file(other, clip);
    if (!overlaps) continue;
    other.to_ms = std::max(other.to_ms, clip.to_ms);
    other.due = other.next_look = std::max(other.due, clip.due);
    return;
  }
  waiting_.push_back(std::move(clip));
}

bool clip_queue::are_in_one_file(const pending_clip& one, const pending_clip& other) const {
  for (const record_format format : all_record_formats) {
    const clip_source* const first = best_source(one, format);
    if (first != nullptr) return first == best_source(other, format);
  }
  return true;
}

void clip_queue::add_request(std::vector<clip_request::callback> done) {
  if (clip_request* const same = current_request()) {
    std::move(done.begin(), done.end(), std::back_inserter(same->done));
    return;
  }
  const std::uint64_t number = ++last_request_;
  const std::int64_t now_ms = utc_ms();
  std::vector<const clip_source*> seen;
  for (const clip_source& each : sources_) {
    const bool known = std::any_of(seen.begin(), seen.end(),
                                   [&](const clip_source* other) { return is_same_match(*other, each); });
    if (known) continue;
    seen.push_back(&each);
    pending_clip clip;
    clip.target = each.target;
    clip.session_id = each.session_id;
    clip.label = "clip";
    clip.at_ms = now_ms;
    clip.from_ms = now_ms - options_.asked_ms;
    clip.to_ms = now_ms;
    clip.due = clip.next_look = clock::now();
    clip.request = number;
    waiting_.push_back(std::move(clip));
  }
  requests_.push_back({number, clock::now(), std::move(done), {}, seen.empty()});
  if (seen.empty()) requests_.back().answer.failure = "no match is recorded now";
}

// A request whose clips all still wait; null if there is none.
clip_request* clip_queue::current_request() {
  if (requests_.empty() || clock::now() - requests_.back().since > same_request) return nullptr;
  clip_request& last = requests_.back();
  std::size_t clips = 0;
  for (const pending_clip& each : waiting_) {
    if (each.request != last.number) continue;
    if (!each.made.empty()) return nullptr;
    ++clips;
  }
  const bool is_whole = last.answer.clips.empty() && last.answer.failure.empty();
  return clips != 0 && is_whole && last.done.size() < max_callers ? &last : nullptr;
}

// The reel that holds the time of a clip; of two that do, the one that holds more.
const clip_source* clip_queue::best_source(const pending_clip& clip, record_format format) const {
  const clip_source* best = nullptr;
  for (const clip_source& each : sources_) {
    if (each.format != format || !is_same_match(each, clip) || each.begin_ms > clip.to_ms) continue;
    if (best == nullptr || is_better_source(each, *best, clip.at_ms)) best = &each;
  }
  return best;
}

std::optional<pending_clip> clip_queue::take_due(bool at_end) {
  const auto now = clock::now();
  const auto due = std::find_if(waiting_.begin(), waiting_.end(), [&](const pending_clip& each) {
    return at_end || (now >= each.due && now >= each.next_look);
  });
  if (due == waiting_.end()) return std::nullopt;
  std::optional<pending_clip> taken = std::move(*due);
  waiting_.erase(due);
  return taken;
}

std::vector<clip_source> clip_queue::sources_of(const pending_clip& clip) const {
  std::vector<clip_source> all;
  for (const record_format format : all_record_formats) {
    if (is_made(clip, format)) continue;
    if (const clip_source* const best = best_source(clip, format)) all.push_back(*best);
  }
  return all;
}

std::vector<clip_queue::cut> clip_queue::cuts_before_removal(const file_path& reel) {
  std::vector<cut> all;
  const auto source = std::find_if(sources_.begin(), sources_.end(),
                                   [&](const clip_source& each) { return each.reel == reel; });
  if (source == sources_.end()) return all;
  for (pending_clip& clip : waiting_) {
    if (is_made(clip, source->format) || best_source(clip, source->format) != &*source) continue;
    const bool covered = std::any_of(sources_.begin(), sources_.end(), [&](const clip_source& each) {
      return source->is_buffer && each.reel != reel && each.format == source->format &&
             is_same_match(each, *source) && each.begin_ms <= clip.from_ms;
    });
    if (covered) continue;
    all.push_back({clip, *source});
    clip.made.push_back(source->format);
  }
  return all;
}

void clip_queue::keep_names(const std::vector<cut>& done) {
  for (pending_clip& clip : waiting_) {
    for (const cut& each : done) {
      const bool same = is_same_match(each.clip, clip) && each.clip.from_ms == clip.from_ms &&
                        each.clip.request == clip.request;
      if (same) clip.name = each.clip.name;
    }
  }
}

clip_request* clip_queue::request_of(const pending_clip& clip) {
  const auto found = std::find_if(requests_.begin(), requests_.end(),
                                  [&](const clip_request& each) { return each.number == clip.request; });
  return found == requests_.end() ? nullptr : &*found;
}

std::vector<clip_request> clip_queue::take_answered() {
  std::vector<clip_request> ready;
  const auto waits = [&](const clip_request& each) {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const pending_clip& clip) { return clip.request == each.number; });
  };
  const auto first = std::stable_partition(requests_.begin(), requests_.end(), waits);
  std::move(first, requests_.end(), std::back_inserter(ready));
  requests_.erase(first, requests_.end());
  return ready;
}

}  // namespace tickreel::echo_vr
