#include "tickreel/fleet/publish.hpp"

#include <boost/asio/ip/host_name.hpp>
#include <utility>

#include "delivery.hpp"
#include "host_name.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::fleet {

std::string host_name() {
  boost::system::error_code failure;
  std::string name = boost::asio::ip::host_name(failure);
  return failure ? std::string("unknown") : name;
}

namespace {

match_name name_of(const nats_url& url, const file_path& reel) {
  return {url.league.empty() ? std::string(default_league) : url.league,
          url.match.empty() ? files::recording_name(reel) : url.match};
}

result<std::unique_ptr<reel_delivery>> delivery_to(const nats_url& url, const match_name& name,
                                                   const publish_options& options) {
  if (const auto there = require_broker(); !there) return fail(there.error());
  auto subjects = subjects_of(name);
  if (!subjects) return fail(subjects.error());
  return std::make_unique<reel_delivery>(url, name, std::move(*subjects), options);
}

}  // namespace

result<std::unique_ptr<reel::delivery>> deliver_to(const nats_url& url, const match_name& name,
                                                   const publish_options& options) {
  return delivery_to(url, name, options);
}

result<std::unique_ptr<reel::queued_sink>> publish_to(const nats_url& url, const file_path& reel,
                                                      const publish_options& options) {
  auto made = deliver_to(url, name_of(url, reel), options);
  if (!made) return fail(made.error());
  return reel::queued_sink::create(reel, std::move(*made), options.queue);
}

result<published> publish_reel(const nats_url& url, const file_path& reel, const publish_options& options,
                               std::function<bool(const reel::queue_counters&)> should_continue) {
  published out;
  out.name = name_of(url, reel);
  auto made = delivery_to(url, out.name, options);
  if (!made) return fail(made.error());
  if (const auto opened = reel::reader::open(reel)) {
    (*made)->know_ticks(opened->contents().frames, opened->contents().lost_ticks);
  }
  reel::deliver_options how;
  how.queue = options.queue;
  how.should_continue = std::move(should_continue);
  // Acknowledged records are read back, also for a reel without an end. Records that are deleted meanwhile
  // are resent, but not without limit.
  constexpr int max_rounds = 5;
  for (int round = 1;; ++round) {
    auto counters = reel::deliver_reel(reel, **made, how);
    if (!counters) return fail(counters.error());
    out.counters = *counters;
    out.handed_over = (*made)->handed_over();
    // An end was compared with the stream.
    if (out.counters.ended) break;
    const auto holes = (*made)->count_holes();
    if (!holes) return fail(holes.error());
    if (*holes == 0) break;
    if (round == max_rounds) {
      return fail(error_code::connection_lost, error::no_offset,
                  "{} acknowledged record{s} missing in the broker's stream",
                  static_cast<std::int64_t>(*holes));
    }
  }
  out.repaired = (*made)->repaired();
  const auto dropped = (*made)->count_dropped();
  if (dropped) {
    out.dropped = *dropped;
  } else {
    out.dropped_unknown = dropped.error();
  }
  return out;
}

}  // namespace tickreel::fleet
