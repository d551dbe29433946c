// Every kind of damage at every record of our recorders' reels, for all operations of users: opening, publishing and recovering.
// Returned ticks equal the recorded ones, and with the reported losses they add up to the recording.
#include <map>
#include <set>

#include "fixtures.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(damaged_reels_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct made_reel {
  byte_vector killed;  // as it was before close()
  byte_vector closed;
  std::uint64_t ticks = 0;  // frames and ticks in gaps
  // The output of `cat` for each tick. Several versions are valid if a later header update adds information, for example a
  // player's number: without it, the tick is as it was sealed.
  std::map<std::uint64_t, std::set<std::string>> states;
};

void add_states(const std::filesystem::path& path, made_reel& made) {
  auto whole = open_recording(path);
  while (whole->next().value()) {
    std::string state;
    whole->append_state(state);
    made.states[whole->position().tick].insert(state);
  }
}

// Records a match with gaps and events; tick numbers have holes, as a source may produce them.
template <class Encoder, class Fill>
made_reel record(const std::filesystem::path& path, Encoder encoder, Fill fill) {
  made_reel made;
  {
    auto opened = recorder<Encoder>::open(path.string(), std::move(encoder), short_chunks());
    BOOST_REQUIRE(opened);
    auto& to = *opened;
    echo_vr::match_simulator match(short_match());
    auto state = std::make_unique<echo::state>();
    frame_stamp stamp;
    std::uint64_t gap_ticks = 0;
    for (int i = 0; i < 60 && match.next(*state); ++i) {
      stamp.tick += i % 7 == 3 ? 3 : 1;
      stamp.time_us += 33'333;
      BOOST_REQUIRE(to.capture(stamp, [&](auto& slot) { fill(slot, *state); }));
      if (i == 22) {
        to.note_gap(2, {stamp.tick + 1, stamp.time_us}, {stamp.tick + 2, stamp.time_us},
                    reel::gap_reason::source_failed);
        stamp.tick += 2;
        gap_ticks += 2;
      }
      if (i % 20 == 8) BOOST_REQUIRE(to.event(7, as_bytes("remark")));
      (void)to.pump();
    }
    made.killed = read_file(path);
    BOOST_REQUIRE(to.close());
    made.ticks = to.counters().written + gap_ticks;
    BOOST_REQUIRE(to.counters().written == 60u);
  }
  made.closed = read_file(path);
  add_states(path, made);
  BOOST_REQUIRE(made.states.size() == 60u);
  auto reader = reel::reader::from_memory(made.killed);
  BOOST_REQUIRE(reader);
  for (const reel::record_info& each : reader->contents().records) {
    if (each.kind != reel::record_kind::header_update) continue;
    write_file(path, byte_span(made.killed).first(static_cast<std::size_t>(each.offset)));
    add_states(path, made);
  }
  std::filesystem::remove(path);
  return made;
}

struct read_back {
  std::uint64_t ticks = 0;
  std::uint64_t stated = 0;
  bool unknown = false;  // a loss with an unknown count was reported
  bool any_loss = false;
};

bool names_an_unknown_loss(const std::vector<std::string>& sentences) {
  return std::any_of(sentences.begin(), sentences.end(), [](const std::string& each) {
    return each.find("unknown number") != std::string::npos || each.find("about") != std::string::npos;
  });
}

// As `cat` reads it.
read_back look_at(const std::filesystem::path& path, const made_reel& made) {
  read_back all;
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
  std::string state;
  for (;;) {
    const auto more = (*opened)->next();
    BOOST_REQUIRE_MESSAGE(more, (more ? "" : describe(more.error())));
    if (!*more) break;
    state.clear();
    (*opened)->append_state(state);
    const auto expected = made.states.find((*opened)->position().tick);
    BOOST_REQUIRE((expected != made.states.end()));
    BOOST_REQUIRE(expected->second.contains(state));
    ++all.ticks;
  }
  auto source = files::open_echo(path);
  BOOST_REQUIRE(source);
  auto tick = std::make_unique<echo::state>();
  while ((*source)->next(*tick).value()) {}
  all.stated = (*source)->losses().lost_ticks;
  const std::vector<std::string> sentences = files::sentences((*source)->losses());
  all.any_loss = !sentences.empty();
  all.unknown = names_an_unknown_loss(sentences);
  BOOST_REQUIRE((sentences == (*opened)->losses()));
  return all;
}

std::int64_t fact_of(const files::summary& of, std::string_view key) {
  const auto found = std::ranges::find_if(of.facts, [&](const auto& each) { return each.key == key; });
  BOOST_REQUIRE((found != of.facts.end()));
  return std::get<std::int64_t>(found->value);
}

// The outputs of publishing and recovering verify.
void require_sound(const std::filesystem::path& path) {
  const auto verified = open_recording(path)->verify();
  BOOST_REQUIRE(verified);
  for (const files::finding& each : verified->findings) {
    BOOST_REQUIRE_MESSAGE(each.level != files::severity::error, path << ": " << each.message);
  }
}

void check(const scratch_folder& folder, const char* name, const made_reel& made, const made_reel& other) {
  auto random = seeded_random(name);
  const auto path = folder.path() / "damaged.reel";
  const auto copy = folder.path() / "copy.reel";
  const auto published = folder.path() / (std::string("out") + name);
  std::size_t cases = 0;
  for (const bool closed : {false, true}) {
    const byte_vector& whole = closed ? made.closed : made.killed;
    const auto places = places_of(whole);
    for (const reel_damage& damage : every_damage(places.size())) {
      const auto damaged = apply(damage, whole, places, other.closed, random);
      if (!damaged) continue;
      ++cases;
      BOOST_TEST_CONTEXT(name << (closed ? ", closed: " : ", killed: ") << damage.name() << " at record "
                              << damage.record << " of " << places.size()) {
        write_file(path, *damaged);
        const bool last_of_killed = !closed && damage.record + 2 >= places.size();
        const read_back seen = look_at(path, made);
        if (seen.unknown) {
          BOOST_REQUIRE(last_of_killed);
        } else if (closed || !damage.cuts_the_last(places.size())) {
          BOOST_REQUIRE(seen.ticks + seen.stated == made.ticks);
        }
        const auto stated = open_recording(path)->summarise();
        BOOST_REQUIRE(stated);
        BOOST_REQUIRE(fact_of(*stated, "lost_ticks") == static_cast<std::int64_t>(seen.stated));
        const bool lost_something = seen.ticks + 2 < made.ticks;  // two are in a gap
        if (lost_something) BOOST_REQUIRE(seen.any_loss);

        auto out = files::publish(path, published, {.overwrite = true});
        if (seen.ticks == 0) {
          BOOST_REQUIRE(!out);
        } else {
          BOOST_REQUIRE_MESSAGE(out, (out ? "" : describe(out.error())));
          BOOST_REQUIRE(out->ticks == seen.ticks);
          BOOST_REQUIRE(out->lost_ticks == seen.stated);
          BOOST_REQUIRE(all_states(published).size() == seen.ticks);
          require_sound(published);
        }

        const auto recovered = files::recover(path, copy, {.overwrite = true});
        BOOST_REQUIRE_MESSAGE(recovered, (recovered ? "" : describe(recovered.error())));
        BOOST_REQUIRE(recovered->lost.empty() == !seen.any_loss);
        const read_back after = look_at(copy, made);
        BOOST_REQUIRE(after.ticks == seen.ticks);
        BOOST_REQUIRE(after.stated == seen.stated);
        const auto outcome = open_recording(copy)->verify();
        BOOST_REQUIRE(outcome);
        require_sound(copy);
        if (lost_something) BOOST_REQUIRE(!outcome->findings.empty());
        // A second recovery changes nothing.
        const byte_vector once = read_file(copy);
        std::filesystem::rename(copy, path);
        BOOST_REQUIRE(files::recover(path, copy, {.overwrite = true}));
        BOOST_REQUIRE((read_file(copy) == once));
      }
    }
  }
  BOOST_TEST(cases > 200u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_butter) {
  const scratch_folder folder;
  const auto fill = [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); };
  const made_reel made = record(folder.path() / "a.reel", butter::encoder(), fill);
  check(folder, ".butter", made, record(folder.path() / "b.reel", butter::encoder(), fill));
}

BOOST_AUTO_TEST_CASE(of_echoreplay) {
  const scratch_folder folder;
  const auto fill = [](echoreplay::answer& slot, const echo::state& tick) {
    std::string session;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    (void)slot.assign(tick.recorded_time_ms, session, {}, false);
  };
  const made_reel made = record(folder.path() / "a.reel", echoreplay::encoder(), fill);
  check(folder, ".echoreplay", made, record(folder.path() / "b.reel", echoreplay::encoder(), fill));
}

// The header is repeated soon after a change, and at the end: the loss of one of its records costs no tick.
BOOST_AUTO_TEST_CASE(of_butter_any_header_update_can_be_missing) {
  const scratch_folder folder;
  const auto fill = [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); };
  const made_reel made = record(folder.path() / "a.reel", butter::encoder(), fill);
  const auto path = folder.path() / "damaged.reel";
  for (const bool closed : {false, true}) {
    const byte_vector& whole = closed ? made.closed : made.killed;
    auto reader = reel::reader::from_memory(whole);
    BOOST_REQUIRE(reader);
    std::vector<reel::record_info> headers;
    for (const reel::record_info& each : reader->contents().records) {
      if (each.kind == reel::record_kind::header_update) headers.push_back(each);
    }
    BOOST_REQUIRE(headers.size() >= 4u);
    BOOST_TEST(headers.back().flags == reel::repeats_header);
    for (std::size_t kept = 0; kept <= headers.size(); ++kept) {
      // One copy is destroyed, or all except one.
      for (const bool only : {false, true}) {
        byte_vector damaged = whole;
        for (std::size_t number = 0; number < headers.size(); ++number) {
          if ((number == kept) == only) continue;
          damaged[static_cast<std::size_t>(headers[number].offset) + 75] ^= std::byte{1};
        }
        if (only && kept == headers.size()) continue;
        write_file(path, damaged);
        const read_back seen = look_at(path, made);
        BOOST_TEST_CONTEXT((closed ? "closed, " : "killed, ") << kept << (only ? " alone" : " destroyed")) {
          // A player who joined in between is only known from a later update.
          const bool last_is_there = only ? kept + 1 == headers.size() : kept + 1 != headers.size();
          if (!only || last_is_there) BOOST_REQUIRE(seen.ticks + 2 == made.ticks);
          BOOST_REQUIRE(seen.ticks + seen.stated == made.ticks);
          BOOST_REQUIRE(seen.ticks > 0u);
        }
      }
    }
  }
}

// If there are more places than are listed, their number is reported.
BOOST_AUTO_TEST_CASE(of_many_losses_the_unlisted_ones_are_counted) {
  const scratch_folder folder;
  byte_vector bytes;
  for (const bool damaged : {false, true}) {
    const auto path = folder.path() / (damaged ? "damaged.reel" : "gaps.reel");
    {
      auto writer = reel::writer::create(path.string(), {});
      BOOST_REQUIRE(writer);
      for (std::uint64_t i = 0; i < 1234; ++i) {
        const frame_stamp place{i * 10, 0};
        BOOST_REQUIRE(writer->append_gap({2, reel::gap_reason::source_failed}, place, place));
      }
      BOOST_REQUIRE(writer->finish());
    }
    bytes = read_file(path);
    if (damaged) {
      const auto places = places_of(bytes);
      for (std::size_t i = 0; i < 1234; ++i) bytes[places[i].offset + places[i].bytes - 1] ^= std::byte{1};
      write_file(path, bytes);
    }
    const auto outcome = open_recording(path)->verify();
    BOOST_REQUIRE(outcome);
    const std::string expected = damaged ? "234 more losses" : "234 more gaps";
    BOOST_TEST(std::ranges::any_of(outcome->findings, [&](const files::finding& each) {
      return each.message.starts_with(expected) &&
             each.level == (damaged ? files::severity::error : files::severity::warning);
    }));
  }
}

// Bytes after an end record do not belong to the reel: their loss is not counted.
BOOST_AUTO_TEST_CASE(trailing_bytes_after_the_end_are_not_a_loss) {
  const scratch_folder folder;
  const auto fill = [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); };
  const made_reel made = record(folder.path() / "a.reel", butter::encoder(), fill);
  const auto path = folder.path() / "longer.reel";
  byte_vector longer = made.closed;
  longer.insert(longer.end(), 1000, std::byte{'x'});
  write_file(path, longer);
  auto source = files::open_echo(path);
  BOOST_REQUIRE(source);
  auto tick = std::make_unique<echo::state>();
  std::uint64_t ticks = 0;
  while ((*source)->next(*tick).value()) ++ticks;
  BOOST_TEST(ticks == 60u);
  BOOST_TEST((*source)->losses().torn_bytes == 0u);
  const auto stated = open_recording(path)->summarise();
  BOOST_REQUIRE(stated);
  BOOST_TEST(fact_of(*stated, "torn_bytes") == 0);
  const auto published = files::publish(path, folder.path() / "out.butter");
  BOOST_REQUIRE(published);
  BOOST_TEST(published->torn_bytes == 0u);
  BOOST_TEST(published->reel_was_closed);
}

// An unknown version of an encoder is reported with the supported one, and nothing is written.
BOOST_AUTO_TEST_CASE(of_another_version_are_rejected_by_name) {
  const scratch_folder folder;
  for (const std::string_view encoder : {"butter", "echoreplay", "icrep"}) {
    const auto path = folder.path() / "later.reel";
    std::filesystem::remove(path);
    reel::header head;
    head.encoder_name = encoder;
    head.encoder_version = 77;
    auto writer = reel::writer::create(path.string(), head);
    BOOST_REQUIRE(writer);
    BOOST_REQUIRE(writer->finish());
    const auto out = folder.path() / "out.file";
    for (const error& what :
         {files::publish(path, out).error(), files::open(path).error(), files::recover(path, out).error()}) {
      BOOST_TEST((what.code == error_code::unsupported_version));
      const std::string text = describe(what);
      BOOST_TEST(text.find(encoder) != std::string::npos, text);
      BOOST_TEST(text.find("version 77") != std::string::npos, text);
      BOOST_TEST(text.find("is supported") != std::string::npos, text);
    }
    BOOST_TEST(!std::filesystem::exists(out));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
