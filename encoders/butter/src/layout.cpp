#include "header.hpp"

namespace tickreel::butter {

codec_options codec_of(compression value) noexcept {
  switch (value) {
    case compression::none:
      return {.codec = codec_id::none};
    case compression::gzip:
      return {.codec = codec_id::gzip};
    case compression::zstd_3:
      return {.codec = codec_id::zstd, .level = 3};
    case compression::zstd_15:
      return {.codec = codec_id::zstd, .level = 15};
    case compression::zstd_22:
      return {.codec = codec_id::zstd, .level = 22};
    case compression::zstd_7:
    case compression::zstd_7_dict:
      break;
  }
  return {.codec = codec_id::zstd, .level = 7};
}

result<compression> compression_for(const codec_options& options) noexcept {
  switch (resolve(options.codec)) {
    case codec_id::none:
      return compression::none;
    case codec_id::gzip:
      return compression::gzip;
    case codec_id::zstd:
      // Level 0 selects 3. The boundaries are half way between the levels with a code.
      if (!options.dictionary.empty()) {
        return fail(error_code::unsupported_codec, error::no_offset, ".butter has no dictionaries");
      }
      if (options.level <= 5) return compression::zstd_3;
      if (options.level <= 11) return compression::zstd_7;
      if (options.level <= 18) return compression::zstd_15;
      return compression::zstd_22;
    case codec_id::lz4:
    case codec_id::automatic:
      break;
  }
  return fail(error_code::unsupported_codec, error::no_offset, ".butter knows none, gzip and zstd");
}

result<byte_vector> encode_head(byte_span header, std::uint16_t keyframe_interval_ticks, compression codec,
                                std::span<const std::uint32_t> stored_chunk_sizes) {
  byte_reader in(header);
  if (const auto parsed = read_header(in); !parsed) {
    return fail(error_code::malformed, parsed.error().offset, "not a .butter header");
  }
  if (!in.at_end())
    return fail(error_code::malformed, in.offset(), "trailing bytes after the .butter header");
  if (stored_chunk_sizes.size() > UINT32_MAX) {
    return fail(error_code::over_limit, error::no_offset, "too many chunks for a .butter file");
  }
  byte_vector head(header.size() + 4 + 4 * stored_chunk_sizes.size());
  byte_writer out(head);
  out.bytes(header);
  out.u32(static_cast<std::uint32_t>(stored_chunk_sizes.size()));
  for (const std::uint32_t size : stored_chunk_sizes) out.u32(size);
  byte_writer fields(mutable_byte_span(head).subspan(interval_offset));
  fields.u16(keyframe_interval_ticks);
  fields.u8(static_cast<std::uint8_t>(codec));
  return head;
}

}  // namespace tickreel::butter
