// Work that takes long enough for an ordinary clock: ticks and bytes per second.
#pragma once

#include <algorithm>
#include <boost/json/array.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "program.hpp"

namespace tickreel::bench {

// A temporary folder for the files of a run.
class scratch_folder {
 public:
  explicit scratch_folder(const char* name) : path_(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const char* file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

class throughput_table {
 public:
  throughput_table() : table_({"work", "ticks", "MB in", "MB out", "s", "ticks/s", "MB/s in"}) {}

  // Runs `work`, which returns its ticks, from the file `in` (empty: none) to the file `out`; the best of
  // `times`.
  template <class Work>
  void measure(std::string name, const std::filesystem::path& in, const std::filesystem::path& out, int times,
               Work&& work) {
    double seconds = 0;
    double most = 0;
    std::uint64_t ticks = 0;
    for (int i = 0; i < times; ++i) {
      std::filesystem::remove(out);
      const auto start = std::chrono::steady_clock::now();
      ticks = work();
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      seconds = i == 0 ? took : std::min(seconds, took);
      most = std::max(most, took);
    }
    add(std::move(name), ticks, megabytes(in), megabytes(out), seconds, most);
  }

  void print() const { table_.print(); }
  [[nodiscard]] boost::json::array take_rows() { return std::move(rows_); }

 private:
  static double megabytes(const std::filesystem::path& file) {
    return file.empty() ? 0 : static_cast<double>(std::filesystem::file_size(file)) / 1e6;
  }
  void add(std::string name, std::uint64_t ticks, double in_mb, double out_mb, double seconds, double most) {
    const double ticks_per_second = static_cast<double>(ticks) / seconds;
    table_.row({name, std::to_string(ticks), figure(in_mb), figure(out_mb), figure(seconds),
                figure(ticks_per_second), figure(in_mb / seconds)});
    rows_.push_back({{"work", name},
                     {"ticks", ticks},
                     {"in_mb", in_mb},
                     {"out_mb", out_mb},
                     {"seconds", seconds},
                     {"ticks_per_second", ticks_per_second},
                     {"mb_per_second", in_mb / seconds},
                     {"spread", {{"seconds", {seconds, most}}}}});
  }

  table table_;
  boost::json::array rows_;
};

}  // namespace tickreel::bench
