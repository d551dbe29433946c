// Publishes the reel of a match, with its extra file.
#pragma once

#include <filesystem>
#include <optional>

#include "match_file.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/extra.hpp"
#include "tickreel/files/publish.hpp"

namespace tickreel::echo_vr {

struct match_publication {
  std::filesystem::path output;
  codec_options codec;
  std::optional<files::publish_report> already;  // published during the recording
  const echo::extra_writer* extra = nullptr;     // null: without an extra file
};

// `done.path` is the reel, which is deleted unless a sink lacks records. Sets the path, the counts, and what the file
// lacks; or `failure`, and the reel stays.
void publish_match_reel(match_publication what, finished_file& done, const files::monitor& watch);

}  // namespace tickreel::echo_vr
