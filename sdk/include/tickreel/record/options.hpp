// Options and counters of a recorder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/keyframe/cadence.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// What happens to a tick if the ring is full. Lost ticks are always counted, and the file contains the count.
enum class loss_policy : std::uint8_t {
  drop_newest,  // the new tick is lost
  drop_oldest,  // the oldest tick in the ring is lost
  block,        // the caller waits; for tools, never for games
};

enum class threading : std::uint8_t {
  own_thread,  // one writer thread per recorder
  pumped,      // no thread: the engine calls pump() from its own jobs
};

// Reports failures to the log of the engine, which then need not poll failure().
//
// The recorder calls `changed` when writing to the file starts to fail, and with null when it works again. In between,
// each code of the system is reported once. A failed sink is reported, too; null never follows for it, because it is disabled.
//
// The call is on the writer thread, in pump() or in close(), never in push(), and no lock is held; the writer waits for it.
// It may call counters(), failure() and save_last() of the recorder, but not push(), event(), pump() or close(). `self` is
// used until the recorder is destroyed.
struct failure_observer {
  void (*changed)(void* self, const error* what) noexcept = nullptr;
  void* self = nullptr;
};

struct recorder_options {
  cadence_options cadence = {};
  codec_options codec = {};
  threading mode = threading::own_thread;

  // The durability clock: a chunk is sealed, written and synced at the latest after any of these.
  std::uint32_t seal_interval_ms = 1000;  // of wall time since its first frame
  std::uint32_t seal_frames = 0;          // 0: no such rule
  std::uint32_t seal_bytes = 4u << 20;    // of encoded frames, before compression

  // False leaves syncing to the operating system: a crash of the process still loses nothing sealed, a power
  // cut may.
  bool sync_each_chunk = true;
  // The minimum interval between syncs, for recorders that seal often; a power cut then loses this much more.
  // 0: each chunk.
  std::uint32_t sync_interval_ms = 0;

  // Capacity of the ring in states or items; rounded up to a power of two.
  std::uint32_t ring_ticks = 256;
  // For items: the limit of their total bytes. A larger item is accepted if no other waits.
  std::uint32_t ring_bytes = 64u << 20;
  // For record<T>() and struct_recording: the limit of the recorder's memory; 0: none. Halves ring_ticks and seal_bytes until
  // it is met: a smaller ring accepts shorter bursts, and blocks of fewer rows are larger files. over_limit if the struct
  // needs more, with the number. It covers also data that cannot be compressed, so the recorder usually has less. Not
  // included: the codec's own memory (0.3 MB at the default level); while it is opened, up to 400 bytes per value of the
  // struct; up to 26 MB of events that wait for the end of their chunk; and for the index 104 bytes per record, which each
  // event is, or three times as much while the index grows.
  std::uint64_t memory_bytes = 0;

  // Written to the reel's header. 0 if ticks have no rate: then push() uses the clock. Stored in thousandths:
  // 60000.0 / 1001 becomes 59.94. invalid_argument for values that reel::to_millihertz() rejects.
  double ticks_per_second = 0;
  std::int64_t start_time_us = 0;  // microseconds since 1970 UTC; 0: the time of open()
  byte_vector schema = {};
  std::vector<reel::metadata_entry> metadata = {};

  failure_observer observer = {};
};

// Totals since open(), readable at any time from any thread.
struct recorder_counters {
  std::uint64_t pushed = 0;     // ticks accepted into the ring
  std::uint64_t dropped = 0;    // ticks dropped because it was full (drop_oldest: the older ticks that were
                                // replaced)
  std::uint64_t refused = 0;    // rejected calls: a tick that does not rise, or a push after close()
  std::uint64_t written = 0;    // ticks sealed into the reel
  std::uint64_t lost = 0;       // ticks accepted but not written: the file or the encoder failed
  std::uint64_t noted = 0;      // ticks reported as lost by note_gap()
  std::uint64_t keyframes = 0;  // sealed into the reel, like the rest below
  std::uint64_t chunks = 0;
  std::uint64_t events = 0;
  std::uint64_t events_lost = 0;   // rejected by event(), or not written
  std::uint64_t raw_bytes = 0;     // encoded, before compression
  std::uint64_t stored_bytes = 0;  // size of the reel
  std::uint64_t failed_writes = 0;
  std::uint64_t failed_syncs = 0;
  // Disabled sinks; at the end also queued sinks that have not delivered everything.
  std::uint64_t failed_sinks = 0;
};

// The result of close() for a recording that ended properly.
struct close_report {
  recorder_counters counters;
  // The last error that did not end the recording; its effects are counted as lost, failed_*.
  std::optional<error> earlier_failure;

  // Every pushed tick is in the reel, and on the disk as far as the options require it.
  [[nodiscard]] bool nothing_lost() const noexcept {
    return counters.dropped == 0 && counters.lost == 0 && counters.events_lost == 0 &&
           counters.failed_syncs == 0;
  }
};

}  // namespace tickreel
