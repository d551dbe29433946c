// What is recorded for long: a described struct, and Echo VR as a reel of columns and as a .butter.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "long_run.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::test {

struct long_sample {
  std::uint64_t number = 0;
  float x = 0;
  std::int16_t height = 0;
  bool operator==(const long_sample&) const = default;
};
TICKREEL_DESCRIBE(long_sample, number, x, height);

class described_world {
 public:
  explicit described_world(const long_run& how) : how_(how) {}

  void open() { recorder_.emplace(taken(record<long_sample>(path_, options_of_long_run()))); }
  void push(std::uint64_t index) {
    if (!recorder_->push(how_.stamp_of(index), state_of(index)))
      BOOST_FAIL("tick " << index << " was refused");
  }
  void pump() { (void)recorder_->pump(); }
  std::uint64_t follow() {
    if (!follower_) follower_.emplace(taken(tickreel::follow<long_sample>(path_)));
    (void)taken(follower_->refresh());
    return read(*follower_, followed_);
  }
  // The follower, and a reader that seeks; each chunk begins with a keyframe.
  [[nodiscard]] std::size_t bytes_of_tables() const {
    const std::uint64_t chunks = recorder_->counters().chunks;
    return test::bytes_of_tables(chunks, chunks, 2);
  }

  void begin_seeking() {
    if (!reader_) reader_.emplace(taken(tickreel::follow<long_sample>(path_)));
    (void)taken(reader_->refresh());
  }
  void seek(std::uint64_t index) {
    const frame_stamp stamp = how_.stamp_of(index);
    if (!(taken(reader_->at(stamp.tick)) == state_of(index))) BOOST_ERROR("tick " << stamp.tick);
    if (!(taken(reader_->at(std::chrono::microseconds(stamp.time_us))) == state_of(index)))
      BOOST_ERROR("time " << stamp.time_us);
  }
  void end_seeking() {}
  void close() { BOOST_TEST(taken(recorder_->close()).nothing_lost()); }
  [[nodiscard]] const std::string& path() const { return path_; }

  void read_whole() {
    auto from = taken(replay<long_sample>(path_));
    std::uint64_t index = 0;
    BOOST_TEST(read(from, index) == how_.ticks);
  }

 private:
  [[nodiscard]] static long_sample state_of(std::uint64_t index) {
    return {index, static_cast<float>(index % 7200) * 0.25f, static_cast<std::int16_t>(index / 60)};
  }
  // Each next tick is that of `index`. Returns their number.
  std::uint64_t read(replay_of<long_sample>& from, std::uint64_t& index) const {
    std::uint64_t count = 0;
    for (auto next = taken(from.next()); next; next = taken(from.next()), ++count, ++index) {
      const frame_stamp stamp = how_.stamp_of(index);
      if (next->tick != stamp.tick || next->time_us != stamp.time_us || !(next->state == state_of(index))) {
        BOOST_FAIL("tick " << next->tick << " at " << next->time_us << " us is not tick " << stamp.tick);
      }
    }
    return count;
  }

  long_run how_;
  scratch_folder folder_;
  std::string path_ = folder_ / "long.reel";
  std::optional<recording<long_sample>> recorder_;
  std::optional<replay_of<long_sample>> follower_, reader_;
  std::uint64_t followed_ = 0;
};

using columns_encoder = tracks::row_encoder<echo::small_recorded_tick>;

template <class Encoder>
class echo_world {
  static constexpr bool is_columns = std::is_same_v<Encoder, columns_encoder>;

 public:
  explicit echo_world(const long_run& how) : how_(how) {
    echo_vr::simulation_options options;
    options.rate_hz = ticks_per_second;
    options.players_per_team = 1;
    options.spectators = 0;
    options.bones = false;
    options.incidents = false;
    echo_vr::match_simulator match(options);
    for (echo::state& each : match_) BOOST_REQUIRE(match.next(each));
  }

  void open() {
    recorder_options options = options_of_long_run();
    options.start_time_us = start_ms * 1000;
    if constexpr (is_columns) {
      options.schema = to_bytes(schema_of<echo::small_recorded_tick>());
      recorder_.emplace(taken(recorder<Encoder>::open(
          path_, taken(Encoder::create({.max_rows = 64, .group_columns = echo::live_group_columns})),
          options)));
    } else {
      recorder_.emplace(taken(recorder<Encoder>::open(path_, Encoder(), options)));
    }
  }
  void push(std::uint64_t index) {
    echo::state& now = match_[index % match_.size()];
    now.recorded_time_ms = start_ms + how_.time_ms_of(index);
    const bool taken =
        recorder_->capture(how_.stamp_of(index), [&](typename Encoder::state_type& slot) noexcept {
          if constexpr (is_columns) {
            echo::assign(slot, now, echo::line_reference{});
          } else {
            echo::copy_state(slot, now);
          }
        });
    if (!taken) BOOST_FAIL("tick " << index << " was refused");
  }
  void pump() { (void)recorder_->pump(); }
  std::uint64_t follow() {
    if (!followed_) {
      followed_ = std::make_unique<reel::reader>(taken(reel::reader::open(path_)));
      frames_ = std::make_unique<reel::frame_stream>(*followed_, reel::stream_options{.live = true});
    } else {
      (void)taken(followed_->refresh());
    }
    std::uint64_t count = 0;
    for (reel::frame next; taken(frames_->next(next)); ++count, ++next_) {
      if (next.stamp.tick != how_.stamp_of(next_).tick) BOOST_FAIL("tick " << next.stamp.tick);
    }
    return count;
  }
  // The follower; a reader that seeks ends before this.
  [[nodiscard]] std::size_t bytes_of_tables() const {
    const reel::table_of_contents& contents = followed_->contents();
    return test::bytes_of_tables(contents.records.size(), contents.keyframe_chunks, 1);
  }

  void begin_seeking() { reader_ = taken(files::open(path_)); }
  void seek(std::uint64_t index) {
    const frame_stamp stamp = how_.stamp_of(index);
    taken(reader_->seek(files::moment::at_tick(stamp.tick)));
    BOOST_REQUIRE(taken(reader_->next()));
    check(index, stamp.tick);
    taken(reader_->seek(files::moment::at_time(static_cast<double>(how_.time_ms_of(index)) / 1000)));
    BOOST_REQUIRE(taken(reader_->next()));
    check(index, stamp.tick);
  }
  void end_seeking() { reader_.reset(); }
  void close() { BOOST_TEST(taken(recorder_->close()).nothing_lost()); }
  [[nodiscard]] const std::string& path() const { return path_; }

  void read_whole() {
    frames_.reset();
    followed_.reset();
    recorder_.reset();
    read_whole(path_, true);
    if constexpr (!is_columns) {
      const std::string published = folder_ / "long.butter";
      const auto report = taken(files::publish(path_, published, {.codec = {.codec = codec_id::zstd}}));
      BOOST_TEST(report.ticks == how_.ticks);
      BOOST_TEST(report.lost_ticks == 0u);
      read_whole(published, false);
    }
  }

 private:
  static constexpr std::int64_t start_ms = 1'750'000'000'000;

  // A reel keeps the numbers of the ticks, a .butter counts them.
  void read_whole(const std::string& path, bool keeps_numbers) {
    reader_ = taken(files::open(path));
    resource_usage used;
    std::uint64_t index = 0;
    for (; taken(reader_->next()); ++index) {
      check(index, keeps_numbers ? how_.stamp_of(index).tick : index);
      if ((index + 1) % (how_.ticks / samples_per_run) == 0) used.sample();
    }
    BOOST_TEST(index == how_.ticks);
    used.check_flat(1'000'000);  // the reader of a .butter learns where its chunks begin: 24 bytes each
    reader_.reset();
  }

  // The current tick of the reader is that of `index`. Formats quantise positions; a .butter also the clock.
  void check(std::uint64_t index, std::uint64_t tick) const {
    const echo::state& was = match_[index % match_.size()];
    const echo::state* const is = reader_->echo_state();
    BOOST_REQUIRE(is != nullptr);
    const auto near = [](const echo::vec3& a, const echo::vec3& b) {
      constexpr float tolerance_m = 0.05f;
      return std::abs(a.x - b.x) <= tolerance_m && std::abs(a.y - b.y) <= tolerance_m &&
             std::abs(a.z - b.z) <= tolerance_m;
    };
    const bool is_right = reader_->position().tick == tick &&
                          reader_->position().time_ms == how_.time_ms_of(index) &&
                          is->recorded_time_ms == start_ms + how_.time_ms_of(index) &&
                          std::abs(is->match.game_clock - was.match.game_clock) <= 0.05f &&
                          is->match.player_count == was.match.player_count &&
                          near(is->match.disc.at.position, was.match.disc.at.position) &&
                          near(is->players[0].head.position, was.players[0].head.position);
    if (!is_right) {
      BOOST_FAIL("the tick " << tick << " is tick " << reader_->position().tick << " at "
                             << reader_->position().time_ms << " ms instead of " << how_.time_ms_of(index));
    }
  }

  long_run how_;
  scratch_folder folder_;
  std::string path_ = folder_ / (is_columns ? "long.reel" : "long.butter.reel");
  std::vector<echo::state> match_ = std::vector<echo::state>(600);
  std::optional<recorder<Encoder>> recorder_;
  std::unique_ptr<reel::reader> followed_;
  std::unique_ptr<reel::frame_stream> frames_;
  std::unique_ptr<files::recording> reader_;
  std::uint64_t next_ = 0;
};

// Each records that many ticks, whose times cross 31 or 32 bits of milliseconds in the middle.
inline void record_described_structs(std::uint64_t ticks) {
  const long_run how{ticks, std::int64_t{1} << 32};
  described_world world(how);
  record_for_long(world, how);
}
inline void record_columns(std::uint64_t ticks) {
  const long_run how{ticks, std::int64_t{1} << 31};
  echo_world<columns_encoder> world(how);
  record_for_long(world, how);
}
inline void record_butter(std::uint64_t ticks) {
  const long_run how{ticks, std::int64_t{1} << 32};
  echo_world<butter::encoder> world(how);
  record_for_long(world, how);
}

}  // namespace tickreel::test
