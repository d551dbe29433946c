// Lays an .echoreplay out while its reel is being written, so that little is left to do at the end: deflating
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
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// A thread of its own, which follows what is sealed. Where it cannot be had, or fails on the way, nothing is
// lost but time: the reel is laid out at the end.
class growing_layout {
 public:
  growing_layout(std::filesystem::path reel, std::filesystem::path output, const codec_options& codec);
  growing_layout(const growing_layout&) = delete;
  growing_layout& operator=(const growing_layout&) = delete;
  // Gives up what is not finished; nothing remains of it.
  ~growing_layout();

  // When the reel is closed: completes the file. Nothing when that did not work; then there is none.
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
