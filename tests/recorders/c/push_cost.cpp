// What does a push through the C ABI cost more than one in C++?
//
//   build/release/bin/c_push_cost [SAMPLES]
//
// The same struct goes to two recorders in turn, so both see the same machine. Each sample is the mean of a short run of
// pushes, because one push is near the resolution of the clock.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tickreel.h"
#include "tickreel/tickreel.hpp"

namespace {

struct small {
  std::array<float, 8> values{};
  std::uint64_t number = 0;
};
TICKREEL_DESCRIBE(small, values, number);

struct large {
  std::array<float, 2750> values{};
  std::uint64_t number = 0;
};
TICKREEL_DESCRIBE(large, values, number);

constexpr std::size_t pushes = 32;

double quantile(std::vector<double>& samples, double part) {
  const auto at =
      samples.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(samples.size() - 1));
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

template <class Push>
double mean_ns(Push&& push) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  for (std::size_t i = 0; i < pushes; ++i) push();
  return std::chrono::duration<double, std::nano>(clock::now() - begin).count() / double(pushes);
}

void check(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "c_push: %s: %s\n", what, tickreel_error());
  std::exit(1);
}

template <class State>
void compare(const char* name, const std::filesystem::path& folder, std::size_t samples) {
  const auto file = [&](const char* kind) { return (folder / (std::string(name) + kind)).string(); };
  tickreel_field fields[2] = {};
  for (tickreel_field& each : fields) each.struct_bytes = sizeof(tickreel_field);
  fields[0].name = "values";
  fields[0].type = TICKREEL_FLOAT32;
  fields[0].count = sizeof(State::values) / sizeof(float);
  fields[1].name = "number";
  fields[1].type = TICKREEL_UINT64;
  fields[1].offset = offsetof(State, number);
  tickreel_struct* described = nullptr;
  check(tickreel_describe(name, sizeof(State), fields, 2, &described) == TICKREEL_OK, "describe");
  tickreel_record_options options{};
  options.struct_bytes = sizeof options;
  options.ticks_per_second = 60;
  options.is_pumped = 1;  // no writer beside the measured pushes
  options.leaves_sync = 1;
  options.ring_ticks = 256;
  tickreel_recorder* by_c = nullptr;
  check(tickreel_record(file(".c.reel").c_str(), described, &options, &by_c) == TICKREEL_OK, "record");
  auto by_cpp = tickreel::record<State>(file(".cpp.reel"), {.mode = tickreel::threading::pumped,
                                                            .sync_each_chunk = false,
                                                            .ring_ticks = 256,
                                                            .ticks_per_second = 60});
  check(by_cpp.has_value(), "record<T>");

  State now;
  std::vector<double> c_ns, cpp_ns;
  bool taken = true;
  for (std::size_t i = 0; i < samples + 16; ++i) {
    ++now.number;
    const auto push_c = [&] { taken = tickreel_push(by_c, &now) == 1 && taken; };
    const auto push_cpp = [&] { taken = by_cpp->push(now) && taken; };
    double c = 0, cpp = 0;
    if (i % 2 == 0) {
      c = mean_ns(push_c);
      cpp = mean_ns(push_cpp);
    } else {
      cpp = mean_ns(push_cpp);
      c = mean_ns(push_c);
    }
    (void)tickreel_pump(by_c);
    (void)by_cpp->pump();
    if (i < 16) continue;  // once round the ring unmeasured
    c_ns.push_back(c);
    cpp_ns.push_back(cpp);
  }
  check(taken, "a push was dropped");
  check(tickreel_close(by_c, nullptr) == TICKREEL_OK && by_cpp->close().has_value(), "close");
  tickreel_recorder_free(by_c);
  tickreel_struct_free(described);
  std::printf("%-6s %6zu bytes   C++ p50 %7.1f p90 %7.1f   C p50 %7.1f p90 %7.1f   C - C++ p50 %+.1f ns\n",
              name, sizeof(State), quantile(cpp_ns, 0.5), quantile(cpp_ns, 0.9), quantile(c_ns, 0.5),
              quantile(c_ns, 0.9), quantile(c_ns, 0.5) - quantile(cpp_ns, 0.5));
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t samples = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 4000;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("tickreel-c-push-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  std::filesystem::create_directory(folder);
  compare<small>("small", folder, samples);
  compare<large>("large", folder, samples / 4);
  std::filesystem::remove_all(folder);
}
