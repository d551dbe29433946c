// Where sealed records go.
#pragma once

#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Receives the bytes of a reel, record by record, on the writer thread: the header first, then whole records,
// byte for byte what stands in the file. A sink that joins late gets the header, a gap that says what it
// missed, and goes on with the next keyframe; record offsets then count from the start of the file, not of
// what the sink got.
//
// A sink must not wait: what it cannot hand on at once it queues or gives up. One that answers with an error
// is closed, counted and left out from then on; the local file goes on. A sink that is not closed before it
// is destroyed has seen a reel without an end.
class sink {
 public:
  virtual ~sink() = default;
  virtual result<void> accept_header(byte_span bytes) = 0;
  virtual result<void> accept_record(const record_info& info, byte_span bytes) = 0;
  // Whether a sink that joins late gets what it missed by itself.
  [[nodiscard]] virtual bool catches_up() const noexcept { return false; }
  // Everything accepted so far must survive a power cut, where that means anything.
  virtual result<void> sync() { return {}; }
  virtual result<void> close() { return {}; }
};

// Keeps the reel in memory, for tests and network tails.
class memory_sink final : public sink {
 public:
  result<void> accept_header(byte_span bytes) override;
  result<void> accept_record(const record_info& info, byte_span bytes) override;
  [[nodiscard]] byte_span bytes() const noexcept { return bytes_; }

 private:
  byte_vector bytes_;
};

}  // namespace tickreel::reel
