// Publishes an .echoreplay while its reel is being written, so that little work remains at the end: deflating
// a match takes many seconds.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "tickreel/codec/codec.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::echo_vr {

// A thread that follows the sealed chunks. If it is not available or fails, only time is lost: the reel is
// published at the end.
class live_publisher {
 public:
  live_publisher(std::filesystem::path reel, std::filesystem::path output, const codec_options& codec);
  live_publisher(const live_publisher&) = delete;
  live_publisher& operator=(const live_publisher&) = delete;
  // Cancels an unfinished file and deletes it.
  ~live_publisher();

  // Called when the reel is closed: completes the file. No result after a failure; then there is no file.
  std::optional<files::publish_report> finish(const files::monitor& watch);

 private:
  void run();
  bool wait_for_more();

  std::filesystem::path reel_;
  std::filesystem::path output_;
  codec_options codec_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_closed_ = false;
  bool give_up_ = false;
  bool is_done_ = false;
  std::optional<files::publish_report> report_;
  std::thread thread_;
};

}  // namespace tickreel::echo_vr
