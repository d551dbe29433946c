// Pushes the records of a growing reel to every connected WebSocket. On the server's thread, except
// counted().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/net/http_server.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::viewer {

using shared_bytes = std::shared_ptr<const byte_vector>;

// Each connection has its own queue. A full queue is cleared, which is counted, and the connection resumes at
// the next chunk with a keyframe: after a text message {"dropped":N}, and the last header update and lasting
// events (reel::record_info::lasts()) if they were among the N records. All other messages are the bytes of
// one record, or of the header.
class record_push {
 public:
  explicit record_push(const server_options& options) noexcept : options_(options) {}
  record_push(const record_push&) = delete;
  record_push& operator=(const record_push&) = delete;
  ~record_push() = default;

  // Switches to another reel: clients of the previous one are disconnected.
  void take_header(shared_bytes bytes);
  void take_record(const reel::record_info& info, const shared_bytes& bytes);

  // Answers a request for a WebSocket. Without `have`: sends the header, the last header update, lasting
  // events and everything from the last keyframe's chunk. With it: sends the part after that many bytes of
  // the reel, or closes with resume_unavailable if that part is no longer kept.
  void join(net::http_exchange& exchange, std::optional<std::uint64_t> have);
  void close_all();
  // Releases the streams of a server that has stopped.
  void release_all() noexcept { connections_.clear(); }

  [[nodiscard]] push_counters counted() const noexcept;

 private:
  struct connection;
  struct kept {
    shared_bytes bytes;
    std::uint64_t offset = 0;
  };

  // A record of the reel, or a copy for a new client.
  struct lasting {
    shared_bytes bytes;
    reel::record_info info;
  };

  void keep(const reel::record_info& info, const shared_bytes& bytes, bool is_entry);
  void begin_at_entry(connection& at);
  [[nodiscard]] std::optional<std::size_t> number_of(const shared_bytes& bytes) const noexcept;
  void begin(connection& at, std::optional<std::uint64_t> have);
  void offer(connection& at, const reel::record_info& info, const shared_bytes& bytes, bool is_entry);

  const server_options options_;
  std::unordered_set<std::shared_ptr<connection>> connections_;
  shared_bytes header_;
  shared_bytes update_;  // the last one
  reel::record_info update_info_;
  lasting update_before_entry_;  // the last one before entry_at_
  reel::record_info entry_;      // the record there
  std::vector<lasting> lasting_;
  std::size_t lasting_bytes_ = 0;
  std::size_t lasting_before_entry_ = 0;
  std::deque<kept> kept_;  // the newest records
  std::size_t kept_bytes_ = 0;
  std::optional<std::uint64_t> entry_at_;  // possible starting positions, while those are kept
  std::uint64_t end_ = 0;                  // of the reel to date
  std::atomic<std::uint64_t> watchers_{0};
  std::atomic<std::uint64_t> records_{0};
  std::atomic<std::uint64_t> drops_{0};
  std::atomic<std::uint64_t> dropped_records_{0};
};

}  // namespace tickreel::viewer
