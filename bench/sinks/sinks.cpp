// What does a sink that never answers cost the game's thread, and how fast does a reconnected sink catch up?

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/queued_sink.hpp"
#include "tickreel/reel/writer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

// About what eight players with bones take.
struct state {
  std::array<std::uint8_t, 7296> bytes{};
};

struct whole_encoder {
  using state_type = state;
  static constexpr std::string_view encoder_name = "whole";
  static constexpr std::uint32_t encoder_version = 1;
  [[nodiscard]] std::size_t max_frame_size() const noexcept { return sizeof(state); }
  [[nodiscard]] bool needs_keyframe(const state&) const noexcept { return false; }
  void encode(const state& now, frame_kind, byte_writer& out) noexcept {
    out.bytes(std::as_bytes(std::span(now.bytes)));
  }
};

// Answers nothing until it is released.
class silent_delivery final : public reel::delivery {
 public:
  explicit silent_delivery(std::atomic<bool>& let_go) : let_go_(let_go) {}
  result<std::uint64_t> connect(const reel::header&, byte_span) override {
    while (!let_go_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return fail(error_code::timed_out);
  }
  result<void> send(const reel::record_info&, byte_span) override { return {}; }
  result<std::uint64_t> confirmed(std::chrono::milliseconds) override { return std::uint64_t{0}; }

 private:
  std::atomic<bool>& let_go_;
};

// Accepts every record immediately: copies it, like a network.
class memory_delivery final : public reel::delivery {
 public:
  result<std::uint64_t> connect(const reel::header&, byte_span) override { return next_; }
  result<void> send(const reel::record_info& info, byte_span bytes) override {
    buffer_.assign(bytes.begin(), bytes.end());
    next_ = info.sequence + std::uint64_t{1};
    return {};
  }
  result<std::uint64_t> confirmed(std::chrono::milliseconds) override { return next_; }

 private:
  std::uint64_t next_ = 0;
  byte_vector buffer_;
};

// Both recorders get every tick, alternately first: disturbances of the machine affect both.
void push_with_and_without(const scratch_folder& folder, bool quick, boost::json::object& results) {
  using recorder_type = recorder<whole_encoder>;
  recorder_options options;
  options.codec = {.codec = codec_id::none};
  options.seal_interval_ms = 100;
  options.sync_each_chunk = false;
  options.ticks_per_second = 1000;
  options.ring_ticks = 4096;
  std::atomic<bool> let_go = false;
  reel::queue_options how;
  how.close_wait_ms = 0;
  const auto with_path = folder / "with.reel";
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(
      must(reel::queued_sink::create(with_path.string(), std::make_unique<silent_delivery>(let_go), how)));
  auto without = must(recorder_type::open((folder / "without.reel").string(), {}, options));
  auto with = must(recorder_type::open(with_path.string(), {}, options, std::move(sinks)));

  const std::size_t ticks = quick ? 1'000 : 60'000;
  const cycle_clock clock;
  latency_samples without_ns(ticks), with_ns(ticks);
  tick_schedule schedule(clock, quick ? 0 : 2000);
  state now;
  std::uint64_t allocations = 0;
  std::uint64_t dropped = 0;
  const auto push = [&](recorder_type& to, latency_samples& samples) {
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    const bool taken = to.push(now);
    const std::uint64_t end = cycle_clock::now();
    allocations += allocations_of_this_thread() - allocated;
    if (!taken) ++dropped;
    samples.add(end - start, schedule.period());
  };
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    now.bytes[tick % now.bytes.size()] = static_cast<std::uint8_t>(tick);
    schedule.wait();
    if (tick % 2 == 0) push(without, without_ns);
    push(with, with_ns);
    if (tick % 2 != 0) push(without, without_ns);
  }
  let_go = true;
  (void)without.close();
  (void)with.close();

  const percentiles plain = without_ns.summarise(clock);
  const percentiles beside = with_ns.summarise(clock);
  const percentiles by = ratio(beside, plain);
  table out({"push, ns", "p50", "p99", "p99.9", "max"});
  const auto row = [&out](const char* name, const percentiles& from) {
    out.row({name, figure(from.p50), figure(from.p99), figure(from.p999), figure(from.max)});
  };
  row("without a sink", plain);
  row("with one that never answers", beside);
  row("ratio", by);
  out.print();
  fmt::print("{} ticks of {} bytes each; {} allocations while pushing, {} dropped\n\n", ticks, sizeof(state),
             allocations, dropped);
  results["push_without"] = to_json(plain);
  results["push_with_silent_sink"] = to_json(beside);
  results["ratio"] = ratio_to_json(by);
  results["allocations"] = allocations;
  results["dropped"] = dropped;
}

boost::json::object refill(const scratch_folder& folder, std::size_t record_bytes, bool quick) {
  const auto path = folder / fmt::format("refill_{}.reel", record_bytes).c_str();
  const std::uint64_t all = quick ? 8u << 20 : 512u << 20;
  auto to = must(reel::writer::create(path.string(), {}, {.codec = codec_id::none}));
  byte_vector payload(record_bytes);
  for (std::uint64_t i = 0; i * record_bytes < all; ++i) {
    std::memcpy(payload.data(), &i, std::min(sizeof i, payload.size()));
    (void)must(to.append({}, payload));
  }
  must(to.finish());
  double best = 0;
  std::uint64_t bytes = 0;
  for (int run = 0; run < (quick ? 1 : 3); ++run) {
    memory_delivery delivery;
    const auto start = std::chrono::steady_clock::now();
    const auto done = must(reel::deliver_reel(path.string(), delivery));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    bytes = done.refilled_bytes;
    best = std::max(best, static_cast<double>(bytes) / took.count() / 1e6);
  }
  std::filesystem::remove(path);
  fmt::print(
      "refill, records of {} bytes: {} MB/s, opening and every hash included ({} MB, best of the runs)\n",
      record_bytes, figure(best), figure(static_cast<double>(bytes) / 1e6));
  return {{"record_bytes", record_bytes}, {"mb_per_second", best}};
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "sinks",
               "what does a sink that never answers cost a game, and how fast does one catch up?");
  const scratch_folder files("tickreel_bench_sinks");
  push_with_and_without(files, self.quick(), self.results());
  boost::json::array rows;
  for (const std::size_t record_bytes : {2'000u, 20'000u, 200'000u}) {
    rows.push_back(refill(files, record_bytes, self.quick()));
  }
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
