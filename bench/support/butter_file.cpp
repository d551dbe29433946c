#include "butter_file.hpp"

#include "exit_on_error.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel::bench {

encoded_match encode_match(std::span<const echo::state> ticks, std::uint16_t keyframe_interval_ticks,
                           const butter::encoder_options& options) {
  butter::encoder encoder(options);
  encoded_match out{
      .keyframe_interval_ticks = keyframe_interval_ticks, .frames = ticks.size(), .header = {}, .chunks = {}};
  byte_vector room(encoder.max_frame_size());
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const bool keyframe = i % keyframe_interval_ticks == 0;
    if (keyframe) out.chunks.emplace_back();
    byte_writer frame(room);
    encoder.encode(ticks[i], keyframe ? frame_kind::keyframe : frame_kind::delta, frame);
    out.chunks.back().insert(out.chunks.back().end(), frame.written().begin(), frame.written().end());
  }
  out.header.resize(encoder.max_header_size());
  byte_writer header(out.header);
  encoder.write_header(header);
  out.header.resize(header.size());
  return out;
}

byte_vector butter_file(const encoded_match& match, butter::compression codec) {
  auto compress = must(compressor::create(butter::codec_of(codec)));
  byte_vector stored, chunks;
  std::vector<std::uint32_t> sizes;
  for (const byte_vector& chunk : match.chunks) {
    must(compress.compress(chunk, stored));
    sizes.push_back(static_cast<std::uint32_t>(stored.size()));
    chunks.insert(chunks.end(), stored.begin(), stored.end());
  }
  byte_vector file = must(butter::encode_head(match.header, match.keyframe_interval_ticks, codec, sizes));
  file.insert(file.end(), chunks.begin(), chunks.end());
  return file;
}

std::vector<echo::state> read_butter_file(byte_span file) {
  auto reader = must(butter::reader::open(file));
  std::vector<echo::state> ticks;
  echo::state tick;
  while (must(reader.next(tick))) ticks.push_back(tick);
  return ticks;
}

}  // namespace tickreel::bench
