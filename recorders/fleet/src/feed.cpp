// Matches at a broker as sources for follow<T>().
#include <utility>

#include "tickreel/fleet/follow.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::fleet {

namespace {

class match_feed final : public reel::feed {
 public:
  match_feed(spool_file spool, follower from) : spool_(std::move(spool)), from_(std::move(from)) {}

  [[nodiscard]] const file_path& path() const noexcept override { return spool_.path(); }
  result<std::size_t> pump(std::chrono::milliseconds wait) override { return from_.pump(wait); }
  [[nodiscard]] std::optional<error> trouble() const override {
    const follow_counters now = from_.counters();
    return now.connected || from_.ended() ? std::nullopt : now.last_error;
  }

 private:
  spool_file spool_;
  follower from_;
};

result<std::unique_ptr<reel::feed>> open_with_environment(std::string_view address) {
  auto broker = broker_options_from_environment();
  if (!broker) return fail(broker.error());
  follow_options options;
  options.broker = std::move(*broker);
  return open_feed(address, options);
}

}  // namespace

result<std::unique_ptr<reel::feed>> open_feed(std::string_view address, const follow_options& options,
                                              std::chrono::milliseconds wait) {
  const auto where = read_nats_url(address);
  if (!where) return fail(where.error());
  auto spool = spool_file::create();
  if (!spool) return fail(spool.error());
  auto from = follower::create(*where, spool->path(), options);
  if (!from) return fail(from.error());
  const auto until = detail::steady_clock::now() + wait;
  while (!from->begun()) {
    if (const auto came = from->pump(std::chrono::milliseconds(100)); !came) return fail(came.error());
    if (!from->begun() && detail::steady_clock::now() > until) {
      const auto reported = from->counters().last_error;
      return fail(reported ? *reported : error{error_code::timed_out});
    }
  }
  return std::make_unique<match_feed>(std::move(*spool), std::move(*from));
}

bool add_addresses() noexcept {
  static reel::feed_source source{is_nats_url, open_with_environment};
  static const bool added = (reel::add_feed_source(source), true);
  return added;
}

}  // namespace tickreel::fleet
