// What does a tick of a described struct cost, in bytes and time?

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/process.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "../support/throughput.hpp"
#include "../support/worlds.hpp"
#include "arena_tick.hpp"
#include "large_world.hpp"
#include "push.hpp"
#include "seeks.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/tickreel.hpp"
#include "tickreel/tracks/block_writer.hpp"

namespace tickreel::bench {

namespace {

// Rows one after the other.
struct workload {
  std::string name;
  schema described;
  std::uint32_t rate_hz = 60;
  byte_vector rows;
  std::uint32_t group_columns = 0;  // of blocks while recording; 0: as in the file
  bool near_skeletons = false;      // 0.5 mm and 0.1 degrees
  double bound_bytes = 0;           // the information in the changes of a tick; 0: unknown

  [[nodiscard]] std::size_t count() const noexcept { return rows.size() / described.row_bytes(); }
  [[nodiscard]] byte_span row(std::size_t i) const noexcept {
    return byte_span(rows).subspan(i * described.row_bytes(), described.row_bytes());
  }
};

struct coded {
  double bytes = 0;  // per tick, with zstd at level 1 after the coder
  double encode_us = 0, compress_us = 0, decode_us = 0;
};

// Processor time of this thread, because other threads use the same cores. The best of some runs.
double cpu_us(int times, const std::function<void()>& work) {
  double least = 0;
  for (int i = 0; i < times; ++i) {
    const double start = thread_cpu_ns();
    work();
    const double took = (thread_cpu_ns() - start) / 1000;
    least = i == 0 ? took : std::min(least, took);
  }
  return least;
}

coded measure(const workload& from, const tracks::shape& shape, tracks::stage stage, int times) {
  const std::uint32_t seconds = stage == tracks::stage::live ? 1 : 10;
  tracks::block_options options{.stage = stage, .max_rows = from.rate_hz * seconds};
  if (stage == tracks::stage::live && from.group_columns != 0) options.group_columns = from.group_columns;
  tracks::block_writer writer(shape, options);
  const auto ticks = static_cast<double>(from.count());
  struct stored_block {
    byte_vector bytes;
    bool continues;
  };
  std::vector<stored_block> blocks;
  byte_vector room(writer.largest_size());
  // As recorders do: a whole block every ten seconds.
  constexpr std::size_t whole_every = 10;
  coded out;
  out.encode_us =
      cpu_us(times,
             [&] {
               blocks.clear();
               for (std::size_t i = 0; i < from.count();) {
                 writer.clear();
                 const bool may_continue = stage == tracks::stage::live && blocks.size() % whole_every != 0;
                 const bool continues = may_continue && writer.continue_block();
                 const std::size_t end = std::min<std::size_t>(from.count(), i + options.max_rows);
                 while (i < end && writer.add(from.row(i))) ++i;
                 byte_writer to(room);
                 writer.write(to);
                 blocks.push_back({{to.written().begin(), to.written().end()}, continues});
               }
             }) /
      ticks;
  auto zstd = must(compressor::create({.codec = codec_id::zstd, .level = 1}));
  byte_vector stored;
  std::size_t bytes = 0;
  out.compress_us = cpu_us(1,
                           [&] {
                             for (const stored_block& block : blocks) {
                               must(zstd.compress(block.bytes, stored));
                               bytes += std::min(stored.size(), block.bytes.size());
                             }
                           }) /
                    ticks;
  out.bytes = static_cast<double>(bytes) / ticks;
  tracks::block_reader reader(shape);
  byte_vector row(shape.row_bytes);
  out.decode_us = cpu_us(times,
                         [&] {
                           for (const stored_block& block : blocks) {
                             must(block.continues ? reader.open_next(block.bytes) : reader.open(block.bytes));
                             for (std::size_t i = 0; i < reader.rows(); ++i) must(reader.row(i, row));
                           }
                         }) /
                  ticks;
  return out;
}

template <class T>
void append_row(workload& to, const T& now) {
  append_component(to.rows, now);
}

// As reels of columns store Echo VR: all values of the API, including texts, without the spelling of its lines.
template <class Tick>
workload echo_of(std::string name, std::uint32_t rate_hz, const std::vector<echo::state>& ticks) {
  workload out{std::move(name), schema_of<Tick>(), rate_hz, {}};
  out.group_columns = echo::live_group_columns;
  const auto row = std::make_unique<Tick>();
  for (const echo::state& tick : ticks) {
    echo::assign(*row, tick, {});
    append_row(out, *row);
  }
  return out;
}

// The tolerance per axis that keeps a position within 0.5 mm, and per quaternion component that keeps a rotation within 0.1
// degrees.
void declare_near_skeletons(tracks::shape& of, const schema& described) {
  const auto values = values_of(described);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view at = values[i].name;
    if (at.find(".positions[") != at.npos) of.columns[i].declared.tolerance = 0.00028;
    if (at.find(".rotations[") == at.npos) continue;
    tracks::declaration& said = of.columns[i].declared;
    said.tolerance = 0.00043;
    if (!at.ends_with(".w")) continue;
    const auto w = static_cast<std::uint32_t>(i);
    said.kind = tracks::relation::unit_quaternion;
    said.of = {w - 3, w - 2, w - 1};
  }
}

std::vector<echo::state> read_arena(const std::filesystem::path& file) {
  auto source = must(files::open_echo(file));
  std::vector<echo::state> ticks;
  const auto tick = std::make_unique<echo::state>();
  while (must(source->next(*tick))) ticks.push_back(*tick);
  return ticks;
}

template <class World>
workload world_of(std::size_t entities, std::size_t ticks) {
  workload out{{}, schema_of<World>(), 0, {}};
  for (const world_options& each : all_worlds()) {
    if (each.entities != entities || out.rate_hz != 0) continue;
    out.name = each.name;
    out.rate_hz = each.rate_hz;
    out.bound_bytes = information_bytes(each);
    world now(each);
    const auto state = std::make_unique<World>();
    for (std::size_t i = 0; i < ticks; ++i) {
      now.step();
      now.copy_to(*state);
      append_row(out, *state);
    }
  }
  return out;
}

workload light_units_of(std::size_t ticks) {
  workload out{"10000 units of 28 B, 100 random changed", schema_of<light_units>(), 20, {}};
  out.bound_bytes = light_world::bound_bytes();
  light_world world;
  for (std::size_t i = 0; i < ticks; ++i) append_row(out, world.next());
  return out;
}

struct skeleton_error {
  double millimetres = 0, degrees = 0;  // the largest of all bones of all ticks
};

skeleton_error largest_error(const workload& from, const tracks::shape& shape, tracks::stage stage) {
  using tick = echo::recorded_tick_with_bones;
  const std::uint32_t seconds = stage == tracks::stage::live ? 1 : 10;
  tracks::block_writer writer(shape, {.stage = stage, .max_rows = from.rate_hz * seconds});
  byte_vector room(writer.largest_size()), row(shape.row_bytes);
  tracks::block_reader reader(shape);
  skeleton_error worst;
  for (std::size_t done = 0; done < from.count();) {
    writer.clear();
    const std::size_t first = done;
    while (done < from.count() && writer.add(from.row(done))) ++done;
    byte_writer to(room);
    writer.write(to);
    must(reader.open(to.written()));
    for (std::size_t i = first; i < done; ++i) {
      must(reader.row(i - first, row));
      const auto was = std::make_unique<tick>(must(read_component<tick>(from.row(i))));
      const auto is = std::make_unique<tick>(must(read_component<tick>(row)));
      for (std::size_t who = 0; who < was->bone_player_count; ++who) {
        for (std::size_t bone = 0; bone < echo::bone_count; ++bone) {
          const echo::vec3 &a = was->bone_players[who].positions[bone],
                           &b = is->bone_players[who].positions[bone];
          worst.millimetres = std::max(
              worst.millimetres, 1000 * std::hypot(double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z));
          const echo::quat &p = was->bone_players[who].rotations[bone],
                           &q = is->bone_players[who].rotations[bone];
          const double apart = std::hypot(std::hypot(double(p.x) - q.x, double(p.y) - q.y),
                                          std::hypot(double(p.z) - q.z, double(p.w) - q.w));
          worst.degrees =
              std::max(worst.degrees, 4 * std::asin(std::min(apart / 2, 1.0)) * 180 / std::numbers::pi);
        }
      }
    }
  }
  return worst;
}

void measure_sizes(program& self) {
  const std::size_t ticks = self.quick() ? 120 : 1200;
  std::vector<workload> all;
  using plain = echo::small_recorded_tick;
  using with_bones = echo::recorded_tick_with_bones;
  all.push_back(echo_of<plain>("simulated arena match, no bones", 60, arena_match({.ticks = ticks})));
  if (const auto folder = shared_data("butter"); !folder.empty()) {
    all.push_back(echo_of<plain>("arena-8p-300", 30, read_arena(folder / "arena-8p-300.echoreplay")));
    const auto bones = read_arena(folder / "arena-8p-150-bones.echoreplay");
    all.push_back(echo_of<with_bones>("arena-8p-150-bones, exact", 30, bones));
    all.push_back(echo_of<with_bones>("arena-8p-150-bones, 0.5 mm, 0.1 degrees", 30, bones));
    all.back().near_skeletons = true;
  }
  all.push_back(world_of<world_state<128>>(128, ticks));
  all.push_back(world_of<world_state<10'000>>(10'000, self.quick() ? 15 : 150));
  all.push_back(light_units_of(self.quick() ? 20 : 200));
  // The bound is the information that a tick adds. Each block also repeats one whole row.
  table out({"described struct", "row", "stage", "bytes/tick", "bound", "ratio", "encode us", "zstd-1 us",
             "decode us"});
  boost::json::array rows;
  for (const workload& each : all) {
    auto shape = tracks::shape_of(each.described);
    if (shape && each.near_skeletons) declare_near_skeletons(*shape, each.described);
    const auto checked = shape ? shape->validate() : fail(shape.error());
    if (!checked) {
      fmt::print("{}: {}\n", each.name, describe(checked.error()));
      continue;
    }
    for (const auto stage : {tracks::stage::live, tracks::stage::archive}) {
      const coded got = measure(each, *shape, stage, self.quick() ? 1 : 7);
      const std::string chunks = stage == tracks::stage::live ? "live, 1 s" : "archive, 10 s";
      out.row({each.name, std::to_string(each.described.row_bytes()), chunks, figure(got.bytes),
               each.bound_bytes == 0 ? "" : figure(each.bound_bytes),
               each.bound_bytes == 0 ? "" : figure(got.bytes / each.bound_bytes), figure(got.encode_us),
               figure(got.compress_us), figure(got.decode_us)});
      rows.push_back({{"workload", each.name},
                      {"stage", chunks},
                      {"row_bytes", each.described.row_bytes()},
                      {"bytes_per_tick", got.bytes},
                      {"bound_bytes_per_tick", each.bound_bytes},
                      {"encode_us", got.encode_us},
                      {"zstd_us", got.compress_us},
                      {"decode_us", got.decode_us}});
      if (!each.near_skeletons) continue;
      const skeleton_error off = largest_error(each, *shape, stage);
      fmt::print("{}, {}: bones are off by {:.3f} mm and {:.3f} degrees at most\n", each.name, chunks,
                 off.millimetres, off.degrees);
    }
  }
  out.print();
  self.results()["rows"] = std::move(rows);
}

// A simulated match as a reel of blocks, as a recorder leaves it or as `compact` does.
std::uint64_t write_reel(const file_path& path, tracks::stage stage, std::size_t seconds) {
  const schema described = schema_of<arena_tick>();
  const auto shape = must(tracks::shape_of(described));
  const std::uint32_t max_rows = stage == tracks::stage::live ? 60 : 600;
  tracks::block_writer block(shape, {.stage = stage, .max_rows = max_rows});
  reel::header head;
  head.encoder_name = tracks::rows_name;
  head.encoder_version = tracks::rows_version;
  head.ticks_per_second = 60;
  head.schema = to_bytes(described);
  auto out = must(reel::writer::create(path, head, {.codec = codec_id::zstd, .level = 1}));
  byte_vector room(reel::block_chunk_bytes(block.largest_size(), max_rows));
  std::vector<frame_stamp> stamps;
  const auto flush = [&] {
    byte_writer to(mutable_byte_span(room).subspan(reel::frame_head_bytes, block.largest_size()));
    block.write(to);
    reel::record_info about;
    about.flags = reel::starts_with_keyframe;
    about.frames = static_cast<std::uint32_t>(stamps.size());
    about.first_tick = stamps.front().tick;
    about.last_tick = stamps.back().tick;
    about.first_time_us = stamps.front().time_us;
    about.last_time_us = stamps.back().time_us;
    (void)must(out.append(about, reel::finish_block_chunk(room, to.size(), stamps)));
    stamps.clear();
    block.clear();
  };
  echo_vr::match_simulator match(
      {.seed = 20220716, .rate_hz = 60, .match_seconds = static_cast<float>(seconds)});
  const auto now = std::make_unique<echo::state>();
  byte_vector row;
  std::uint64_t tick = 0;
  for (; tick < seconds * 60 && match.next(*now); ++tick) {
    row.clear();
    append_component(row, arena_tick_of(*now));
    (void)block.add(row);
    stamps.push_back({tick, static_cast<std::int64_t>(tick * 1'000'000 / 60)});
    if (block.full()) flush();
  }
  if (!stamps.empty()) flush();
  must(out.finish());
  return tick;
}

// One column of every row, without the others: processor time in microseconds.
double column_of_all(const file_path& path) {
  const auto shape = must(tracks::shape_of(schema_of<arena_tick>()));
  return cpu_us(1, [&] {
    auto in = must(reel::reader::open(path));
    tracks::block_reader block(shape);
    reel::record chunk;
    byte_vector values;
    for (std::size_t n = 0; n < in.contents().records.size(); ++n) {
      if (in.contents().records[n].kind != reel::record_kind::chunk) continue;
      must(in.read(n, chunk));
      reel::frame first;
      (void)must(reel::frame_cursor(chunk).next(first));
      must(block.open(first.bytes));
      values.resize(block.rows() * shape.columns[0].size_bytes);
      must(block.column(0, values));
    }
  });
}

void measure_seeks(program& self) {
  const scratch_folder files("tickreel_bench_tracks");
  const std::size_t seconds = self.quick() ? 30 : 3600;
  table out({"one hour at 60 Hz", "MB", "seek p50 us", "p99 us", "p99.9 us", "game_clock of all, ms"});
  for (const auto stage : {tracks::stage::live, tracks::stage::archive}) {
    const std::string name = stage == tracks::stage::live ? "live" : "compacted";
    const auto path = files / (name + ".reel").c_str();
    const std::uint64_t ticks = write_reel(path, stage, seconds);
    auto in = must(replay<arena_tick>(path));
    const seek_times seeks(in, ticks, self.quick() ? 100 : 2000);
    const double column_ms = column_of_all(path) / 1000;
    const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    out.row({name, figure(megabytes), figure(seeks.us(0.5)), figure(seeks.us(0.99)), figure(seeks.us(0.999)),
             figure(column_ms)});
    auto& all = self.results();
    all[name + "_megabytes"] = megabytes;
    all[name + "_seek_p50_us"] = seeks.us(0.5);
    all[name + "_seek_p99_us"] = seeks.us(0.99);
    all[name + "_seek_p999_us"] = seeks.us(0.999);
    all[name + "_column_of_an_hour_ms"] = column_ms;
  }
  out.print();
}

}  // namespace

}  // namespace tickreel::bench

int main(int argc, char** argv) {
  using namespace tickreel::bench;
  program self(argc, argv, "tracks", "what does a tick of a described struct cost, in bytes and time?");
  measure_sizes(self);
  measure_seeks(self);
  measure_large_worlds(self);
  measure_push(self);
  measure_pushed_changes(self);
  return self.finish();
}
