// The options of `record echo`, from the command line and an options file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "console/codec_arguments.hpp"
#include "console/listen_arguments.hpp"
#include "console/options.hpp"
#include "fleet/publish_arguments.hpp"
#include "obs_control.hpp"
#include "record_clips.hpp"
#include "tickreel/echo_vr/record_session.hpp"
#include "webhook.hpp"

namespace tickreel::cli {

struct record_arguments {
  std::vector<std::string> targets;
  std::string folder = ".";
  std::string formats{echo_vr::name(echo_vr::record_format::butter)};
  codec_arguments codec;
  double duration_s = 0;
  double keep_s = 0;
  double seal_interval_s = 1;
  std::string config;
  bool no_config = false;
  std::uint16_t overlay_port = 0;
  std::uint16_t view_port = 0;
  std::string view_page;
  std::optional<std::uint16_t> prometheus_port;
  listen_arguments prometheus_listen;
  bool find = false;
  live_clip_arguments clips;
  webhook_options hook;
  std::string hook_types = "goal,match_started,match_ended";
  std::string obs_address;
  std::string obs_save_types;
  obs_options obs;
  publish_arguments publish;
  bool json = false;
  echo_vr::record_options options;
};

// `arguments` must outlive `app`.
void add_record_arguments(command& app, record_arguments& arguments);
// Adds the options of the options file and fills `options`. Reports, and returns wrong_usage, if they are
// contradictory.
[[nodiscard]] int complete_record_arguments(record_arguments& arguments, command& app);

}  // namespace tickreel::cli
