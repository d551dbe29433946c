// A sequential stream of bytes from a file or from memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

class byte_stream {
 public:
  virtual ~byte_stream() = default;
  // Fills `into`, or less at the end of the stream; 0 at the end.
  virtual result<std::size_t> read(mutable_byte_span into) = 0;
  virtual result<void> rewind() = 0;
  // Continues at that offset of the stream. False if only rewind() is possible.
  virtual result<bool> go_to(std::uint64_t offset) {
    (void)offset;
    return false;
  }
  // Bytes of the file that were read, and the file's size.
  [[nodiscard]] virtual std::uint64_t file_position() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t file_bytes() const noexcept = 0;
  // Bytes that read() will return in total; 0 if unknown before the end.
  [[nodiscard]] virtual std::uint64_t total_bytes() const noexcept { return 0; }
  // The archive's comment; valid as long as the stream.
  [[nodiscard]] virtual std::string_view comment() const noexcept { return {}; }
};

// A source without decompression.
result<std::unique_ptr<byte_stream>> open_stream(const byte_source& from);

// A function that reads in place, for the parsers of archive layouts; empty on errors.
[[nodiscard]] inline auto reads_of(byte_source& from) {
  return [&from](std::uint64_t offset, std::size_t bytes) {
    const auto read = from.view(offset, bytes);
    return read ? *read : byte_span{};
  };
}

// The first entry of a zip without a directory. It ends at the last readable byte.
class torn_zip_stream : public byte_stream {
 public:
  // After the end of read(): whether the entry is complete, and whether its checksum matches.
  [[nodiscard]] virtual prefix_end end() const noexcept = 0;
  // The CRC-32 of the whole content, also after go_to(). Empty until read() came to the content's end.
  [[nodiscard]] virtual std::optional<std::uint32_t> content_checksum() const noexcept = 0;
};
result<std::unique_ptr<torn_zip_stream>> open_torn_zip(const byte_source& from);

// Decompresses raw deflate data up to its end or its first error, at most `limit` bytes.
[[nodiscard]] byte_vector inflate_prefix(byte_span input, std::size_t limit);

}  // namespace tickreel::files
