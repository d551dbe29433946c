// How fast are .rec files read and checked?
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../support/exit_on_error.hpp"
#include "../support/mean.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "tickreel/samp_rec/check.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;
using namespace tickreel::samp_rec;

constexpr std::size_t piece_bytes = 256u << 10;

struct subject {
  std::string name;
  byte_vector file;
};

// A drive of an hour in a circle.
byte_vector long_drive() {
  std::vector<vehicle_block> blocks(72'000);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    vehicle_block& block = blocks[i];
    block.time_ms = static_cast<std::uint32_t>(i * 50);
    const double angle = static_cast<double>(block.time_ms) / 1000 / 10;
    block.position_m = {static_cast<float>(100 * std::cos(angle)), static_cast<float>(100 * std::sin(angle)),
                        5};
    block.velocity_m_per_20ms = velocity_from_m_per_s(-10 * std::sin(angle), 10 * std::cos(angle), 0);
    block.rotation = from_heading_degrees(angle * 57.29577951);
    block.keys = bits(key::sprint);
  }
  return to_bytes(std::span<const vehicle_block>(blocks));
}

template <class Block, class Use>
void read_pieces(byte_span file, const file_shape& shape, Use&& use) {
  stream_reader<Block> reader(shape);
  for (byte_span rest = file; !rest.empty();) {
    const byte_span piece = rest.first(std::min(rest.size(), piece_bytes));
    must(reader.feed(piece, use));
    rest = rest.subspan(piece.size());
  }
  reader.finish();
}

template <class Block>
void read_all(byte_span file, const file_shape& shape) {
  std::uint64_t sum = 0;
  read_pieces<Block>(file, shape, [&](const Block& block) { sum += block.time_ms; });
  benchmark::DoNotOptimize(sum);
}

template <class Block>
void check_all(byte_span file, const file_shape& shape) {
  checker<Block> checks({}, shape);
  read_pieces<Block>(file, shape, [&](const Block& block) { checks.add(block); });
  const check_report report = checks.finish();
  benchmark::DoNotOptimize(report.statistics.blocks);
}

template <class Work>
void repeat(benchmark::State& loop, const subject& from, Work&& work) {
  const file_shape shape = must(detect(from.file));
  for (auto _ : loop) work(byte_span(from.file), shape);
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "samp_rec", "how fast are .rec files read and checked?");
  fmt::print("Processor time on one core, median of the repetitions; files in memory, read in pieces.\n\n");
  std::vector<subject> all;
  all.push_back({"an hour's drive", long_drive()});
  if (const auto folder = shared_data("rec"); !folder.empty()) {
    for (const char* name : {"at400_ls_to_lv.rec", "train_sf_to_lv.rec", "animtest1.rec"}) {
      const std::string text = read_text(folder / name);
      const byte_span bytes = as_bytes(text);
      all.push_back({std::string("real ") + name, {bytes.begin(), bytes.end()}});
    }
  }
  const auto by_kind = [](const file_shape& shape, auto&& vehicle, auto&& on_foot) {
    return shape.kind == recording_kind::vehicle ? vehicle() : on_foot();
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const subject& each = all[i];
    benchmark::RegisterBenchmark(fmt::format("read {}", i).c_str(), [&](benchmark::State& loop) {
      repeat(loop, each, [&](byte_span file, const file_shape& shape) {
        by_kind(
            shape, [&] { read_all<vehicle_block>(file, shape); },
            [&] { read_all<on_foot_block>(file, shape); });
      });
    });
    benchmark::RegisterBenchmark(fmt::format("check {}", i).c_str(), [&](benchmark::State& loop) {
      repeat(loop, each, [&](byte_span file, const file_shape& shape) {
        by_kind(
            shape, [&] { check_all<vehicle_block>(file, shape); },
            [&] { check_all<on_foot_block>(file, shape); });
      });
    });
    benchmark::RegisterBenchmark(fmt::format("copy {}", i).c_str(), [&](benchmark::State& loop) {
      byte_vector to(each.file.size());
      for (auto _ : loop) {
        std::memcpy(to.data(), each.file.data(), to.size());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
      }
    });
  }

  const auto found = run_registered(self.quick());
  table out({"recording", "blocks", "read MB/s", "read and check MB/s", "ns per block", "memcpy MB/s"});
  boost::json::array rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto bytes = static_cast<double>(all[i].file.size());
    const auto blocks = static_cast<double>(must(detect(all[i].file)).block_count);
    const auto rate = [&](const char* what) {
      return bytes * 1000 / found.at(fmt::format("{} {}", what, i)).median_ns;
    };
    const double check_ns = found.at(fmt::format("check {}", i)).median_ns;
    out.row({all[i].name, figure(blocks), figure(rate("read")), figure(rate("check")),
             figure(check_ns / blocks), figure(rate("copy"))});
    rows.push_back({{"recording", all[i].name},
                    {"blocks", blocks},
                    {"read_mb_per_second", rate("read")},
                    {"check_mb_per_second", rate("check")},
                    {"check_ns_per_block", check_ns / blocks},
                    {"copy_mb_per_second", rate("copy")}});
  }
  out.print();
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
