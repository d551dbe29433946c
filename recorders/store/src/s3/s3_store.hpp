// A bucket of S3, or a prefix in it.
#pragma once

#include <memory>
#include <string>

#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// The parts of an s3:// address.
struct s3_place {
  std::string bucket;
  std::string prefix;  // without "/" around it
};
[[nodiscard]] result<s3_place> parse_s3_url(std::string_view url);

[[nodiscard]] result<std::unique_ptr<object_store>> open_s3(const s3_place& place,
                                                            const store_options& options);

}  // namespace tickreel::store
