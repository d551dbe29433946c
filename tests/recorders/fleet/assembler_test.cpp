#include "tickreel/fleet/assembler.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "../../sdk/reel/random_reel.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/stored_record.hpp"

BOOST_AUTO_TEST_SUITE(fleet_tests)
BOOST_AUTO_TEST_SUITE(assembler_test)

using namespace tickreel;
using namespace tickreel::fleet;

namespace {

const std::string an_id = "0123456789abcdef0123456789abcdef";

struct sent {
  message_head head;
  byte_vector body;
};

// A reel as messages, some in parts.
std::vector<sent> messages_of(byte_span reel, std::mt19937_64& random) {
  auto reader = reel::reader::from_memory(reel);
  std::vector<sent> whole = {{{.reel = an_id}, {}}};
  whole[0].body.assign(reader->header_bytes().begin(), reader->header_bytes().end());
  for (std::size_t each = 0; each < reader->contents().records.size(); ++each) {
    sent one{head_of_record(an_id, reader->contents().records[each]), {}};
    BOOST_REQUIRE(reader->read_stored(each, one.body));
    whole.push_back(std::move(one));
  }
  std::vector<sent> out;
  for (sent& one : whole) {
    if (random() % 4 != 0) {
      out.push_back(std::move(one));
      continue;
    }
    const auto most = static_cast<std::size_t>(1 + one.body.size() / 3);
    one.head.parts = static_cast<std::uint32_t>((one.body.size() + most - 1) / most);
    for (one.head.part = 0; one.head.part < one.head.parts; ++one.head.part) {
      const auto from = one.body.begin() + static_cast<std::ptrdiff_t>(one.head.part * most);
      const auto left = static_cast<std::size_t>(one.body.end() - from);
      out.push_back({one.head, {from, from + static_cast<std::ptrdiff_t>(std::min(most, left))}});
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_order_any_number_of_times) {
  auto random = test::seeded_random("assembler");
  test::scratch_folder folder;
  for (int round = 0; round < 30; ++round) {
    const auto reel = test::random_reel(random, 1 + random() % 60, random() % 2 == 0);
    std::vector<sent> messages = messages_of(reel.bytes, random);
    for (std::size_t again = random() % 20; again > 0; --again) {
      messages.push_back(messages[random() % messages.size()]);
    }
    if (random() % 3 != 0) std::shuffle(messages.begin(), messages.end(), random);
    const std::string path = folder / ("reel" + std::to_string(round));
    auto made = assembler::create(path, an_id);
    BOOST_REQUIRE(made);
    for (const sent& one : messages) {
      if (random() % 10 == 0) {  // not a record of the reel
        byte_vector wrong = one.body;
        wrong[random() % wrong.size()] ^= std::byte{1};
        message_head of = one.head;
        of.reel = std::string(32, 'f');
        BOOST_REQUIRE(made->take(of, wrong));
      }
      BOOST_REQUIRE(made->take(one.head, one.body));
    }
    BOOST_TEST(made->counted().waiting_records == 0u);
    BOOST_TEST(made->counted().lost_records == 0u);
    BOOST_REQUIRE(made->close());
    BOOST_TEST((test::read_file(path) == reel.bytes));
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_record_is_rejected_and_may_be_sent_again) {
  auto random = test::seeded_random("damaged");
  test::scratch_folder folder;
  const auto reel = test::random_reel(random, 20, true);
  auto reader = reel::reader::from_memory(reel.bytes);
  auto made = assembler::create(folder / "reel", an_id);
  BOOST_REQUIRE(made);
  byte_vector header(reader->header_bytes().begin(), reader->header_bytes().end());
  byte_vector wrong = header;
  wrong[20] ^= std::byte{1};
  BOOST_REQUIRE(made->take({.reel = an_id}, wrong));
  BOOST_TEST(!made->counted().has_header);
  BOOST_REQUIRE(made->take({.reel = an_id}, header));
  byte_vector bytes;
  for (std::size_t each = 0; each < reader->contents().records.size(); ++each) {
    BOOST_REQUIRE(reader->read_stored(each, bytes));
    const message_head head = head_of_record(an_id, reader->contents().records[each]);
    wrong = bytes;
    wrong[random() % wrong.size()] ^= std::byte{0x10};
    BOOST_REQUIRE(made->take(head, wrong));
    message_head another = head;
    another.sequence = *head.sequence + 1;
    if (each + 1 < reader->contents().records.size()) BOOST_REQUIRE(made->take(another, bytes));
    BOOST_REQUIRE(made->take(head, bytes));
  }
  BOOST_REQUIRE(made->close());
  BOOST_TEST((test::read_file(folder / "reel") == reel.bytes));
  BOOST_TEST(made->counted().refused > 20u);
}

BOOST_AUTO_TEST_CASE(a_late_subscriber_gets_header_update_and_keyframe) {
  auto random = test::seeded_random("late");
  test::scratch_folder folder;
  for (int round = 0; round < 20; ++round) {
    const auto reel = test::random_reel(random, 50, true);
    auto reader = reel::reader::from_memory(reel.bytes);
    const auto& records = reader->contents().records;
    std::size_t keyframe = 0;
    for (std::size_t each = 0; each < records.size() - 5; ++each) {
      if ((records[each].flags & reel::starts_with_keyframe) != 0 &&
          records[each].kind == reel::record_kind::chunk) {
        keyframe = each;
      }
    }
    // The last header update, and the lasting events.
    std::vector<std::size_t> numbers;
    for (std::size_t each = 0; each < keyframe; ++each) {
      if (records[each].kind == reel::record_kind::header_update) {
        std::erase_if(numbers, [&](std::size_t one) { return !records[one].lasts(); });
        numbers.push_back(each);
      } else if (records[each].lasts()) {
        numbers.push_back(each);
      }
    }
    std::vector<reel::record_info> kept;
    for (const std::size_t each : numbers) kept.push_back(records[each]);
    byte_vector wanted(reader->header_bytes().begin(), reader->header_bytes().end());
    const std::string path = folder / ("late" + std::to_string(round));
    auto made = assembler::create(path, an_id, {.joins_late = true});
    BOOST_REQUIRE(made);
    BOOST_REQUIRE(made->take({.reel = an_id}, wanted));
    made->begin_at(records[keyframe].sequence);
    byte_vector bytes;
    const auto late = reel::beginning_of(reader->header_bytes(), records[keyframe], kept);
    const auto append_beginning = [&](std::size_t place) {
      if (late && late->before == place) wanted.insert(wanted.end(), late->bytes.begin(), late->bytes.end());
    };
    const auto give = [&](std::size_t each, bool counts) {
      BOOST_REQUIRE(reader->read_stored(each, bytes));
      BOOST_REQUIRE(made->take(head_of_record(an_id, records[each]), bytes));
      if (counts) wanted.insert(wanted.end(), bytes.begin(), bytes.end());
    };
    for (std::size_t place = 0; place < numbers.size(); ++place) {
      append_beginning(place);
      give(numbers[place], true);
    }
    append_beginning(numbers.size());
    if (round % 2 == 0) {
      for (std::size_t each = 0; each < keyframe; ++each) give(each, false);
    }
    for (std::size_t each = keyframe; each < records.size(); ++each) give(each, true);
    BOOST_TEST(made->counted().ended);
    BOOST_REQUIRE(made->close());
    BOOST_TEST((test::read_file(path) == wanted));
    const auto opened = reel::reader::open(path);
    BOOST_REQUIRE(opened);
    BOOST_TEST(opened->contents().missing_records == 0u);
    BOOST_TEST(opened->contents().begins_at == (late ? late->info.sequence : 0u));
  }
}

BOOST_AUTO_TEST_CASE(missing_records_are_given_up_and_reported) {
  auto random = test::seeded_random("hole");
  test::scratch_folder folder;
  const auto reel = test::random_reel(random, 40, true);
  auto reader = reel::reader::from_memory(reel.bytes);
  const auto& records = reader->contents().records;
  auto made = assembler::create(folder / "reel", an_id, {.max_waiting_records = 8});
  BOOST_REQUIRE(made);
  byte_vector bytes(reader->header_bytes().begin(), reader->header_bytes().end());
  BOOST_REQUIRE(made->take({.reel = an_id}, bytes));
  for (std::size_t each = 0; each < records.size(); ++each) {
    if (each == 3 || each == 4) continue;
    BOOST_REQUIRE(reader->read_stored(each, bytes));
    auto taken = made->take(head_of_record(an_id, records[each]), bytes);
    if (!taken) {
      BOOST_TEST((taken.error().code == error_code::over_limit));
      BOOST_TEST((made->counted().missing == 3u));
      BOOST_REQUIRE(made->give_up_hole());
      BOOST_REQUIRE(made->take(head_of_record(an_id, records[each]), bytes));
    }
  }
  BOOST_TEST(made->counted().lost_records == 2u);
  BOOST_TEST(made->counted().ended);
  const auto opened = reel::reader::open(folder / "reel");
  BOOST_REQUIRE(opened);
  // The index still names them.
  const auto& found = opened->contents().records;
  BOOST_TEST(std::ranges::count_if(found, [](const auto& each) { return each.damaged; }) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
