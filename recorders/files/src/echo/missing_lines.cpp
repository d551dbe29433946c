#include "missing_lines.hpp"

#include <memory>
#include <utility>

#include "echo_reels.hpp"
#include "open_file.hpp"
#include "reels/reel_encoders.hpp"
#include "reels/reel_facts.hpp"
#include "restored_lines.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::files {

result<bool> may_lack_lines(reel::reader& source) {
  const auto encoder = reel_encoder_of(source.head());
  const bool has_lines = encoder && (*encoder)->open_echo != nullptr && keeps_lines(source.head());
  if (!has_lines) return false;
  if (is_recovered(source.head()) || source.head().find(cut_key) != nullptr) return true;
  reel::frame_stream walk(source, {.chunks = false});
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more || !*more) return more;
    if (next.kind == reel::item_kind::loss && (!next.lost.kind || reel::holds_events(*next.lost.kind))) {
      return true;
    }
  }
}

result<void> append_missing_lines(const file_path& copy, std::vector<std::string>& lost) {
  const auto from = open_file(copy);
  if (!from) return fail(from.error());
  auto opened = open_echo_reel(*from, {.repair = false, .tolerant = true});
  if (!opened) return fail(opened.error());
  const auto tick = std::make_unique<echo::state>();
  for (;;) {
    const auto more = (*opened)->next(*tick);
    if (!more) return fail(more.error());
    if (!*more) break;
    (*opened)->count_line();
  }
  source_losses lines;
  const source_losses all = (*opened)->losses();
  lines.missing_lines = all.missing_lines;
  lines.first_missing_line = all.first_missing_line;
  for (std::string& each : sentences(lines)) lost.push_back(std::move(each));
  return {};
}

}  // namespace tickreel::files
