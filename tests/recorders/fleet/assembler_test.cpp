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

namespace {

// A reel, and an assembler that has its header.
struct begun_assembly {
  std::mt19937_64 random = test::seeded_random("foreign");
  test::scratch_folder folder;
  byte_vector whole = test::random_reel(random, 40, true).bytes;
  reel::reader reader = *reel::reader::from_memory(whole);
  byte_vector header{reader.header_bytes().begin(), reader.header_bytes().end()};
  assembler made;

  explicit begun_assembly(const assembler_options& options = {})
      : made(*assembler::create(folder / "reel", an_id, options)) {
    BOOST_REQUIRE(made.take({.reel = an_id}, header));
  }

  [[nodiscard]] const std::vector<reel::record_info>& records() const { return reader.contents().records; }
  [[nodiscard]] sent record(std::size_t number) {
    sent out{head_of_record(an_id, records()[number]), {}};
    BOOST_REQUIRE(reader.read_stored(number, out.body));
    return out;
  }
  void give(std::size_t number) {
    const sent one = record(number);
    BOOST_REQUIRE(made.take(one.head, one.body));
  }
  void check_whole() {
    BOOST_TEST(made.counted().ended);
    BOOST_TEST(made.counted().lost_records == 0u);
    BOOST_TEST(made.counted().waiting_records == 0u);
    BOOST_TEST(made.counted().waiting_bytes == 0u);
    BOOST_TEST(!made.counted().missing);
    BOOST_REQUIRE(made.close());
    BOOST_TEST((test::read_file(folder / "reel") == whole));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_the_next_record_do_not_grow_without_bound) {
  assembler_options options;
  options.max_waiting_bytes = 1000;
  options.limits.max_stored_bytes = 1u << 20;
  begun_assembly of(options);
  sent forged = of.record(0);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    forged.head.parts = 2 + i % 500;
    forged.head.part = i % 2;
    forged.body.assign(64u << 10, static_cast<std::byte>(i / 500));
    BOOST_REQUIRE(of.made.take(forged.head, forged.body));
    BOOST_REQUIRE(of.made.counted().waiting_bytes <= (4u << 20) + 1000);
  }
  of.give(0);
  BOOST_TEST(of.made.counted().records == 1u);
  BOOST_TEST(of.made.counted().waiting_bytes == 0u);
}

// A message with any sequence, whose body is not a record of the reel, may be published by others.
BOOST_AUTO_TEST_CASE(a_foreign_message_takes_no_place_and_moves_no_position) {
  begun_assembly to;
  for (std::size_t each = 0; each < to.records().size(); ++each) {
    sent foreign = to.record(each);
    foreign.body.back() ^= std::byte{1};
    for (const std::uint32_t sequence :
         {*foreign.head.sequence + 1, *foreign.head.sequence + 1000, 4'000'000'000u}) {
      foreign.head.sequence = sequence;
      BOOST_REQUIRE(to.made.take(foreign.head, foreign.body));
    }
    // As a follower does that has waited.
    BOOST_TEST(to.made.give_up_hole().value() == 0u);
    to.give(each);
  }
  to.check_whole();
}

// Brokers with other limits get a record in another number of parts, and any number of them may be missing.
BOOST_AUTO_TEST_CASE(parts_of_different_divisions_are_not_mixed) {
  begun_assembly to;
  for (std::size_t each = 0; each < to.records().size(); ++each) {
    const sent one = to.record(each);
    sent part = one;
    part.head.parts = 3;
    part.head.part = static_cast<std::uint32_t>(to.random() % 3);
    part.body.resize(part.body.size() / 3);
    BOOST_REQUIRE(to.made.take(part.head, part.body));
    const std::size_t half = one.body.size() / 2;
    part.head.parts = 2;
    for (part.head.part = 0; part.head.part < 2; ++part.head.part) {
      const auto from = one.body.begin() + static_cast<std::ptrdiff_t>(part.head.part * half);
      part.body.assign(from, part.head.part == 0 ? from + static_cast<std::ptrdiff_t>(half) : one.body.end());
      BOOST_REQUIRE(to.made.take(part.head, part.body));
    }
  }
  to.check_whole();
}

namespace {

std::vector<sent> divide(const sent& one, std::uint32_t parts) {
  std::vector<sent> out;
  for (std::uint32_t part = 0; part < parts; ++part) {
    const auto at = [&](std::uint32_t of) {
      return one.body.begin() + static_cast<std::ptrdiff_t>(one.body.size() * of / parts);
    };
    out.push_back({one.head, {at(part), at(part + 1)}});
    out.back().head.part = part;
    out.back().head.parts = parts;
  }
  return out;
}

sent forged(sent of, std::uint8_t number) {
  of.body.front() ^= static_cast<std::byte>(number);
  return of;
}

}  // namespace

// Other clients may publish bodies for a part before and after the recorder does, also before the header arrives.
BOOST_AUTO_TEST_CASE(of_several_bodies_of_a_part_the_valid_one_is_taken) {
  for (const bool is_header_late : {false, true}) {
    begun_assembly to;
    auto made = assembler::create(to.folder / "forged", an_id);
    BOOST_REQUIRE(made);
    const auto give = [&](const sent& one) { BOOST_REQUIRE(made->take(one.head, one.body)); };
    const auto give_header = [&] {
      for (const sent& part : divide({{.reel = an_id}, to.header}, 2)) {
        give(forged(part, 1));
        give(part);
      }
    };
    if (!is_header_late) give_header();
    for (std::size_t each = 0; each < to.records().size(); ++each) {
      for (const sent& part : divide(to.record(each), 3)) {
        give(forged(part, 1));
        give(part);
        if (part.head.part + 1 < part.head.parts) give(forged(part, 2));
      }
    }
    if (is_header_late) give_header();
    BOOST_TEST(made->counted().waiting_bytes == 0u);
    BOOST_TEST(made->counted().ended);
    BOOST_REQUIRE(made->close());
    BOOST_TEST((test::read_file(to.folder / "forged") == to.whole));
  }
}

// Only some bodies are kept and only some combinations are tried; parts that arrive again are tried first.
BOOST_AUTO_TEST_CASE(forged_bodies_of_parts_are_bounded) {
  begun_assembly to;
  const std::vector<sent> parts = divide(to.record(0), 6);
  for (const sent& part : parts) {
    BOOST_REQUIRE(to.made.take(part.head, part.body));
    for (std::uint8_t number = 1; number <= 3; ++number) {
      const sent other = forged(part, number);
      BOOST_REQUIRE(to.made.take(other.head, other.body));
    }
  }
  BOOST_TEST(to.made.counted().records == 0u);
  BOOST_TEST(to.made.counted().waiting_bytes == 4 * to.record(0).body.size());
  for (const sent& part : parts) BOOST_REQUIRE(to.made.take(part.head, part.body));
  BOOST_TEST(to.made.counted().records == 1u);
  for (std::uint8_t number = 1; number <= 200; ++number) {
    const sent other = forged(divide(to.record(1), 2)[0], number);
    BOOST_REQUIRE(to.made.take(other.head, other.body));
  }
  BOOST_TEST(to.made.counted().waiting_bytes == 4 * divide(to.record(1), 2)[0].body.size());
  for (std::size_t each = 1; each < to.records().size(); ++each) to.give(each);
  to.check_whole();
}

// Also of the record that others wait for, which fits in any case.
BOOST_AUTO_TEST_CASE(forged_divisions_of_a_record_are_bounded) {
  constexpr std::size_t limit = 5000;
  begun_assembly to({.max_waiting_bytes = limit, .limits = {.max_stored_bytes = 2000}});
  message_head head = to.record(0).head;
  for (head.parts = 2; head.parts < 40; ++head.parts) {
    for (head.part = 0; head.part + 1 < head.parts; ++head.part) {
      BOOST_REQUIRE(to.made.take(head, byte_vector(400)));
      BOOST_TEST(to.made.counted().waiting_bytes <= limit + 400);
    }
  }
  BOOST_TEST(to.made.counted().refused > 0u);
  for (std::size_t each = 0; each < to.records().size(); ++each) to.give(each);
  to.check_whole();
}

BOOST_AUTO_TEST_CASE(incomplete_messages_do_not_fill_it_forever) {
  begun_assembly to({.max_waiting_records = 8});
  sent part = to.record(0);
  part.head.parts = 2;
  for (std::uint32_t sequence = 1000; sequence < 1050; ++sequence) {
    part.head.sequence = sequence;
    BOOST_REQUIRE(to.made.take_past_holes(part.head, part.body));
  }
  // Nor do they wait beyond the end.
  for (std::size_t each = 0; each < to.records().size(); each += 2) {
    if (each == 20) BOOST_REQUIRE(to.made.take_past_holes(part.head, part.body));
    if (each + 1 < to.records().size()) {
      const sent later = to.record(each + 1);
      BOOST_REQUIRE(to.made.take_past_holes(later.head, later.body));
    }
    to.give(each);
  }
  to.check_whole();
}

// The limit in bytes is reached before it is exceeded.
BOOST_AUTO_TEST_CASE(a_hole_is_given_up_when_the_next_record_does_not_fit) {
  for (const std::size_t limit : {std::size_t{1}, std::size_t{700}, std::size_t{3000}}) {
    begun_assembly to({.max_waiting_bytes = limit});
    for (std::size_t each = 0; each < to.records().size(); ++each) {
      if (each == 3) continue;
      const sent one = to.record(each);
      BOOST_REQUIRE(to.made.take_past_holes(one.head, one.body));
      BOOST_TEST(to.made.counted().waiting_bytes <= limit + one.body.size());
    }
    BOOST_TEST(to.made.counted().lost_records == 1u);
    BOOST_TEST(to.made.counted().ended);
  }
}

BOOST_AUTO_TEST_CASE(without_a_header_it_fails_when_it_is_full) {
  begun_assembly to;
  auto made = assembler::create(to.folder / "headless", an_id, {.max_waiting_records = 8});
  BOOST_REQUIRE(made);
  for (std::size_t each = 0; each <= 8; ++each) {
    const sent one = to.record(each);
    const auto taken = made->take_past_holes(one.head, one.body);
    BOOST_TEST(taken.has_value() == (each < 8));
    if (!taken) BOOST_TEST((taken.error().code == error_code::over_limit));
  }
  BOOST_TEST(made->counted().records == 0u);
}

// The id is that of one header under one subject.
BOOST_AUTO_TEST_CASE(only_the_header_of_the_id_is_taken) {
  auto random = test::seeded_random("headers");
  test::scratch_folder folder;
  const auto subjects = subjects_of({"league", "match"});
  const auto whole = test::random_reel(random, 20, true);
  const auto other = test::random_reel(random, 20, true);
  const auto reader = reel::reader::from_memory(whole.bytes);
  const auto other_reader = reel::reader::from_memory(other.bytes);
  const std::string id = reel_id(reader->header_bytes(), *subjects);
  auto made = assembler::create(folder / "reel", id, {.match = *subjects});
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->take({.reel = id}, other_reader->header_bytes()));
  BOOST_TEST(!made->counted().has_header);
  BOOST_TEST(made->counted().refused == 1u);
  BOOST_REQUIRE(made->take({.reel = id}, reader->header_bytes()));
  BOOST_TEST(made->counted().has_header);
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
    // Foreign messages that seem to be newer.
    for (std::uint32_t back = 1; back <= std::min(records[keyframe].sequence, 3u); ++back) {
      message_head foreign;
      foreign.reel = an_id;
      foreign.sequence = records[keyframe].sequence - back;
      foreign.kind = back == 1 ? reel::record_kind::header_update : reel::record_kind::event;
      foreign.flags = back == 1 ? 0 : reel::needed_later;
      BOOST_REQUIRE(made->take(foreign, as_bytes("no record")));
    }
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
