// Bytes that come one after the other, from wherever they lie.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

class byte_stream {
 public:
  virtual ~byte_stream() = default;
  // Fills `into` as far as the stream goes; 0 at its end.
  virtual result<std::size_t> read(mutable_byte_span into) = 0;
  virtual result<void> rewind() = 0;
  // Goes on with the byte at that offset of what read() gives. False where only rewind() is to be had.
  virtual result<bool> go_to(std::uint64_t offset) {
    (void)offset;
    return false;
  }
  // How far it has come in the file, and the file's size.
  [[nodiscard]] virtual std::uint64_t file_position() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t file_bytes() const noexcept = 0;
  // Of everything that read() will give; 0 when not known before the end.
  [[nodiscard]] virtual std::uint64_t total_bytes() const noexcept { return 0; }
  // What is written beside the content for whoever opens it; valid as long as the stream.
  [[nodiscard]] virtual std::string_view comment() const noexcept { return {}; }
};

// A source as it is.
result<std::unique_ptr<byte_stream>> open_stream(const byte_source& from);

// Reads in place, as the layouts of archives are looked at; nothing on errors.
[[nodiscard]] inline auto reads_of(byte_source& from) {
  return [&from](std::uint64_t offset, std::size_t bytes) {
    const auto read = from.view(offset, bytes);
    return read ? *read : byte_span{};
  };
}

// The first entry of a zip that lacks its directory. It ends where nothing more can be had.
class torn_zip_stream : public byte_stream {
 public:
  // When read() came to its end: whether all of it was there, and by its checksum as it was.
  [[nodiscard]] virtual prefix_end end() const noexcept = 0;
  // The CRC-32 of the whole content, also after go_to(). Empty until read() came to the content's end.
  [[nodiscard]] virtual std::optional<std::uint32_t> content_checksum() const noexcept = 0;
};
result<std::unique_ptr<torn_zip_stream>> open_torn_zip(const byte_source& from);

// As many bytes as raw deflate data gives before it ends or breaks, at most `limit`.
[[nodiscard]] byte_vector inflate_prefix(byte_span input, std::size_t limit);

}  // namespace tickreel::files
