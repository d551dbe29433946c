// Encodes states into a file and reads them back.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"

namespace tickreel::test {

struct written_file {
  byte_vector bytes;
  butter::omissions left_out;
};

// A chunk and a keyframe every `interval` frames; in between, keyframes that the encoder forces.
inline written_file write_butter(std::span<const echo::state> states, std::uint16_t interval,
                                 const butter::encoder_options& options = {},
                                 const codec_options& codec = {codec_id::none}) {
  butter::encoder encoder(options);
  byte_vector room(encoder.max_frame_size());
  std::vector<byte_vector> chunks;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const bool keyframe = i % interval == 0;
    if (keyframe) chunks.emplace_back();
    byte_writer out(room);
    encoder.encode(states[i], keyframe ? frame_kind::keyframe : frame_kind::delta, out);
    BOOST_REQUIRE(out.ok());
    chunks.back().insert(chunks.back().end(), out.written().begin(), out.written().end());
  }
  byte_vector header_room(encoder.max_header_size());
  byte_writer header(header_room);
  encoder.write_header(header);
  BOOST_REQUIRE(header.ok());
  auto compress = compressor::create(codec);
  BOOST_REQUIRE(compress.has_value());
  std::vector<std::uint32_t> sizes;
  byte_vector body, stored;
  for (const byte_vector& chunk : chunks) {
    BOOST_REQUIRE(compress->compress(chunk, stored).has_value());
    sizes.push_back(static_cast<std::uint32_t>(stored.size()));
    body.insert(body.end(), stored.begin(), stored.end());
  }
  auto head = butter::encode_head(header.written(), interval, *butter::compression_for(codec), sizes);
  BOOST_REQUIRE(head.has_value());
  head->insert(head->end(), body.begin(), body.end());
  return {std::move(*head), encoder.left_out()};
}

struct read_frames {
  std::vector<echo::state> states;
  std::vector<butter::frame_position> positions;
  std::optional<error> ended_with;
};

inline read_frames read_butter(byte_span file, const butter::reader_options& options = {}) {
  read_frames frames;
  auto reader = butter::reader::open(file, options);
  if (!reader) {
    frames.ended_with = reader.error();
    return frames;
  }
  const auto out = std::make_unique<echo::state>();
  while (true) {
    const auto more = reader->next(*out);
    if (!more) {
      frames.ended_with = more.error();
      // After an error the reader keeps returning it.
      const auto again = reader->next(*out);
      BOOST_TEST((!again && again.error().code == more.error().code));
      return frames;
    }
    if (!*more) return frames;
    frames.states.push_back(*out);
    frames.positions.push_back(reader->position());
  }
}

inline std::vector<echo::state> through_file(std::span<const echo::state> states,
                                             std::uint16_t interval = 300,
                                             const butter::encoder_options& options = {}) {
  const written_file file = write_butter(states, interval, options);
  read_frames back = read_butter(file.bytes);
  BOOST_TEST(!back.ended_with, (back.ended_with ? describe(*back.ended_with) : ""));
  BOOST_REQUIRE_EQUAL(back.states.size(), states.size());
  return std::move(back.states);
}

}  // namespace tickreel::test
