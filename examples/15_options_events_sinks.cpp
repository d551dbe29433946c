// The second level of record<T>(): options, entities, events, a sink, and no thread except the game's.
#include <cstdio>
#include <memory>
#include <optional>
#include <tickreel/reel/sink.hpp>
#include <tickreel/tickreel.hpp>
#include <utility>
#include <vector>

namespace {

struct unit {
  float x = 0, y = 0;
  std::int16_t health = 100;
};
TICKREEL_DESCRIBE(unit, x, y, health);
TICKREEL_DECLARE(unit, (x, decimals(2), unit_name("m")), (y, decimals(2), unit_name("m")));

struct world {
  tickreel::entities<unit, 64> units;
};
TICKREEL_DESCRIBE(world, units);

struct fallen {
  std::uint32_t place = 0;
};
TICKREEL_DESCRIBE(fallen, place);

// Receives the bytes of the file, record by record; use queued_sink for a network.
class counting_sink final : public tickreel::reel::sink {
 public:
  explicit counting_sink(std::size_t& bytes) : bytes_(bytes) {}
  tickreel::result<void> accept_header(tickreel::byte_span bytes) override { return count(bytes); }
  tickreel::result<void> accept_record(const tickreel::reel::record_info&,
                                       tickreel::byte_span bytes) override {
    return count(bytes);
  }

 private:
  tickreel::result<void> count(tickreel::byte_span bytes) {
    bytes_ += bytes.size();
    return {};
  }
  std::size_t& bytes_;
};

int give_up(const tickreel::error& what) {
  std::puts(tickreel::describe(what).c_str());
  return 1;
}

}  // namespace

int main() {
  std::size_t sent = 0;
  std::vector<std::unique_ptr<tickreel::reel::sink>> sinks;
  sinks.push_back(std::make_unique<counting_sink>(sent));

  tickreel::recorder_options options;
  options.ticks_per_second = 60;
  options.mode = tickreel::threading::pumped;  // no thread: pump() performs the work
  options.seal_interval_ms = 500;              // the most that a crash loses
  auto out = tickreel::record<world>("units.reel", options, std::move(sinks));
  if (!out) return give_up(out.error());

  world now;
  const auto runner = now.units.add({});
  std::optional<tickreel::entity_id> guest;
  for (int tick = 0; tick < 600; ++tick) {
    now.units.find(*runner)->x = static_cast<float>(tick) / 60;
    if (tick % 100 == 0) guest = now.units.add({.x = 1, .y = 2});
    const bool falls = tick % 100 == 50 && now.units.remove(*guest);
    out->push(now);                               // never waits
    if (falls) out->event(fallen{guest->place});  // at the tick that was pushed last
    if (tick % 10 == 0) out->pump();              // from one of the engine's jobs
  }
  const auto report = out->close();
  if (!report) return give_up(report.error());

  auto in = tickreel::replay<world>("units.reel");
  if (!in) return give_up(in.error());
  const auto events = in->events<fallen>();
  if (!events) return give_up(events.error());
  std::printf("%d ticks, %d events; the sink got %d bytes\n", int(report->counters.written),
              int(events->size()), int(sent));
  return events->size() == 6 && sent == report->counters.stored_bytes ? 0 : 1;
}
