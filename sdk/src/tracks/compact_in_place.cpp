#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/row_rewriter.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::tracks {

result<reel::recovery> compact_in_place(const file_path& path, system_calls& calls) {
  byte_vector schema_bytes;
  std::uint32_t version = 0;
  {
    const auto source = reel::reader::open(path, {}, false, calls);
    if (!source) return fail(source.error());
    if (source->head().encoder_name != rows_name ||
        !row_decoder::reads_version(source->head().encoder_version)) {
      return fail(error_code::unsupported_operation, error::no_offset, "the reel holds no described structs");
    }
    if (source->contents().end != reel::reel_end::closed) {
      return fail(error_code::wrong_state, error::no_offset, "the reel has no end yet");
    }
    schema_bytes = source->head().schema;
    version = source->head().encoder_version;
  }
  auto rows = row_rewriter::create(schema_bytes, {.rows_version = version});
  if (!rows) return fail(rows.error());
  reel::copy_options copying;
  copying.overwrite = true;
  copying.only_if_smaller = true;
  copying.rewriter = &*rows;
  copying.schema = pack_schema(schema_bytes);
  return reel::recover_into(path, path, copying, calls);
}

}  // namespace tickreel::tracks
