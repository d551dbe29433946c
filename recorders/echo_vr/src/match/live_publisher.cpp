#include "live_publisher.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

namespace tickreel::echo_vr {

namespace {

using namespace std::chrono_literals;

// Chunks are sealed about once a second.
constexpr auto look_interval = 500ms;

// When disk space is scarce the reel has priority. On small disks, a tenth.
bool has_room_for_both(const std::filesystem::path& output) {
  constexpr std::uintmax_t spare_bytes = std::uintmax_t{512} << 20;
  std::error_code unknown;
  const std::filesystem::space_info room = std::filesystem::space(output.parent_path(), unknown);
  return unknown || room.available > std::min(spare_bytes, room.capacity / 10);
}

}  // namespace

live_publisher::live_publisher(std::filesystem::path reel, std::filesystem::path output,
                               const codec_options& codec)
    : reel_(std::move(reel)), output_(std::move(output)), codec_(codec) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No thread available.
  }
}

live_publisher::~live_publisher() {
  {
    const std::lock_guard lock(mutex_);
    give_up_ = is_closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void live_publisher::run() {
  files::publish_options options;
  options.codec = codec_;
  options.wait_for_more = [this] { return wait_for_more(); };
  options.cancelled = [this] {
    const std::lock_guard lock(mutex_);
    return give_up_;
  };
  std::optional<files::publish_report> done;
  try {
    if (auto published = files::publish(reel_, output_, options)) done = std::move(*published);
  } catch (const std::exception&) {
    // Out of memory: treated as a failure.
  }
  const std::lock_guard lock(mutex_);
  report_ = std::move(done);
  is_done_ = true;
  changed_.notify_all();
}

bool live_publisher::wait_for_more() {
  const bool has_room = has_room_for_both(output_);
  std::unique_lock lock(mutex_);
  if (!has_room && !is_closed_) give_up_ = true;
  if (give_up_) return false;
  changed_.wait_for(lock, look_interval, [this] { return is_closed_; });
  return !is_closed_;
}

std::optional<files::publish_report> live_publisher::finish(const files::monitor& watch) {
  if (!thread_.joinable()) return std::nullopt;
  std::unique_lock lock(mutex_);
  give_up_ = watch.stop();
  is_closed_ = true;
  changed_.notify_all();
  while (!changed_.wait_for(lock, 50ms, [this] { return is_done_; })) {
    if (watch.stop()) give_up_ = true;
  }
  lock.unlock();
  thread_.join();
  return std::move(report_);
}

}  // namespace tickreel::echo_vr
