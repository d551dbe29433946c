// tickreel_sim: see tests/sim/README.md.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "chunk_prefetcher.hpp"
#include "simulation.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::sim;

int usage() {
  std::cerr << "usage: tickreel_sim [--fleet] --seeds FIRST COUNT [--keep-going] | --seed N [--print | "
               "--verbose] | "
               "--script FILE... [--verbose]\n"
               "  --seeds    runs COUNT seeds from FIRST on, and prints the counts; stops at the first that "
               "fails, or with\n               --keep-going at the end\n"
               "  --seed     runs one seed; --print only prints its script\n"
               "  --script   runs scripts\n"
               "  --fleet    the seeds are of fleets: with a broker, a follower and archivers\n"
               "  --verbose  prints each step and the files after it\n"
               "A failing seed or script is shrunk, and the minimal script is printed. Exit code 1.\n";
  return 2;
}

double processor_seconds() {
  rusage used{};
  (void)::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& of) {
    return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

int report(const script& failing, const outcome& found, const std::string& name) {
  std::cout << name << ": " << found.violation << " (step " << found.at_step + 1 << ")\n" << std::flush;
  const outcome again = run(failing);
  if (again.violation != found.violation || again.fingerprint != found.fingerprint) {
    std::cout << "a second run differs: " << (again.violation.empty() ? "it passes" : again.violation)
              << "\n";
  }
  const script minimal = shrink(failing);
  std::cout << "# " << name << ": " << run(minimal).violation << "\n" << to_text(minimal);
  return 1;
}

script script_for(std::uint64_t seed, bool is_fleet) {
  return is_fleet ? fleet_script_of(seed) : script_of(seed);
}

int run_seeds(std::uint64_t first, std::uint64_t count, bool keeps_going, bool is_fleet) {
  const auto began = std::chrono::steady_clock::now();
  outcome all;
  int code = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const script made = script_for(seed, is_fleet);
    const outcome one = run(made);
    all.states += one.states;
    all.calls += one.calls;
    all.cuts += one.cuts;
    all.messages += one.messages;
    if (one.violation.empty()) continue;
    code = report(made, one, "seed " + std::to_string(seed));
    if (!keeps_going) return code;
    std::cout << std::flush;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  std::cout << count << " seeds from " << first << ", " << all.calls << " system calls, " << all.cuts
            << " deaths and power cuts, ";
  if (is_fleet) std::cout << all.messages << " messages stored, ";
  std::cout << all.states << " states checked, " << wall.count() << " s, " << processor_seconds()
            << " s of processor time\n";
  return code;
}

int run_script(const char* path, bool verbose) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::string why;
  const auto read = read_script(text.str(), why);
  if (!file || !read) {
    std::cerr << path << ": " << (file ? why : "cannot be read") << "\n";
    return 2;
  }
  const outcome one = run(*read, verbose);
  if (!one.violation.empty()) return report(*read, one, path);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  // Readers with threads would make their calls in any order.
  files::set_prefetch_threads(0);
  bool verbose = false;
  bool keeps_going = false;
  bool is_fleet = false;
  std::vector<const char*> rest;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--verbose") == 0) {
      verbose = true;
    } else if (std::strcmp(words[i], "--keep-going") == 0) {
      keeps_going = true;
    } else if (std::strcmp(words[i], "--fleet") == 0) {
      is_fleet = true;
    } else {
      rest.push_back(words[i]);
    }
  }
  if (rest.size() == 3 && std::strcmp(rest[0], "--seeds") == 0) {
    return run_seeds(std::strtoull(rest[1], nullptr, 10), std::strtoull(rest[2], nullptr, 10), keeps_going,
                     is_fleet);
  }
  if (rest.size() >= 2 && std::strcmp(rest[0], "--seed") == 0) {
    const script made = script_for(std::strtoull(rest[1], nullptr, 10), is_fleet);
    if (rest.size() == 3 && std::strcmp(rest[2], "--print") == 0) {
      std::cout << to_text(made);
      return 0;
    }
    const outcome one = run(made, verbose);
    return one.violation.empty() ? 0 : report(made, one, "seed " + std::string(rest[1]));
  }
  if (rest.size() >= 2 && std::strcmp(rest[0], "--script") == 0) {
    int code = 0;
    for (std::size_t i = 1; i < rest.size(); ++i) code = std::max(code, run_script(rest[i], verbose));
    return code;
  }
  return usage();
}
