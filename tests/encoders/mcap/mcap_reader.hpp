// Reads an .mcap file and checks it: magic, structure, CRCs, indexes, statistics.
#pragma once

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mcap/encoder.hpp"

namespace tickreel::test {

struct mcap_message {
  std::string topic = {};
  std::uint32_t sequence = 0;
  std::uint64_t time_ns = 0;
  std::string data = {};
};
struct mcap_content {
  std::map<std::uint16_t, std::string> topics;
  std::map<std::string, std::string> schemas;  // by topic
  std::vector<mcap_message> messages;          // in the order of the file
  std::map<std::string, std::string> metadata;
  std::size_t chunks = 0;
  [[nodiscard]] std::vector<std::string> of(std::string_view topic) const {
    std::vector<std::string> out;
    for (const mcap_message& each : messages) {
      if (each.topic == topic) out.push_back(each.data);
    }
    return out;
  }
};

class mcap_reader {
 public:
  static mcap_content read(byte_span file) {
    mcap_reader reader(file);
    reader.read_file();
    return std::move(reader.out_);
  }

 private:
  explicit mcap_reader(byte_span file) : file_(file) {}

  static std::string text_of(byte_reader& from) {
    const std::uint32_t bytes = from.u32();
    return std::string(as_text(from.bytes(bytes)));
  }

  void read_file() {
    const std::size_t magic_bytes = mcap::magic.size();
    BOOST_REQUIRE(file_.size() > 2 * magic_bytes);
    BOOST_REQUIRE(as_text(file_.first(magic_bytes)) == mcap::magic);
    BOOST_REQUIRE(as_text(file_.last(magic_bytes)) == mcap::magic);
    const std::size_t end = file_.size() - magic_bytes;
    std::size_t at = magic_bytes;
    while (at < end) at = read_record(at);
    BOOST_TEST(at == end);
    BOOST_TEST(has_footer_);
    BOOST_TEST(indexed_chunks_ == out_.chunks);
  }

  std::size_t read_record(std::size_t at) {
    byte_reader head(file_.subspan(at));
    const std::uint8_t kind = head.u8();
    const std::uint64_t bytes = head.u64();
    BOOST_REQUIRE(head.ok());
    BOOST_REQUIRE(bytes <= head.remaining());
    byte_reader from(file_.subspan(at + 9, static_cast<std::size_t>(bytes)));
    const std::size_t next = at + 9 + static_cast<std::size_t>(bytes);
    switch (kind) {
      case 0x02:
        read_footer(from, at);
        break;
      case 0x06:
        read_chunk(from);
        break;
      case 0x07:
        read_message_index(from);
        break;
      case 0x08:
        read_chunk_index(from);
        break;
      case 0x0B:
        BOOST_TEST(from.u64() == out_.messages.size());
        BOOST_TEST(from.u16() == out_.topics.size());
        BOOST_TEST(from.u32() == out_.topics.size());
        break;
      case 0x0C:
        (void)text_of(from);
        for ((void)from.u32(); from.remaining() != 0 && from.ok();) {
          const std::string key = text_of(from);
          out_.metadata[key] = text_of(from);
        }
        break;
      case 0x0F:
        BOOST_TEST(from.u32() == crc32(file_.first(at)));
        summary_at_ = next;
        break;
      default:
        break;
    }
    BOOST_TEST(from.ok());
    return next;
  }

  void read_footer(byte_reader& from, std::size_t at) {
    BOOST_TEST(from.u64() == summary_at_);
    (void)from.u64();
    const std::size_t crc_at = at + 9 + 16;
    BOOST_TEST(from.u32() == crc32(file_.subspan(summary_at_, crc_at - summary_at_)));
    has_footer_ = true;
  }

  void read_chunk(byte_reader& from) {
    const std::uint64_t first = from.u64();
    const std::uint64_t last = from.u64();
    const auto bytes = static_cast<std::size_t>(from.u64());
    const std::uint32_t crc = from.u32();
    const std::string compression = text_of(from);
    const byte_span stored = from.bytes(static_cast<std::size_t>(from.u64()));
    records_.assign(stored.begin(), stored.end());
    if (compression == "zstd") {
      decompressor unpacker;
      BOOST_REQUIRE(unpacker.decompress(codec_id::zstd, stored, bytes, records_));
    }
    BOOST_REQUIRE(records_.size() == bytes);
    BOOST_TEST(crc32(records_) == crc);
    BOOST_TEST(messages_at_.empty());  // the indexes of the chunk before had all
    for (std::size_t at = 0; at < records_.size();) at = read_inner(at, first, last);
    ++out_.chunks;
  }

  std::size_t read_inner(std::size_t at, std::uint64_t first, std::uint64_t last) {
    byte_reader from(byte_span(records_).subspan(at));
    const std::uint8_t kind = from.u8();
    const auto bytes = static_cast<std::size_t>(from.u64());
    const std::size_t next = at + 9 + bytes;
    const std::uint16_t number = from.u16();
    if (kind == 0x03) {
      (void)text_of(from);
      (void)text_of(from);
      schema_ = text_of(from);
    } else if (kind == 0x04) {
      (void)from.u16();
      out_.topics[number] = text_of(from);
      out_.schemas[out_.topics[number]] = schema_;
    } else {
      BOOST_REQUIRE(kind == 0x05);
      BOOST_REQUIRE(out_.topics.contains(number));
      mcap_message one{.topic = out_.topics[number], .sequence = from.u32(), .time_ns = from.u64()};
      BOOST_TEST(from.u64() == one.time_ns);
      BOOST_TEST((first <= one.time_ns && one.time_ns <= last));
      one.data = as_text(from.bytes(bytes - 22));
      messages_at_[{number, at}] = one.time_ns;
      out_.messages.push_back(std::move(one));
    }
    BOOST_REQUIRE(from.ok());
    return next;
  }

  void read_message_index(byte_reader& from) {
    const std::uint16_t number = from.u16();
    for ((void)from.u32(); from.remaining() != 0 && from.ok();) {
      const std::uint64_t time_ns = from.u64();
      const std::uint64_t offset = from.u64();
      const auto found = messages_at_.find({number, offset});
      BOOST_REQUIRE((found != messages_at_.end()));
      BOOST_TEST(found->second == time_ns);
      messages_at_.erase(found);
    }
  }

  void read_chunk_index(byte_reader& from) {
    BOOST_TEST(messages_at_.empty());
    (void)from.u64();
    (void)from.u64();
    const auto at = static_cast<std::size_t>(from.u64());
    BOOST_REQUIRE(at < file_.size());
    BOOST_TEST(std::to_integer<int>(file_[at]) == 0x06);
    const auto bytes = static_cast<std::size_t>(from.u64());
    BOOST_REQUIRE(at + bytes < file_.size());
    BOOST_TEST(std::to_integer<int>(file_[at + bytes]) == 0x07);
    ++indexed_chunks_;
  }

  byte_span file_;
  mcap_content out_;
  byte_vector records_;  // of the last chunk
  std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint64_t> messages_at_;
  std::string schema_;
  std::size_t summary_at_ = 0;
  std::size_t indexed_chunks_ = 0;
  bool has_footer_ = false;
};

}  // namespace tickreel::test
