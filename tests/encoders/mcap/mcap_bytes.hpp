// Builds the bytes of .mcap files that the encoder does not write: without chunks, without CRCs, with other encodings.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mcap/records.hpp"

namespace tickreel::test {

class mcap_bytes {
 public:
  explicit mcap_bytes(std::string_view library = "test") {
    out_ = std::string(mcap::magic);
    out_ += record(0x01, text("") + text(library));
  }
  static std::string number(std::uint64_t value, int bytes) {
    std::string made;
    for (int at = 0; at < bytes; ++at) made += static_cast<char>(value >> (8 * at) & 0xFF);
    return made;
  }
  static std::string text(std::string_view value) { return number(value.size(), 4) + std::string(value); }
  static std::string record(int kind, const std::string& content) {
    return number(static_cast<std::uint64_t>(kind), 1) + number(content.size(), 8) + content;
  }
  static std::string schema(int id, std::string_view name) {
    return record(0x03,
                  number(static_cast<std::uint64_t>(id), 2) + text(name) + text("jsonschema") + text("{}"));
  }
  static std::string channel(int id, std::string_view topic, std::string_view encoding = "json",
                             int schema = 0) {
    return record(0x04, number(static_cast<std::uint64_t>(id), 2) +
                            number(static_cast<std::uint64_t>(schema), 2) + text(topic) + text(encoding) +
                            number(0, 4));
  }
  static std::string message(int channel, std::uint64_t time_ns, std::string_view data) {
    return record(0x05, number(static_cast<std::uint64_t>(channel), 2) + number(7, 4) + number(time_ns, 8) +
                            number(time_ns, 8) + std::string(data));
  }
  static std::string chunk(const std::string& records, codec_id codec = codec_id::none, bool has_crc = true) {
    std::string stored = records;
    if (codec != codec_id::none) {
      byte_vector packed;
      auto packer = compressor::create({.codec = codec});
      (void)packer->compress(as_bytes(records), packed);
      stored = as_text(packed);
    }
    const std::string_view name = codec == codec_id::none ? std::string_view() : tickreel::name(codec);
    return record(0x06, number(0, 8) + number(~std::uint64_t{0}, 8) + number(records.size(), 8) +
                            number(has_crc ? crc32(as_bytes(records)) : 0, 4) + text(name) +
                            number(stored.size(), 8) + stored);
  }
  static std::string attachment(std::string_view name, std::string_view data) {
    const std::string content = number(5, 8) + number(6, 8) + text(name) + text("text/plain") +
                                number(data.size(), 8) + std::string(data);
    return record(0x09, content + number(crc32(as_bytes(content)), 4));
  }
  // The record with more fields at its end, as a later version of the format may write it.
  static std::string extended(const std::string& of, std::string_view fields) {
    return record(of[0], of.substr(9) + std::string(fields));
  }

  mcap_bytes& add(const std::string& records) {
    out_ += records;
    return *this;
  }
  [[nodiscard]] const std::string& unfinished() const noexcept { return out_; }
  // With the data's CRC and without a summary.
  [[nodiscard]] std::string finish(bool has_crc = true) const {
    std::string made = out_ + record(0x0F, number(has_crc ? crc32(as_bytes(out_)) : 0, 4));
    const std::string covered = number(0x02, 1) + number(20, 8) + number(0, 8) + number(0, 8);
    made += covered + number(has_crc ? crc32(as_bytes(covered)) : 0, 4);
    return made + std::string(mcap::magic);
  }

 private:
  std::string out_;
};

}  // namespace tickreel::test
