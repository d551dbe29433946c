// Receivers of sealed records.
#pragma once

#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// Receives the bytes of a reel, record by record, on the writer thread: the header first, then whole records,
// byte for byte as in the file. A sink that joins late receives the header, a gap that stands for the records that
// it missed, and records from the next keyframe on. Record offsets then count from the start of the file, not of
// the sink's copy.
//
// A sink must not wait: it queues or discards what it cannot pass on immediately. After an error the sink
// is closed, counted and not called again; the local file continues. A sink that is destroyed without being closed
// has received a reel without an end.
class sink {
 public:
  virtual ~sink() = default;
  virtual result<void> accept_header(byte_span bytes) = 0;
  virtual result<void> accept_record(const record_info& info, byte_span bytes) = 0;
  // Whether a sink that joins late obtains the earlier records by itself.
  [[nodiscard]] virtual bool catches_up() const noexcept { return false; }
  // Everything accepted must survive a power cut, if that applies to the destination.
  virtual result<void> sync() { return {}; }
  virtual result<void> close() { return {}; }
};

// Keeps the reel in memory, for tests and network followers.
class memory_sink final : public sink {
 public:
  result<void> accept_header(byte_span bytes) override;
  result<void> accept_record(const record_info& info, byte_span bytes) override;
  [[nodiscard]] byte_span bytes() const noexcept { return bytes_; }

 private:
  byte_vector bytes_;
};

}  // namespace tickreel::reel
