#include "match_output.hpp"
#include "match_reel.hpp"

namespace tickreel::game {

namespace {

// A chunk is closed when it holds so much, also before its time.
constexpr std::size_t chunk_bytes = 4u << 20;

class reel_output final : public match_output {
 public:
  reel_output(reel::writer out, const icrep::metadata& facts, writer_losses& losses)
      : to_(std::move(out), facts), losses_(losses) {}

  void frame(const icrep::tick_frame& frame) override {
    if (!to_.frame(frame)) writer_losses::count(losses_.ticks);
  }
  bool keyframe(std::uint64_t tick, bool full, byte_span raw) override {
    if (raw.size() > icrep::limits{}.snapshot_bytes || !to_.keyframe(tick, full, raw)) {
      writer_losses::count(losses_.keyframes);
      return false;
    }
    ++waiting_keyframes_;
    return true;
  }
  bool lost_keyframe() noexcept override { return std::exchange(lost_keyframe_, false); }
  void event(const analysis::event& happened) override { to_.event(happened); }
  void voice(std::uint64_t tick, const icrep::voice::record& said) override { to_.voice(tick, said); }

  void write(bool all) override {
    if (!all && to_.waiting_bytes() < chunk_bytes) return;
    if (to_.seal()) {
      waiting_keyframes_ = 0;
      return;
    }
    writer_losses::count(losses_.failed_writes);
    if (to_.waiting_bytes() > unwritten_limit_bytes) give_up();
  }

  result<void> sync() override { return to_.sync(); }
  void discard() noexcept override { to_.discard(); }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept override { return to_.size_bytes(); }

  result<std::uint64_t> finish(icrep::orderly_end end) override {
    match_end last;
    const std::string json = icrep::to_json(end.facts);
    const byte_span text = as_bytes(json);
    last.metadata_json.assign(text.begin(), text.end());
    last.total_ticks = end.facts.total_ticks;
    last.final_state_hash = end.final_state_hash;
    last.lost_frame_count = end.lost_frame_count;
    last.incomplete = end.incomplete || end.lost_frame_count != 0;
    last.signature.assign(end.signature.begin(), end.signature.end());
    last.embedded.assign(end.embedded.begin(), end.embedded.end());
    if (auto done = to_.finish(last); !done) return fail(done.error());
    return to_.out().bytes();
  }

 private:
  void give_up() {
    writer_losses::count(losses_.ticks, to_.waiting_frames());
    writer_losses::count(losses_.events, to_.waiting_records());
    writer_losses::count(losses_.keyframes, std::exchange(waiting_keyframes_, 0));
    to_.drop_waiting();
    lost_keyframe_ = true;
  }

  match_reel_writer to_;
  writer_losses& losses_;
  std::uint64_t waiting_keyframes_ = 0;
  bool lost_keyframe_ = false;
};

}  // namespace

result<std::unique_ptr<match_output>> create_reel_output(std::string_view path, const icrep::metadata& facts,
                                                         const codec_options& codec, system_calls& calls,
                                                         writer_losses& losses) {
  auto out = reel::writer::create(path, match_reel_header(facts), codec, calls);
  if (!out) return fail(out.error());
  return std::make_unique<reel_output>(std::move(*out), facts, losses);
}

}  // namespace tickreel::game
