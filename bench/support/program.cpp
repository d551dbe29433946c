#include "program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>
#ifdef __unix__
#include <stdlib.h>
#endif

namespace tickreel::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#elif defined(_MSC_VER)
  return fmt::format("MSVC {}", _MSC_FULL_VER);
#else
  return "unknown";
#endif
}

// How many processes wanted a core over the last minute; negative if unknown.
double load_average() {
#ifdef __unix__
  double load = -1;
  if (getloadavg(&load, 1) == 1) return load;
#endif
  return -1;
}

// The current date, UTC.
std::string date() {
  const std::time_t now = std::time(nullptr);
  char text[16] = {};
  (void)std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

boost::json::object environment() {
  return {{"date", date()},
          {"cpu", cpu_model()},
          {"cores", std::thread::hardware_concurrency()},
          {"compiler", compiler()},
          {"build_type", TICKREEL_BENCH_BUILD_TYPE},
          {"load_average", load_average()}};
}

}  // namespace

program::program(int argc, char** argv, std::string_view name, std::string_view question) {
  CLI::App app{std::string(question), std::string(name)};
  app.add_option("--json", json_path_, "Write the results to this file, as one JSON object");
  app.add_flag("--quick", quick_, "A short run, to see that all works");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    std::exit(app.exit(stop));
  }
  const boost::json::object where = environment();
  fmt::print("{}: {}\n", name, question);
  fmt::print("{}, {} cores, {}, {}, load {:.2f}\n\n", where.at("cpu").as_string().c_str(),
             std::thread::hardware_concurrency(), where.at("compiler").as_string().c_str(),
             TICKREEL_BENCH_BUILD_TYPE, load_average());
  std::fflush(stdout);
  results_["question"] = question;
  results_["environment"] = where;
}

int program::finish() {
  if (json_path_.empty()) return 0;
  std::ofstream file(json_path_, std::ios::binary);
  file << boost::json::serialize(results_) << '\n';
  file.close();
  if (file) return 0;
  fmt::print(stderr, "cannot write {}\n", json_path_);
  return 1;
}

void table::print() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0) {
        fmt::print("{:<{}}", row[i], widths[i]);
      } else {
        fmt::print("  {:>{}}", row[i], widths[i]);
      }
    }
    fmt::print("\n");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

std::string figure(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(size))));
  return fmt::format("{:.{}f}", value, std::min(digits, 4));
}

}  // namespace tickreel::bench
