#include "kept_signatures.hpp"

#include <algorithm>

#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::game {

std::optional<kept_signatures> sealed_by(const match_end& end) {
  if (end.signature.empty() || end.embedded.empty()) return std::nullopt;
  auto chain = icrep::read_signature_section(end.signature);
  auto resources = icrep::read_embedded_section(end.embedded);
  if (!chain || !resources || !resources->seal) return std::nullopt;
  auto seal = icrep::read_bc1<icrep::content_seal>(*resources->seal);
  if (!seal) return std::nullopt;
  return kept_signatures{std::move(*chain), std::move(*seal)};
}

namespace {

// Reads the content as it is written to a file.
class content_reading {
 public:
  content_reading(const published_content& content, const icrep::content_seal& seal)
      : content_(content), marks_(seal) {}

  result<void> read(match_scan& scan, const scan_progress& progress) {
    auto done = scan.frames(progress, [this](const sound_frame& one) { return take(one); });
    if (!done) return done;
    return scan.events([this](const reel::event& recorded) {
      take(recorded);
      return true;
    });
  }

  [[nodiscard]] const icrep::mark_finder& marks() const noexcept { return marks_; }
  // The state at its beginning.
  [[nodiscard]] const std::optional<icrep::sim_snapshot>& start() const noexcept { return start_; }

 private:
  result<void> take(const sound_frame& one) {
    if (one.content.keyframe && keyframes_ != content_.keyframes) {
      ++keyframes_;
      const framed_keyframe& keyframe = *one.content.keyframe;
      const auto raw = raw_of(keyframe, buffer_);
      if (!raw) return fail(raw.error());
      marks_.add(icrep::content_stream::keyframes, icrep::keyframe_item(one.tick, keyframe.full, *raw));
      if (keyframes_ == 1) {
        if (auto state = icrep::read_snapshot(*raw)) start_ = std::move(*state);
      }
    }
    if (one.orders) marks_.add(icrep::content_stream::orders, icrep::frame_item(one.content.orders));
    return {};
  }

  void take(const reel::event& recorded) {
    if (recorded.type == voice_event_type) {
      const auto said = icrep::read_voice(recorded.bytes);
      const auto* frame = said ? std::get_if<icrep::voice::frame>(&*said) : nullptr;
      if (!said || (frame != nullptr && !is_there(frame->tick))) return;
      marks_.add(icrep::content_stream::voice, icrep::record_item(recorded.bytes));
    } else if (recorded.type != signature_event_type && recorded.type != described_event_type) {
      // After the type; also for unknown events of newer versions or of the game.
      byte_reader head(recorded.bytes);
      head.skip(sizeof(std::uint32_t));
      if (const std::uint64_t tick = head.u64(); !head.ok() || !is_there(tick)) return;
      marks_.add(icrep::content_stream::events, icrep::record_item(recorded.bytes));
    }
  }
  [[nodiscard]] bool is_there(std::uint64_t tick) const noexcept {
    return content_.ended || tick < content_.total_ticks;
  }

  const published_content& content_;
  icrep::mark_finder marks_;
  std::optional<icrep::sim_snapshot> start_;
  std::uint64_t keyframes_ = 0;
  byte_vector buffer_;
};

}  // namespace

result<void> keep_what_holds(match_scan& scan, const published_content& content, std::string_view replay_id,
                             kept_signatures& signatures, const scan_progress& progress) {
  icrep::signature_chain& chain = signatures.chain;
  icrep::content_seal& seal = signatures.seal;
  seal.end.reset();
  if (chain.chain.empty()) return {};
  content_reading reading(content, seal);
  if (auto done = reading.read(scan, progress); !done) return done;
  std::size_t held = 0;
  if (reading.start()) {
    const icrep::sim_core_snapshot& core = reading.start()->core;
    icrep::digest link = icrep::chain_start({replay_id, core.map_hash, core.game_seed});
    const auto next_holds = [&] {
      const icrep::chain_entry& entry = chain.chain[held];
      icrep::content_mark mark;
      if (entry.tick > content.total_ticks || !reading.marks().find(held, mark) ||
          !icrep::holds(entry.relay_sig, icrep::chain_message(entry, link), chain.relay_public_key)) {
        return false;
      }
      link = icrep::chain_next(entry, link);
      return icrep::holds(seal.entries[held].relay_sig, icrep::seal_message(held, link, mark),
                          chain.relay_public_key);
    };
    while (held < std::min(chain.chain.size(), seal.entries.size()) && next_holds()) ++held;
  }
  chain.chain.resize(held);
  seal.entries.resize(held);
  return {};
}

}  // namespace tickreel::game
