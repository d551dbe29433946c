// A reel that appears under its name only when it is whole.
#pragma once

#include "tickreel/io/file.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::reel {

// Hands a reel's records on to a file that its owner commits when they are all there; the file outlives it.
class published_sink final : public sink {
 public:
  explicit published_sink(published_file& to) noexcept : to_(&to) {}
  result<void> accept_header(byte_span bytes) override { return to_->append(bytes); }
  result<void> accept_record(const record_info&, byte_span bytes) override { return to_->append(bytes); }

 private:
  published_file* to_;
};

}  // namespace tickreel::reel
