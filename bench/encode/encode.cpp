// What does encoding a tick as a frame cost, and how large is the frame?

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/mean.hpp"
#include "../support/profiles.hpp"
#include "../support/program.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "worlds.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

enum class frames { mixed, keyframes, deltas };

// The columns that describe a row of the table.
struct row {
  std::string encoder;
  std::string workload;
  std::string frame;
  double bytes_per_tick = 0;
  double allocations_per_tick = 0;
};

// One pass encodes the whole match as one chunk; `mixed` corresponds to a recorder with an interval of 300.
template <class Encoder, class State>
void encode_pass(benchmark::State& loop, const std::vector<State>& ticks, frames which,
                 const std::function<Encoder()>& make, row& about) {
  Encoder encoder = make();
  byte_vector room(encoder.max_frame_size());
  std::uint64_t bytes = 0;
  std::uint64_t encoded = 0;
  std::uint64_t allocations = 0;
  const auto encode = [&](const State& tick, frame_kind kind) {
    byte_writer out(room);
    encoder.encode(tick, kind, out);
    benchmark::DoNotOptimize(room.data());
    return out.size();
  };
  for (auto _ : loop) {
    std::size_t from = 0;
    if (which == frames::deltas) {
      loop.PauseTiming();
      encode(ticks[from++], frame_kind::keyframe);
      loop.ResumeTiming();
    }
    const std::uint64_t before = allocations_of_this_thread();
    for (std::size_t i = from; i < ticks.size(); ++i) {
      const bool keyframe = which == frames::keyframes || i == 0;
      bytes += encode(ticks[i], keyframe ? frame_kind::keyframe : frame_kind::delta);
    }
    allocations += allocations_of_this_thread() - before;
    encoded += ticks.size() - from;
  }
  loop.SetItemsProcessed(static_cast<std::int64_t>(encoded));
  about.bytes_per_tick = static_cast<double>(bytes) / static_cast<double>(encoded);
  about.allocations_per_tick = static_cast<double>(allocations) / static_cast<double>(encoded);
}

// The bound for all compressed formats: the codec alone on the frames of one chunk.
void compress_pass(benchmark::State& loop, const byte_vector& chunk, std::size_t ticks,
                   const codec_options& options, row& about) {
  auto codec = must(compressor::create(options));
  byte_vector out;
  must(codec.compress(chunk, out));
  const std::uint64_t before = allocations_of_this_thread();
  for (auto _ : loop) {
    must(codec.compress(chunk, out));
    benchmark::DoNotOptimize(out.data());
  }
  loop.SetItemsProcessed(static_cast<std::int64_t>(loop.iterations()) * static_cast<std::int64_t>(ticks));
  about.bytes_per_tick = static_cast<double>(out.size()) / static_cast<double>(ticks);
  about.allocations_per_tick = static_cast<double>(allocations_of_this_thread() - before) /
                               static_cast<double>(loop.iterations()) / static_cast<double>(ticks);
}

struct workload {
  std::string name;
  std::vector<echo::state> ticks;
  std::vector<echoreplay::answer> answers;
  byte_vector frames;  // of one chunk, as the butter encoder wrote them
};

workload make_workload(std::string name, bool bones) {
  workload out{std::move(name), arena_match({.bones = bones}), {}, {}};
  out.answers.resize(out.ticks.size());
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  std::string session, bones_text;
  for (std::size_t i = 0; i < out.ticks.size(); ++i) {
    const echo::state& tick = out.ticks[i];
    session.clear();
    bones_text.clear();
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::game, session);
    if (bones) echo::append_bones_json(tick, echo::json_shape::api, echo::number_style::game, bones_text);
    if (!out.answers[i].assign(tick.recorded_time_ms, session, bones_text, bones)) {
      fmt::print(stderr, "an answer is longer than an echoreplay::answer holds\n");
      std::exit(1);
    }
    byte_writer frame(room);
    encoder.encode(tick, i == 0 ? frame_kind::keyframe : frame_kind::delta, frame);
    out.frames.insert(out.frames.end(), frame.written().begin(), frame.written().end());
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "encode", "what does turning a tick into a frame cost, and how large is it?");
  fmt::print(
      "Processor time per tick, median of the repetitions, over 300 ticks of a simulated arena match at 60 "
      "Hz.\n"
      "mixed: one keyframe and 299 deltas, as a recorder writes them.\n\n");

  const workload workloads[] = {make_workload("8 players", false),
                                make_workload("8 players with bones", true)};
  std::vector<std::unique_ptr<row>> rows;
  const auto add = [&](std::string encoder, std::string name, std::string frame, auto&& body) {
    row& about =
        *rows.emplace_back(std::make_unique<row>(row{std::move(encoder), std::move(name), std::move(frame)}));
    benchmark::RegisterBenchmark(std::to_string(rows.size() - 1).c_str(),
                                 [&about, body](benchmark::State& loop) { body(loop, about); });
  };

  for (const workload& what : workloads) {
    for (const profile& each : profiles()) {
      for (const auto& [name, which] :
           {std::pair{"mixed", frames::mixed}, std::pair{"keyframe", frames::keyframes},
            std::pair{"delta", frames::deltas}}) {
        add(each.name == "default" ? "butter" : fmt::format("butter {}", each.name), what.name, name,
            [&what, each, which = which](benchmark::State& loop, row& about) {
              encode_pass<butter::encoder>(
                  loop, what.ticks, which, [&] { return butter::encoder(each.options); }, about);
            });
      }
    }
    add("echoreplay", what.name, "keyframe", [&what](benchmark::State& loop, row& about) {
      encode_pass<echoreplay::encoder>(
          loop, what.answers, frames::keyframes, [] { return echoreplay::encoder{}; }, about);
    });
    for (const auto& [name, options] :
         {std::pair{"codec alone: lz4", codec_options{.codec = codec_id::lz4}},
          std::pair{"codec alone: zstd 3", codec_options{.codec = codec_id::zstd}},
          std::pair{"codec alone: gzip 6", codec_options{.codec = codec_id::gzip}}}) {
      if (!is_available(options.codec)) continue;
      add(name, what.name, "chunk of 300", [&what, options = options](benchmark::State& loop, row& about) {
        compress_pass(loop, what.frames, what.ticks.size(), options, about);
      });
    }
  }

  const auto found = run_registered(self.quick());
  boost::json::array json;
  table out({"encoder", "workload", "frames", "ns/tick", "least", "bytes/tick", "allocations/tick"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const row& about = *rows[i];
    const mean& time = found.at(std::to_string(i));
    out.row({about.encoder, about.workload, about.frame, figure(time.median_ns), figure(time.shortest_ns),
             figure(about.bytes_per_tick), figure(about.allocations_per_tick)});
    json.push_back({{"encoder", about.encoder},
                    {"workload", about.workload},
                    {"frame", about.frame},
                    {"ns_per_tick", time.median_ns},
                    {"least_ns_per_tick", time.shortest_ns},
                    {"spread", {{"ns_per_tick", {time.shortest_ns, time.longest_ns}}}},
                    {"bytes_per_tick", about.bytes_per_tick},
                    {"allocations", about.allocations_per_tick}});
  }
  out.print();
  measure_worlds(self, json);
  self.results()["rows"] = std::move(json);
  return self.finish();
}
