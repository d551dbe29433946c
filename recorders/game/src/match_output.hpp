// Where the writer's side puts a match: a live .icrep with its spools, or a reel.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "tickreel/game/match.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"

namespace tickreel::game {

// Counted by the writer, read by anybody.
struct writer_losses {
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> keyframes{0};
  std::atomic<std::uint64_t> events{0};
  std::atomic<std::uint64_t> voice{0};
  std::atomic<std::uint64_t> failed_writes{0};

  static void count(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept {
    counter.fetch_add(by, std::memory_order_relaxed);
  }
};

// What can't be written waits for a disk with room; beyond this it is given up.
inline constexpr std::size_t unwritten_limit_bytes = 64u << 20;

// Losses are counted inside. Ticks rise, over frames and keyframes together; a tick's keyframe comes
// before its frame.
class match_output {
 public:
  virtual ~match_output() = default;
  virtual void frame(const icrep::tick_frame& frame) = 0;
  // Whether it is in the file, or will be: only then can deltas stand on it.
  virtual bool keyframe(std::uint64_t tick, bool full, byte_span raw) = 0;
  // Whether a full keyframe that was taken has been lost since.
  virtual bool lost_keyframe() noexcept = 0;
  virtual void event(const analysis::event& happened) = 0;
  virtual void voice(std::uint64_t tick, const icrep::voice::record& said) = 0;

  // Hands what is ready to the system; with `all`, also what would have waited for more.
  virtual void write(bool all) = 0;
  virtual result<void> sync() = 0;
  // At most what the finished file would have, but for what finish() adds.
  [[nodiscard]] virtual std::uint64_t size_bytes() const noexcept = 0;
  // Removes what was created; nothing else is called then.
  virtual void discard() noexcept = 0;
  // Returns the size of the file.
  virtual result<std::uint64_t> finish(icrep::orderly_end end) = 0;
};

result<std::unique_ptr<match_output>> create_icrep_output(std::string_view path, const icrep::metadata& facts,
                                                          bool has_voice, system_calls& calls,
                                                          writer_losses& losses);
result<std::unique_ptr<match_output>> create_reel_output(std::string_view path, const icrep::metadata& facts,
                                                         const codec_options& codec, system_calls& calls,
                                                         writer_losses& losses);

}  // namespace tickreel::game
