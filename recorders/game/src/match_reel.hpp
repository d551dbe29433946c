// A match in a reel. The encoder is called "icrep"; the schema is the metadata (JSON) as they were at the
// start.
//
//   frame          = u8 parts: bit 0 orders, 1 full keyframe, 2 delta
//                    | bit 1 or 2: u32 length | BC1 of the sim_snapshot or delta_snapshot
//                    | bit 0: BC1 of the tick_frame
//                    a reel's keyframe is a frame with a full keyframe
//   event          = type 0 to 20, the number of an analysis event: its BC1
//                    type 256: BC1 of a voice record
//   header update  = BC1 of a match_end, once, at the end; a recorder that died has left none
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tickreel/chunk/codec.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/reel/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::game {

inline constexpr std::string_view match_reel_encoder = "icrep";
inline constexpr std::uint32_t match_reel_version = 1;
inline constexpr std::uint32_t voice_event_type = 256;

enum frame_parts : std::uint8_t { orders_part = 1, full_part = 2, delta_part = 4 };

// All of a file that is neither orders nor keyframes nor records.
struct match_end {
  byte_vector metadata_json;
  std::uint64_t total_ticks = 0;
  icrep::digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
  byte_vector signature;
  byte_vector embedded;

  static constexpr void fields(auto& self, auto&& visit) {
    visit("metadata", self.metadata_json);
    visit("total_ticks", self.total_ticks);
    visit("final_state_hash", self.final_state_hash);
    visit("lost_frame_count", self.lost_frame_count);
    visit("incomplete", self.incomplete);
    visit("signature", self.signature);
    visit("embedded", self.embedded);
  }
};

// The header of a match's reel.
[[nodiscard]] reel::header match_reel_header(const icrep::metadata& facts);

// Puts a match into a reel. Everything is collected until seal(), which makes a chunk of it; what could not
// be written then is kept for the next time.
class match_reel_writer {
 public:
  match_reel_writer(reel::writer out, const icrep::metadata& facts);

  // Ticks rise, else invalid_argument; a tick's keyframe comes before its frame.
  result<void> keyframe(std::uint64_t tick, bool full, byte_span raw);
  result<void> frame(const icrep::tick_frame& frame);
  void event(const analysis::event& happened);
  void voice(std::uint64_t tick, const icrep::voice::record& said);

  [[nodiscard]] std::size_t waiting_bytes() const noexcept { return chunk_bytes_.size() + record_bytes_; }
  [[nodiscard]] std::uint64_t waiting_frames() const noexcept { return chunk_.frames; }
  [[nodiscard]] std::uint64_t waiting_records() const noexcept { return records_.size(); }
  // All that was written and waits.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    return out_.bytes() + waiting_bytes() + held_bytes_.size();
  }
  result<void> seal();
  // Gives up what waits: it becomes a gap.
  void drop_waiting();
  result<void> sync() { return out_.sync(); }
  result<void> finish(const match_end& end);
  [[nodiscard]] const reel::writer& out() const noexcept { return out_; }
  void discard() noexcept { out_.discard(); }

 private:
  struct record {
    frame_stamp stamp;
    std::uint32_t type = 0;
    byte_vector bytes;
  };
  struct lost_ticks {
    std::uint64_t count = 0;
    frame_stamp first;
    frame_stamp last;
  };
  [[nodiscard]] frame_stamp stamp_of(std::uint64_t tick) const noexcept;
  result<void> release_held(const icrep::tick_frame* with);
  result<void> add(std::uint64_t tick, bool keyframe);

  reel::writer out_;
  double tick_us_ = 0;
  std::uint64_t next_tick_ = 0;  // of frames
  // A keyframe that waits for its tick's frame.
  std::optional<std::uint64_t> held_tick_;
  bool held_is_full_ = false;
  byte_vector held_bytes_;
  byte_vector frame_bytes_;
  reel::record_info chunk_;
  byte_vector chunk_bytes_;
  std::vector<record> records_;
  std::size_t record_bytes_ = 0;
  std::vector<lost_ticks> lost_;
};

// A whole .icrep made of a reel, in memory.
struct reel_image {
  byte_vector file;
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;
  std::uint64_t voice_records = 0;
  std::uint64_t damaged_parts = 0;
};

[[nodiscard]] bool is_reel(byte_span file) noexcept;
// `progress`: in ticks; false gives up with interrupted. unsupported_operation for a reel of another encoder.
[[nodiscard]] result<reel_image> image_of_reel(
    reel::reader& from, const std::function<bool(std::uint64_t, std::uint64_t)>& progress);
[[nodiscard]] result<reel_image> image_of_reel(
    std::string_view path, system_calls& calls,
    const std::function<bool(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace tickreel::game
