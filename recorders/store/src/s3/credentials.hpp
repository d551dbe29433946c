// Location and credentials of S3 from the environment.
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

// The environment's settings for this bucket; its name is in `host` and `origin` unless it is part of the
// path.
[[nodiscard]] result<s3_settings> settings_from_environment(std::string_view bucket);

// A profile of a file in the format of AWS_SHARED_CREDENTIALS_FILE; not_found if it has no such profile.
[[nodiscard]] result<credentials> parse_credentials(std::string_view text, std::string_view profile);

}  // namespace tickreel::store
