// Encodes messages with times as an MCAP file: compressed chunks with indexes, a summary, checksums.
// docs/formats/mcap.md and https://mcap.dev/spec specify the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/mcap/records.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mcap {

struct encoder_options {
  codec_options codec = {};            // none or zstd; automatic: zstd if this build has it
  std::size_t chunk_bytes = 1u << 20;  // a chunk ends with the message that reaches this size
};

// Each function appends the bytes that follow in the file to its `out`, and nothing when it fails. The caller may
// empty `out` between calls. Memory is bounded by one chunk, its largest message, and about 150 bytes for each
// chunk before. One thread at a time.
class encoder {
 public:
  // invalid_argument for other codecs, or a level out of range.
  static result<encoder> create(const encoder_options& options);

  // First. `library`: the name of the writing program.
  void begin(std::string_view library, byte_vector& out);
  // Returns the number of the channel, from 1. over_limit for more than 65535, and for a text of 4 GiB or more.
  result<std::uint16_t> add_channel(const channel& added);
  // Times need not rise. `data`: one JSON object, for channels of JSON. The sequence counts the channel's messages.
  result<void> add_message(std::uint16_t channel, std::uint64_t time_ns, byte_span data, byte_vector& out);
  // The same with all members of the message.
  result<void> add_message(const message& added, byte_vector& out);
  result<void> add_metadata(std::string_view name, std::span<const entry> entries, byte_vector& out);
  // Between these two, add_attachment_bytes() passes the bytes of the attachment, in parts of any size, and nothing
  // else is added. invalid_argument if the parts are not as long as the length given to begin_attachment().
  result<void> begin_attachment(const attachment& added, byte_vector& out);
  void add_attachment_bytes(byte_span part, byte_vector& out);
  result<void> end_attachment(byte_vector& out);
  // Last: the unfinished chunk, the summary and the end.
  result<void> finish(byte_vector& out);

  [[nodiscard]] std::uint64_t messages(std::uint16_t channel) const noexcept {
    return channels_[channel - 1u].messages;
  }

 private:
  struct times {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    void add(std::uint64_t time_ns, bool is_first) noexcept;
  };
  struct known_channel {
    byte_vector records;  // the schema, then the channel
    std::size_t schema_bytes = 0;
    std::uint64_t messages = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> in_chunk = {};  // times and offsets of its messages
  };
  struct stored_chunk {
    times of;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t index_bytes = 0;
    std::uint64_t stored_bytes = 0;
    std::uint64_t content_bytes = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> indexes = {};  // channels and offsets
  };
  struct stored_metadata {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  struct stored_attachment {
    std::string name;
    std::string media_type;
    std::uint64_t time_ns = 0;
    std::uint64_t created_ns = 0;
    std::uint64_t content_bytes = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };

  encoder(std::size_t chunk_bytes, std::vector<compressor>&& packer) noexcept;
  [[nodiscard]] std::string_view compression() const noexcept { return packer_.empty() ? "" : "zstd"; }
  result<void> close_chunk(byte_vector& out);
  void append_indexes(stored_chunk& chunk, byte_vector& out);
  void append_statistics(byte_vector& out) const;
  void append_chunk_indexes(byte_vector& out) const;
  void append_attachment_indexes(byte_vector& out) const;
  void append_summary(byte_vector& out) const;
  // The bytes from `begin` follow in the file.
  void take(const byte_vector& out, std::size_t begin) noexcept;

  std::size_t chunk_bytes_;
  std::vector<compressor> packer_;  // empty: no compression
  std::vector<known_channel> channels_;
  std::vector<stored_chunk> chunks_;
  std::vector<stored_metadata> metadata_;
  std::vector<stored_attachment> attachments_;
  std::uint64_t attachment_bytes_ = 0;  // that have come of the last one
  std::uint32_t attachment_crc_ = 0;
  std::uint64_t messages_ = 0;
  times all_;
  byte_vector chunk_;
  times chunk_times_;
  std::uint64_t chunk_messages_ = 0;
  byte_vector packed_;
  std::uint64_t offset_ = 0;  // in the file
  std::uint32_t crc_ = 0;     // of everything before it
};

}  // namespace tickreel::mcap
