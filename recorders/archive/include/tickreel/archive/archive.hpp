// Moves finished matches from a broker into a store: assembles, checks, compresses, stores, reports.
//
// Any number of archivers share the work of one broker. If one is killed, its work is redelivered to
// the others; archiving a match is idempotent. docs/archive.md describes the layout of the store.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::archive {

// The result for a match.
struct outcome {
  enum class kind : std::uint8_t {
    archived,    // stored completely now
    incomplete,  // stored incompletely: its recorder is silent and it has no end
    there,       // already in the store
    waiting,     // still recorded, or parts of it are in flight
    gone,        // the broker has no records of it, and it was never archived
    failed,      // see `why`; it is retried
  };
  kind what = kind::waiting;
  fleet::match_name name;
  std::string reel;
  std::optional<store::index_object> index = std::nullopt;  // its location in the store
  std::optional<error> why = std::nullopt;
  file_path spool_file = {};           // the file in the spool that failed
  std::uint64_t refused_messages = 0;  // of the stream: no valid records of the match
};

struct archive_options {
  fleet::broker_options broker = {};
  store::store_options store = {};
  // The folder for incomplete matches; this archiver uses a subfolder. Empty: default_spool().
  file_path spool = {};
  bool compact = true;     // compresses reels that 'tickreel compact' supports
  bool read_back = false;  // see store::put_options
  // A recorder that was silent for this time is dead, or will publish the rest when it comes back.
  std::chrono::seconds idle{120};
  // After this silence missing records are no longer awaited.
  std::chrono::seconds forget{24 * 3600};
  // How soon a match that is still recorded is checked again.
  std::chrono::milliseconds look_again{5000};
  // Work of an archiver that is silent for this time is given to another one. A step may take three quarters of it, and 20 s
  // at least, for example when a file system writes a whole match to a slow disk.
  std::chrono::seconds acknowledge_within{60};
  // Stop when only matches that are still recorded remain.
  bool once = false;
  std::function<bool()> cancelled = {};
  std::function<void(const outcome&)> reported = {};  // for each match; for waiting ones only with `once`
  // An offer under this subject that does not describe a match of that subject. It is ignored.
  std::function<void(std::string_view subject)> malformed_offer = {};
  std::function<void(const error&)> lost_broker = {};  // the archiver reconnects
  std::function<void()> found_broker = {};             // it answers, at the beginning or again
  std::function<void(const error&)> lost_store = {};   // it is retried before the first match
  // archive_from() fails with that error.
  std::function<void(const file_path&, const error&)> lost_spool = {};
};

struct archive_report {
  std::uint64_t archived = 0;
  std::uint64_t incomplete = 0;
  std::uint64_t there = 0;
  std::uint64_t waiting = 0;  // matches that were still recorded at their last check
  std::uint64_t gone = 0;
  std::uint64_t failed = 0;  // attempts, not matches
  std::uint64_t malformed_offers = 0;
  // Matches whose last attempt failed, and those whose last result lacks records or an end.
  std::uint64_t failing = 0;
  std::uint64_t with_loss = 0;
  // With `once`, if there was no work: matches that another store has, and the location of the last of them.
  std::uint64_t elsewhere = 0;
  std::string elsewhere_at;
  std::uint64_t lost_records = 0;
  std::uint64_t recorded_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::optional<error> last_failure = std::nullopt;
};

// In the user's cache folder: $XDG_CACHE_HOME or ~/.cache, there tickreel/spool; otherwise the system's
// temporary folder.
[[nodiscard]] file_path default_spool();

// "<league>/<match>.<reel>", as tokens of the wire (see fleet::to_token()). The names of a reel and its index
// object are this with reel_ending and index_ending.
[[nodiscard]] result<std::string> key_of(const fleet::match_name& name, const std::string& reel);

// Archives matches until it is cancelled, which is not an error, or with `once` until no work remains. Takes
// only the league, or the match, that the address names. Fails with errors that retries cannot fix, of a
// store or of a broker that has not worked yet: see `fleet::retry_policy`.
result<archive_report> archive_from(const fleet::nats_url& from, const std::string& to,
                                    const archive_options& options);

}  // namespace tickreel::archive
