// --shard I/N: which of many files one of several machines processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// The name of a file without its folder decides its shard: the same on each machine, independent of the path
// and of other files.
class shard {
 public:
  void add_to(command& app);

  [[nodiscard]] bool takes(const std::string& file) const;
  // Keeps the files of this shard, in their order. Returns false, with a note that is not an error, if there
  // are none.
  [[nodiscard]] bool keep_own(std::vector<std::string>& files) const;

 private:
  std::string given_;
  std::uint64_t number_ = 1;  // from 1 on
  std::uint64_t count_ = 1;
};

}  // namespace tickreel::cli
