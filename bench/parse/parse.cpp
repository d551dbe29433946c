// What does parsing one response of the game's API cost?

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/mean.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "tickreel/echo/json.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

// Responses of one kind, parsed in turn.
struct answers {
  std::string name;
  bool bones = false;
  std::vector<std::string> texts;
  double allocations = 0;  // per response, once the parser is warm

  [[nodiscard]] double bytes() const {
    double sum = 0;
    for (const auto& text : texts) sum += static_cast<double>(text.size());
    return sum / static_cast<double>(texts.size());
  }
};

void finish_pass(benchmark::State& loop, const answers& from) {
  loop.SetItemsProcessed(static_cast<std::int64_t>(loop.iterations()) *
                         static_cast<std::int64_t>(from.texts.size()));
}

void parse_pass(benchmark::State& loop, answers& from) {
  echo::json_parser parser;
  const auto out = std::make_unique<echo::state>();
  const auto pass = [&] {
    for (const std::string& text : from.texts) {
      (void)must(from.bones ? parser.parse_bones(text, *out) : parser.parse_session(text, *out));
    }
  };
  pass();
  const std::uint64_t before = allocations_of_this_thread();
  for (auto _ : loop) {
    pass();
    benchmark::DoNotOptimize(out.get());
  }
  from.allocations = static_cast<double>(allocations_of_this_thread() - before) /
                     static_cast<double>(loop.iterations()) / static_cast<double>(from.texts.size());
  finish_pass(loop, from);
}

// The bound of a parser with a document tree: simdjson builds the tree, which is not read.
void dom_pass(benchmark::State& loop, const answers& from) {
  simdjson::dom::parser parser;
  std::vector<simdjson::padded_string> padded;
  for (const std::string& text : from.texts) padded.emplace_back(text);
  for (auto _ : loop) {
    for (const auto& text : padded) {
      simdjson::dom::element root;
      if (parser.parse(text).get(root) != simdjson::SUCCESS) loop.SkipWithError("simdjson refuses an answer");
      benchmark::DoNotOptimize(root);
    }
  }
  finish_pass(loop, from);
}

void copy_pass(benchmark::State& loop, const answers& from) {
  std::string to(1u << 20, ' ');
  for (auto _ : loop) {
    for (const std::string& text : from.texts) {
      std::memcpy(to.data(), text.data(), std::min(text.size(), to.size()));
      benchmark::DoNotOptimize(to.data());
      benchmark::ClobberMemory();
    }
  }
  finish_pass(loop, from);
}

std::vector<answers> all_answers() {
  std::vector<answers> out;
  answers session{"simulated /session, 8 players", false, {}};
  answers bones{"simulated /player_bones, 8 players", true, {}};
  for (const echo::state& tick : arena_match({.bones = true, .ticks = 64})) {
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::game,
                              session.texts.emplace_back());
    echo::append_bones_json(tick, echo::json_shape::api, echo::number_style::game,
                            bones.texts.emplace_back());
  }
  out.push_back(std::move(session));
  out.push_back(std::move(bones));
  if (const auto folder = shared_data("echo"); !folder.empty()) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      out.push_back({fmt::format("real {}", file.stem().string()), false, {read_text(file)}});
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "parse", "what does one answer of the game's API cost to parse?");
  fmt::print("Processor time per answer, median of the repetitions.\n\n");
  auto all = all_answers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    answers& each = all[i];
    const auto name = [&](const char* what) { return fmt::format("{} {}", what, i); };
    benchmark::RegisterBenchmark(name("parse").c_str(),
                                 [&each](benchmark::State& loop) { parse_pass(loop, each); });
    benchmark::RegisterBenchmark(name("dom").c_str(),
                                 [&each](benchmark::State& loop) { dom_pass(loop, each); });
    benchmark::RegisterBenchmark(name("copy").c_str(),
                                 [&each](benchmark::State& loop) { copy_pass(loop, each); });
  }

  const auto found = run_registered(self.quick());
  table out(
      {"answer", "bytes", "us", "MB/s", "simdjson tree us", "ratio to it", "ratio to memcpy", "allocations"});
  boost::json::array rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double bytes = all[i].bytes();
    const mean& parse = found.at(fmt::format("parse {}", i));
    const double parse_ns = parse.median_ns;
    const double dom_ns = found.at(fmt::format("dom {}", i)).median_ns;
    const double copy_ns = found.at(fmt::format("copy {}", i)).median_ns;
    out.row({all[i].name, figure(bytes), figure(parse_ns / 1000), figure(bytes * 1000 / parse_ns),
             figure(dom_ns / 1000), figure(parse_ns / dom_ns), figure(parse_ns / copy_ns),
             figure(all[i].allocations)});
    rows.push_back({{"answer", all[i].name},
                    {"bytes", bytes},
                    {"ns_per_answer", parse_ns},
                    {"spread", {{"ns_per_answer", {parse.shortest_ns, parse.longest_ns}}}},
                    {"simdjson_dom_ns", dom_ns},
                    {"copy_ns", copy_ns},
                    {"ratio_to_simdjson_dom", parse_ns / dom_ns},
                    {"ratio_to_copy", parse_ns / copy_ns},
                    {"allocations", all[i].allocations}});
  }
  out.print();
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
