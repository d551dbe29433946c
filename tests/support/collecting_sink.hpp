// A sink that keeps what it receives, and reels in memory that are written through it.
#pragma once

#include <memory>

#include "tickreel/reel/sink.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::test {

// Appends to bytes of the test, which can read them after the recorder is destroyed.
class collecting_sink final : public reel::sink {
 public:
  explicit collecting_sink(byte_vector& to) : to_(to) {}
  result<void> accept_header(byte_span bytes) override {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
  }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override {
    return accept_header(bytes);
  }

 private:
  byte_vector& to_;
};

// Writes a reel to `to` instead of a file.
inline result<reel::writer> writer_to(byte_vector& to, const reel::header& head = {},
                                      const codec_options& codec = {}) {
  auto writer = reel::writer::create_without_file(head, codec);
  if (writer) writer->add_sink(std::make_unique<collecting_sink>(to));
  return writer;
}

}  // namespace tickreel::test
