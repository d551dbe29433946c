// The recorded content of a simulation: the same real recorder for each format, and readers that judge every tick.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "script.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sim {

// Ticks that a reader returned, in order, by number.
struct read_ticks {
  std::vector<std::uint64_t> numbers;
  std::string wrong;  // the first tick with other content than the recorded one; empty: none
  bool operator==(const read_ticks&) const = default;
};

class recorded_world {
 public:
  virtual ~recorded_world() = default;

  // The path while it is recorded, and that of the published file; the same if the reel is the file.
  [[nodiscard]] virtual std::string reel_path() const = 0;
  [[nodiscard]] virtual std::string final_path() const = 0;

  std::vector<std::unique_ptr<reel::sink>> sinks;  // of the next open()
  virtual result<void> open(const script& options) = 0;
  // Tick `number`, at `time_us`.
  virtual void push(std::uint64_t number, std::int64_t time_us) = 0;
  virtual void pump() = 0;
  virtual void event() = 0;
  // `count` ticks from `first` never arrive.
  virtual void gap(std::uint64_t first, std::uint64_t count, std::int64_t time_us) = 0;
  virtual result<close_report> close() = 0;
  // Destroys the recorder, if there is one.
  virtual void abandon() = 0;
  [[nodiscard]] virtual recorder_counters counters() const = 0;

  // Of a reel or of the published file.
  virtual result<read_ticks> read(const std::string& path) = 0;
  // Writes the final file of the reel; removes the reel.
  virtual result<void> publish() = 0;
  // Reads what is new while it is recorded.
  virtual result<read_ticks> follow() = 0;
  virtual void end_following() = 0;
};

[[nodiscard]] std::unique_ptr<recorded_world> make_world(recorded_as format);

}  // namespace tickreel::sim
