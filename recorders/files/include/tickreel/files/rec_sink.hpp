// A .rec file that grows while a game runs, as the sink of a recorder.
//
//   using rec = tickreel::recorder<tickreel::samp_rec::encoder<tickreel::samp_rec::on_foot_block>>;
//   auto file = tickreel::files::rec_sink::create("guard.rec", samp_rec::recording_kind::on_foot);
//   std::vector<std::unique_ptr<tickreel::reel::sink>> sinks;  sinks.push_back(std::move(*file));
//   auto recorder = rec::open(std::move(sinks), {});
#pragma once

#include <cstdint>
#include <memory>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/samp_rec/header.hpp"

namespace tickreel::files {

// Ticks that the sink discarded to keep the file valid.
struct rec_sink_counters {
  std::uint64_t blocks = 0;
  std::uint64_t refused = 0;  // a time before the last one's, or not a number
};

// Appends the blocks of each sealed chunk. The file is a valid recording at any moment and needs neither
// publishing nor recovery: after a kill it lacks the unsealed ticks, at most a second. Runs on the recorder's
// writer thread. One sink serves one recorder, whose encoder is samp_rec::encoder of the same kind.
class rec_sink final : public reel::sink {
 public:
  // Writes the header. Errors: already_exists unless `overwrite`; invalid_argument for recording_kind::none;
  // the system's errors. `counters`, if given, must outlive the recorder; read it after close().
  static result<std::unique_ptr<rec_sink>> create(const file_path& path, samp_rec::recording_kind kind,
                                                  bool overwrite = false,
                                                  rec_sink_counters* counters = nullptr,
                                                  system_calls& calls = system_calls::real());
  ~rec_sink() override;

  // malformed if the recorder's frames are not blocks of this kind.
  result<void> accept_header(byte_span bytes) override;
  result<void> accept_record(const reel::record_info& info, byte_span bytes) override;
  result<void> sync() override;
  result<void> close() override;

 private:
  struct state;
  explicit rec_sink(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::files
