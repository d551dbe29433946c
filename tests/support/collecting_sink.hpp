// A sink that keeps what it receives.
#pragma once

#include "tickreel/reel/sink.hpp"

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

}  // namespace tickreel::test
