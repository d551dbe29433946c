// Finished matches from a broker into a store: put together, checked, made smaller, stored, told.
//
// Any number of archivers share the work of one broker. Killed at any point, the work of one comes back to
// the others; doing a match twice is doing it once. docs/archive.md says what lies where.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::archive {

// What happened to a match.
struct outcome {
  enum class kind : std::uint8_t {
    archived,    // it is in the store now, to its end
    incomplete,  // likewise, as far as it came: its recorder is silent and it has no end
    there,       // it was in the store already
    waiting,     // it is still recorded, or parts of it are on their way
    gone,        // nothing of it is left at the broker, and nothing was ever archived
    failed,      // `why`; it is tried again
  };
  kind what = kind::waiting;
  fleet::match_name name;
  std::string reel;
  std::optional<store::index_object> index = std::nullopt;  // where it is in the store
  std::optional<error> why = std::nullopt;
};

struct archive_options {
  fleet::broker_options broker = {};
  store::store_options store = {};
  // Where matches are put together; a folder in it is this archiver's own. Empty: default_spool().
  file_path spool = {};
  bool compact = true;     // reels that 'tickreel compact' takes
  bool read_back = false;  // see store::put_options
  // A recorder that was silent for so long is dead, or will publish the rest when it comes back.
  std::chrono::seconds idle{120};
  // After this silence nobody waits for the rest any more.
  std::chrono::seconds forget{24 * 3600};
  // How soon a match that is still recorded is looked at again.
  std::chrono::milliseconds look_again{5000};
  // Work of an archiver that says nothing for so long goes to another one.
  std::chrono::seconds acknowledge_within{30};
  // End when nothing waits but matches that are still recorded.
  bool once = false;
  std::function<bool()> cancelled = {};
  std::function<void(const outcome&)> told = {};       // of each match; waiting ones only when `once`
  std::function<void(const error&)> lost_broker = {};  // it is connected to again and again
  std::function<void(const error&)> lost_store = {};   // it is asked again, before the first match
};

struct archive_report {
  std::uint64_t archived = 0;
  std::uint64_t incomplete = 0;
  std::uint64_t there = 0;
  std::uint64_t waiting = 0;  // matches that were still recorded when they were last looked at
  std::uint64_t gone = 0;
  std::uint64_t failed = 0;  // tries, not matches
  // With `once`, where nothing was found to do: matches that another place has, and where the last of them
  // is.
  std::uint64_t elsewhere = 0;
  std::string elsewhere_at;
  std::uint64_t lost_records = 0;
  std::uint64_t recorded_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::optional<error> last_failure = std::nullopt;
};

// In the user's folder for what may go: $XDG_CACHE_HOME or ~/.cache, there tickreel/spool; else the system's
// folder for temporary files.
[[nodiscard]] file_path default_spool();

// "<league>/<match>.<reel>", as tokens of the wire (see fleet::to_token()): a reel and its index object are
// this with reel_ending and index_ending.
[[nodiscard]] result<std::string> key_of(const fleet::match_name& name, const std::string& reel);

// Archives what the broker has until it is cancelled, which is no error, or with `once` until nothing waits.
// Of an address that names a league, or a league and a match, only those; others are left to others. Fails
// with what waiting does not mend, of a store or of a broker that has not worked yet: see fleet::patience.
result<archive_report> archive_from(const fleet::nats_url& from, const std::string& to,
                                    const archive_options& options);

}  // namespace tickreel::archive
