// Messages about deliveries while a session records.
#include "delivery_watch.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "delivery_receiver.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(cli_delivery_watch_tests)
BOOST_AUTO_TEST_SUITE(delivery_watch_test)

using namespace tickreel;
using namespace tickreel::test;
using cli::delivery_watch;

namespace {

struct session {
  // A match that is delivered to `far` while it is recorded.
  reel::writer begin(const std::string& name, delivery_receiver& far, std::uint32_t close_wait_ms = 60'000) {
    const std::string path = folder / name;
    reel::header head;
    head.encoder_name = "random";
    auto to = reel::writer::create(path, head);
    BOOST_REQUIRE(to);
    reel::queue_options options;
    options.first_backoff_ms = 1;
    options.longest_backoff_ms = 4;
    options.close_wait_ms = close_wait_ms;
    auto sink = reel::queued_sink::create(path, std::make_unique<far_delivery>(far), options);
    BOOST_REQUIRE(sink);
    to->add_sink(watch.watch(path, std::move(*sink)));
    add(*to);
    return std::move(*to);
  }
  static void add(reel::writer& to) {
    reel::record_info about;
    BOOST_REQUIRE(to.append(about, byte_vector(10)));
  }
  // The next message.
  delivery_watch::change next() {
    BOOST_REQUIRE(comes_true([&] {
      for (auto& each : watch.take()) received.push_back(std::move(each));
      return !received.empty();
    }));
    const delivery_watch::change out = received.front();
    received.erase(received.begin());
    return out;
  }
  bool is_quiet() { return received.empty() && watch.take().empty(); }

  scratch_folder folder;
  delivery_watch watch;
  std::vector<delivery_watch::change> received;
};

bool has(const delivery_receiver& far, std::size_t records) {
  return comes_true([&] { return far.count() >= records; });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(deliveries, session)

BOOST_AUTO_TEST_CASE(an_error_and_its_end_are_reported_once) {
  delivery_receiver one;
  delivery_receiver two;
  one.away = two.away = true;
  auto first = begin("first.reel", one);
  const auto failed = next();
  BOOST_TEST(failed.reel == file_path(folder / "first.reel"));
  BOOST_REQUIRE(failed.what.has_value());
  auto second = begin("second.reel", two);
  BOOST_REQUIRE(comes_true([&] {
    const std::lock_guard guard(two.lock);
    return two.connections > 3;
  }));
  BOOST_TEST(is_quiet());
  BOOST_TEST(watch.totals().failing == 2u);
  BOOST_TEST(watch.totals().lag_records >= 2u);
  BOOST_TEST(watch.totals().lag_bytes > 0u);
  one.away = false;
  BOOST_REQUIRE(has(one, 1));
  // Another delivery still has it.
  BOOST_TEST(is_quiet());
  two.away = false;
  BOOST_TEST(!next().what.has_value());
  BOOST_TEST(is_quiet());
  BOOST_REQUIRE(first.finish());
  BOOST_REQUIRE(second.finish());
  BOOST_TEST(is_quiet());
  BOOST_TEST(watch.undelivered().empty());
}

BOOST_AUTO_TEST_CASE(a_match_that_ends_when_the_broker_returns_is_reported) {
  delivery_receiver far;
  far.away = true;
  auto match = begin("match.reel", far);
  BOOST_TEST(next().what.has_value());
  far.away = false;
  BOOST_REQUIRE(match.finish());
  BOOST_TEST(match.failed_sinks() == 0u);
  const auto back = next();
  BOOST_TEST(!back.what.has_value());
  BOOST_TEST(back.reel == file_path(folder / "match.reel"));
  BOOST_TEST(watch.undelivered().empty());
}

BOOST_AUTO_TEST_CASE(the_end_of_a_match_with_errors_is_not_the_end_of_the_errors) {
  delivery_receiver far;
  far.away = true;
  auto first = begin("first.reel", far, 1);
  BOOST_TEST(next().what.has_value());
  BOOST_REQUIRE(first.finish());
  BOOST_TEST(first.failed_sinks() == 1u);
  BOOST_TEST(is_quiet());
  BOOST_REQUIRE(watch.undelivered().size() == 1u);
  delivery_receiver other;
  auto second = begin("second.reel", other);
  // This delivery is over; the first one is still incomplete.
  const auto back = next();
  BOOST_TEST(!back.what.has_value());
  BOOST_TEST(back.reel == file_path(folder / "second.reel"));
  BOOST_REQUIRE(second.finish());
  BOOST_TEST(watch.undelivered().size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_error_of_one_match_is_not_repeated_for_the_others) {
  delivery_receiver good;
  delivery_receiver bad;
  bad.away = true;
  auto fine = begin("fine.reel", good);
  BOOST_REQUIRE(has(good, 1));
  auto poor = begin("poor.reel", bad, 1);
  BOOST_TEST(next().reel == file_path(folder / "poor.reel"));
  BOOST_REQUIRE(comes_true([&] {
    const std::lock_guard guard(good.lock);
    return good.received.confirmed != 0;
  }));
  BOOST_REQUIRE(poor.finish());
  BOOST_TEST(is_quiet());
  BOOST_REQUIRE(fine.finish());
  BOOST_TEST(is_quiet());
  BOOST_REQUIRE(watch.undelivered().size() == 1u);
  BOOST_TEST(watch.undelivered()[0] == file_path(folder / "poor.reel"));
  BOOST_TEST(watch.totals().undelivered == 1u);
  BOOST_TEST(watch.totals().lag_records == 0u);
}

BOOST_AUTO_TEST_CASE(a_sink_dropped_without_an_end_is_not_reported_as_delivered) {
  delivery_receiver far;
  far.away = true;
  {
    auto match = begin("match.reel", far, 1);
    BOOST_TEST(next().what.has_value());
  }
  BOOST_REQUIRE(watch.undelivered().size() == 1u);
  BOOST_TEST(watch.undelivered()[0] == file_path(folder / "match.reel"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
