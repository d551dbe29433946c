// --shard I/N: which of many files one of several machines looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// A file belongs to the shard that its name says, without its folder: the same on each machine, however the
// files are named on the command line, and whatever files there are besides.
class shard {
 public:
  void add_to(command& app);

  [[nodiscard]] bool takes(const std::string& file) const;
  // Keeps those that belong to it, in their order. False when that is none, which is said and is no failure.
  [[nodiscard]] bool keep_own(std::vector<std::string>& files) const;

 private:
  std::string given_;
  std::uint64_t number_ = 1;  // from 1 on
  std::uint64_t count_ = 1;
};

}  // namespace tickreel::cli
