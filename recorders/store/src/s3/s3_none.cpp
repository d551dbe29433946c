// For builds without libcurl.
#include "s3_store.hpp"

namespace tickreel::store {

result<std::unique_ptr<object_store>> open_s3(const s3_place&, const store_options&) {
  return fail(error_code::unsupported_operation, error::no_offset,
              "this build has no libcurl, which S3 needs");
}

}  // namespace tickreel::store
