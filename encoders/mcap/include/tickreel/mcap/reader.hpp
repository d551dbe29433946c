// Reads an MCAP file from its beginning to its end, and reports damage instead of failing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/mcap/records.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mcap {

// Reads up to `count` bytes of the file at `offset`; valid until the next call.
using read_function = std::function<result<byte_span>(std::uint64_t offset, std::size_t count)>;

struct read_limits {
  std::uint64_t max_record_bytes = 128u << 20;  // of a record in memory, and of the records of a chunk
  std::size_t max_channel_bytes = 64u << 20;    // of all channels and schemas together
};

struct stored_schema {
  std::string name;
  std::string encoding;
  std::string data;
  bool operator==(const stored_schema&) const = default;
};

struct stored_channel {
  std::uint16_t schema = 0;  // 0: none
  std::string topic;
  std::string encoding;  // of the messages
  std::string metadata;  // see channel::metadata
  bool operator==(const stored_channel&) const = default;
};

enum class item_kind : std::uint8_t {
  message,
  metadata,
  attachment,  // its content is not read into memory
  unknown,     // a record of a kind that the specification does not define
  damage,      // `why`; reading continues where that is possible
};

// Valid until the next call.
struct item {
  item_kind kind = item_kind::damage;
  std::uint64_t offset = 0;  // of the record in the file; of a record in a chunk, that of the chunk
  mcap::message message = {};
  std::string_view name = {};        // of metadata and attachments
  std::vector<entry> entries = {};   // of metadata
  std::string_view media_type = {};  // of an attachment
  std::uint64_t time_ns = 0;
  std::uint64_t content_offset = 0;  // in the file
  std::uint64_t content_bytes = 0;
  error why = {error_code::malformed, error::no_offset, "", {0, 0}, 0};
};

// From the summary of a file: offsets, and channels.
struct file_contents {
  std::vector<std::uint64_t> chunks;  // rising
  std::uint64_t summary = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>, std::less<>> metadata;  // offset and bytes
  std::map<std::uint16_t, stored_schema> schemas;
  std::map<std::uint16_t, stored_channel> channels;
};

// Messages have the order of the file. Checks every length, the CRCs of chunks, attachments, data and summary, and the
// number of messages in the statistics. Memory: one record or one chunk with its records, and the channels, within the
// limits. One thread at a time.
class reader {
 public:
  // bad_magic, truncated or malformed if the file does not begin with its magic and a header; errors of `read`.
  static result<reader> open(read_function read, std::uint64_t file_bytes, const read_limits& limits = {});

  // False at the end. Fails only if `read` does. A chunk with a wrong CRC is damage as a whole: none of its messages is
  // returned. Unchunked messages are returned before the CRC of the data is known. After a record whose length is wrong,
  // reading continues with the next chunk that the summary lists, if the summary is valid. The summary also has the channels
  // that were lost.
  result<bool> next(item& out);
  void rewind();

  [[nodiscard]] const std::string& library() const noexcept { return library_; }
  [[nodiscard]] const std::string& profile() const noexcept { return profile_; }
  // Those read before the current position. The pointers are valid until rewind().
  [[nodiscard]] const std::map<std::uint16_t, stored_channel>& channels() const noexcept { return channels_; }
  [[nodiscard]] const stored_channel* find_channel(std::uint16_t number) const noexcept;
  [[nodiscard]] const stored_schema* find_schema(std::uint16_t number) const noexcept;

  [[nodiscard]] std::uint64_t offset() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return file_bytes_; }
  [[nodiscard]] std::uint64_t chunks() const noexcept { return chunks_; }
  // Messages that the statistics count and next() did not return; 0 before the end and without statistics.
  [[nodiscard]] std::uint64_t missing_messages() const noexcept { return missing_; }
  // Whether the footer was read, and the magic after it.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

  // The first metadata record of that name, found with the index at the end of the file. False without a valid index or
  // record. Does not move the position, and ends the validity of the last item.
  result<bool> find_metadata(std::string_view name, item& out);

 private:
  enum class part : std::uint8_t { data, summary, end };
  struct record {
    std::uint8_t kind = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // of the content
  };

  reader(read_function&& read, std::uint64_t file_bytes, const read_limits& limits) noexcept;
  result<void> read_header();
  result<bool> take_record(item& out);
  result<bool> take_content(const record& found, byte_span content, item& out);
  result<bool> take_attachment(const record& found, item& out);
  bool take_inner(item& out);
  bool take_message(byte_span content, item& out);
  bool add_schema(byte_span content, item& out);
  bool add_channel(byte_span content, item& out);
  bool open_chunk(byte_span content, item& out);
  bool check_data_end(byte_span content, item& out);
  bool take_statistics(byte_span content, item& out);
  result<bool> take_footer(const record& found, byte_span content, item& out);
  result<bool> pass(std::uint64_t offset, std::uint64_t bytes, std::uint32_t* content_crc = nullptr);
  void take_bytes(byte_span bytes) noexcept;
  bool report(item& out, error_code code, const char* detail, std::int64_t first = 0,
              std::int64_t second = 0) noexcept;
  // With `first` and a size; `larger` if the size is more than an error can state.
  bool report_size(item& out, error_code code, std::int64_t first, std::uint64_t size, const char* detail,
                   const char* larger) noexcept;
  bool end_early(item& out) noexcept;
  result<bool> has_footer();
  result<bool> end_within(const record& found, item& out);
  result<bool> lose_place(const record& found, item& out);
  result<void> read_contents();
  void read_contents(byte_span summary);
  bool adopt_channel(std::uint16_t number);

  read_function read_;
  std::uint64_t file_bytes_;
  read_limits limits_;
  std::string profile_;
  std::string library_;
  std::uint64_t data_begin_ = 0;
  std::uint32_t header_crc_ = 0;
  file_contents contents_;  // empty without a valid summary

  part part_ = part::data;
  std::uint64_t position_ = 0;
  std::uint64_t here_ = 0;  // the offset of the current record
  std::uint32_t crc_ = 0;   // of the data, then of the summary
  bool is_crc_known_ = true;
  std::uint64_t summary_begin_ = 0;
  std::map<std::uint16_t, stored_schema> schemas_;
  std::map<std::uint16_t, stored_channel> channels_;
  std::size_t channel_bytes_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t missing_ = 0;
  bool is_complete_ = false;
  decompressor unpacker_;
  byte_vector unpacked_;
  byte_span records_;  // the rest of the current chunk
};

// The end of the file that begins at offset 0, after the magic that follows its footer; empty without a footer. Reads only the
// heads of records.
[[nodiscard]] std::optional<std::uint64_t> find_end(const read_function& read, std::uint64_t file_bytes);

}  // namespace tickreel::mcap
