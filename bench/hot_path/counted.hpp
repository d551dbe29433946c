// Shared by the runs of this question.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "../support/latency.hpp"
#include "../support/program.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel::bench {

inline constexpr std::uint32_t ring_ticks = 256;

// An encoder that also counts its ticks, so that a burst can wait until the ring is empty.
template <class Encoder>
class counted : public Encoder {
 public:
  counted(Encoder&& base, std::atomic<std::uint64_t>& encoded)
      : Encoder(std::move(base)), encoded_(&encoded) {}
  void encode(const typename Encoder::state_type& from, frame_kind kind, byte_writer& out) noexcept {
    Encoder::encode(from, kind, out);
    encoded_->fetch_add(1, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* encoded_;
};

inline void drain(const std::atomic<std::uint64_t>& encoded, std::uint64_t accepted) {
  while (encoded.load(std::memory_order_acquire) < accepted) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

// A temporary file to record into.
class scratch_reel {
 public:
  scratch_reel() { std::filesystem::remove(path_); }
  ~scratch_reel() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  scratch_reel(const scratch_reel&) = delete;
  scratch_reel& operator=(const scratch_reel&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / "tickreel_bench_hot_path.reel";
};

inline void add_row(table& to, std::string name, const percentiles& p) {
  to.row({std::move(name), figure(p.p50), figure(p.p90), figure(p.p99), figure(p.p999), figure(p.max),
          std::to_string(p.samples)});
}
inline void add_ratio(table& to, std::string name, const percentiles& p) {
  to.row({std::move(name), figure(p.p50), figure(p.p90), figure(p.p99), figure(p.p999), figure(p.max), ""});
}

}  // namespace tickreel::bench
