// Checks of what an archive contains, and of what a follower has written.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "recorded_world.hpp"
#include "reel_checks.hpp"
#include "simulated_disk.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/store/index_object.hpp"

namespace tickreel::sim {

// What was recorded.
struct recorded_reel {
  std::string id;            // of the reel's header; empty before there is one
  std::uint64_t pushed = 0;  // ticks, gaps included
  bool closed = false;       // by its recorder, and never cut afterwards
};

class archive_checks {
 public:
  archive_checks(const simulated_disk& disk, std::string folder) : disk_(disk), folder_(std::move(folder)) {}

  // Every object: a reel is absent or whole, and accounts for every tick; an index object is that of its reel,
  // except where an archiver died between the two.
  void check(recorded_world& world, const recorded_reel& was);
  // The archiver has announced it, or has acknowledged its work: that stays. `is_forgotten`: its recorder was silent for
  // so long that no more is awaited.
  void promise(const std::string& reel, bool is_work, bool is_forgotten, std::uint64_t pushed);
  [[nodiscard]] std::optional<store::index_object> index_of(const std::string& reel) const;

 private:
  void check_reel_object(const std::string& path, recorded_world& world, const recorded_reel& was);

  struct kept {
    std::uint64_t records = 0;  // without lost ones
    bool ended = false;
    std::vector<std::uint64_t> ticks;
  };
  const simulated_disk& disk_;
  std::string folder_;
  std::map<std::string, kept> promised_;
};

void check_followed(const std::string& path, const fleet::follow_counters& counted, recorded_world& world,
                    const recorded_reel& was, bool from_start);

}  // namespace tickreel::sim
