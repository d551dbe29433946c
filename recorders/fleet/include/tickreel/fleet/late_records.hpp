// Records that a stream has behind later ones: a recorder or `publish` sent them again, to fill a hole.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/fleet/assembler.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

class late_records {
 public:
  // Reads the heads of the reel's messages from `first` on, a sequence of the stream. `cancelled`: polled; true ends it with
  // interrupted. Remembers the first `max_late` of them.
  static result<late_records> find(broker& from, const match_subjects& subjects, const std::string& reel,
                                   std::uint64_t first, const std::function<bool()>& cancelled = {});

  struct filled {
    bool some = false;  // it no longer waits for the same record
    std::optional<error> lost_broker = {};
  };
  // Takes those that the assembler waits for, as long as it waits for one of them. Fails as take() of the assembler.
  result<filled> fill(broker& from, assembler& into) const;

  // Their places take 16 MB of memory.
  static constexpr std::size_t max_late = 1'000'000;

 private:
  struct place {
    std::uint64_t record = 0;  // its sequence; more than any for the reel's header
    std::uint64_t at = 0;      // in the stream
  };
  std::string stream_;
  std::vector<place> places_;  // by record
};

}  // namespace tickreel::fleet
