// What a build without files lacks.
#include "tickreel/tracks/row_rewriter.hpp"
#include "tickreel/tracks/save_last.hpp"

namespace tickreel::tracks {

result<reel::recovery> compact_in_place(const file_path&, system_calls&) {
  return fail(error_code::unsupported_operation, error::no_offset, "this build has no files");
}

result<saved_part> save_last(const file_path&, std::int64_t, const file_path&) {
  return fail(error_code::unsupported_operation, error::no_offset, "this build has no files");
}

}  // namespace tickreel::tracks
