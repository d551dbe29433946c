// A reel that appears under its name only when it is complete.
#pragma once

#include "tickreel/io/file.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::reel {

// Writes a reel's records to a file that its owner commits when all are there. The file must outlive the
// sink.
class published_sink final : public sink {
 public:
  explicit published_sink(published_file& to) noexcept : to_(&to) {}
  result<void> accept_header(byte_span bytes) override { return to_->append(bytes); }
  result<void> accept_record(const record_info&, byte_span bytes) override { return to_->append(bytes); }

 private:
  published_file* to_;
};

}  // namespace tickreel::reel
