#include "butter_model.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdio>
#include <memory>

#include "frame_model.hpp"

namespace tickreel::butter_model {
namespace {

enum compression_byte : std::uint8_t { none = 0, gzip = 1, first_zstd = 2, last_zstd = 6 };

[[noreturn]] void fail_on_chunk(const char* what) {
  throw decoder_exception(failure::corrupt_chunk, what);
}

byte_vector open_gzip(byte_span stored) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) fail_on_chunk("zlib does not start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  byte_vector input(stored.begin(), stored.end());
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  byte_vector opened;
  std::array<Bytef, 65536> part{};
  while (stream.avail_in > 0) {
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) fail_on_chunk("gzip");
    for (std::size_t i = 0; i < part.size() - stream.avail_out; ++i) opened.push_back(std::byte{part[i]});
    // Another member may follow.
    if (status == Z_STREAM_END) inflateReset(&stream);
  }
  return opened;
}

byte_vector open_zstd(byte_span stored) {
  const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    fail_on_chunk("zstd of unknown size");
  byte_vector opened(static_cast<std::size_t>(size));
  const std::size_t got = ZSTD_decompress(opened.data(), opened.size(), stored.data(), stored.size());
  if (ZSTD_isError(got) != 0 || got != opened.size()) fail_on_chunk("zstd");
  return opened;
}

byte_vector open_chunk(const file_head& head, byte_span stored, const model_options& options) {
  if (head.compression == none) return {stored.begin(), stored.end()};
  if (head.compression == gzip) return open_gzip(stored);
  if (head.version == 3 && options.zstd_switched_off) {
    throw decoder_exception(failure::zstd_switched_off, "Zstd not available");
  }
  return open_zstd(stored);
}

// 16 bytes as 8-4-4-4-12 upper-case digits.
std::string session_text(byte_source& in) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02X", static_cast<unsigned>(in.u8()));
    text += digits.data();
  }
  return text;
}

std::string address_text(byte_source& in) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) text += '.';
    text += std::to_string(in.u8());
  }
  return text;
}

void read_head(byte_source& in, file_head& head) {
  head.keyframe_interval_ticks = in.u16();
  head.compression = in.u8();
  if (head.compression > last_zstd) {
    throw decoder_exception(failure::unknown_compression, "compression " + std::to_string(head.compression));
  }
  head.client_name = in.text();
  head.session_id = session_text(in);
  head.session_ip = address_text(in);
  head.players.resize(in.u8());
  for (table_player& player : head.players) player.name = in.text();
  for (table_player& player : head.players) player.userid = in.i64();
  for (table_player& player : head.players) player.number = in.u8();
  for (table_player& player : head.players) player.level = in.u8();
  head.total_round_count = in.u8();
  head.round_scores = in.u8();
  head.map_byte = in.u8();
  const std::uint32_t chunk_count = in.u32();
  for (std::uint32_t i = 0; i < chunk_count; ++i) head.chunk_sizes.push_back(in.u32());
  head.first_chunk_offset = in.offset();
}

}  // namespace

file_head decode(byte_span file, const frame_receiver& receive, const model_options& options) {
  file_head head;
  if (file.empty()) return head;
  byte_source in(file);
  head.version = in.u8();
  if (head.version < 1 || head.version > 3) return head;
  read_head(in, head);

  frame previous;
  bool has_previous = false;
  std::size_t offset = head.first_chunk_offset;
  const std::size_t count = head.chunk_sizes.size();
  for (std::size_t chunk = 0; chunk < count; ++chunk) {
    const std::size_t size = head.chunk_sizes[chunk];
    if (size == 0) {
      // An empty entry is skipped, except in the last two places, where it ends the reading.
      if (chunk + 2 >= count) break;
      continue;
    }
    if (size > file.size() - offset) throw decoder_exception(failure::end_of_data, "the last chunk is cut");
    const byte_vector frames = open_chunk(head, file.subspan(offset, size), options);
    offset += size;
    byte_source chunk_in(frames);
    while (!chunk_in.at_end()) {
      frame_place place{chunk, chunk_in.offset(), 0, false};
      frame next;
      place.keyframe = read_frame(head, has_previous ? &previous : nullptr, chunk_in, next);
      place.bytes = chunk_in.offset() - place.offset;
      receive(next, place);
      previous = std::move(next);
      has_previous = true;
    }
  }
  return head;
}

std::vector<frame> decode_all(byte_span file, const model_options& options) {
  std::vector<frame> frames;
  decode(file, [&](const frame& next, const frame_place&) { frames.push_back(next); }, options);
  return frames;
}

}  // namespace tickreel::butter_model
