// What the environment says about where S3 is and who asks.
#pragma once

#include <string>
#include <string_view>

#include "signature.hpp"
#include "tickreel/result.hpp"

namespace tickreel::store {

struct s3_settings {
  std::string origin;  // https://host:port, without a "/" at the end
  std::string host;    // host:port as it is signed
  std::string region;
  std::string ca_file;  // empty: the system's
  bool bucket_in_path = false;
  credentials who;
};

// The environment's settings for this bucket, with its name in `host` and `origin` unless it goes into paths.
[[nodiscard]] result<s3_settings> settings_from_environment(std::string_view bucket);

// A profile of a file as AWS_SHARED_CREDENTIALS_FILE names it; not_found when it has none of this name.
[[nodiscard]] result<credentials> parse_credentials(std::string_view text, std::string_view profile);

}  // namespace tickreel::store
