// A disk that is full while a test says so.
#pragma once

#include <cerrno>

#include "tickreel/io/file.hpp"

namespace tickreel::test {

class short_disk final : public system_calls {
 public:
  bool full = false;
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    return full ? -ENOSPC : system_calls::write_at(handle, from, offset);
  }
};

}  // namespace tickreel::test
