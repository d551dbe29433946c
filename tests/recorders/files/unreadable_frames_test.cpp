// Chunks with a right checksum whose content no decoder accepts: copies report them and leave them out.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fixtures.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(unreadable_frames_test)

namespace counted {

struct state {
  std::uint32_t number = 0;
  float place = 0;
};
TICKREEL_DESCRIBE(state, number, place);

}  // namespace counted

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t recorded_ticks = 60;

recorder_options ten_ticks_per_chunk() {
  recorder_options options;
  options.ticks_per_second = 30;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 10;
  options.cadence.keyframe_interval_ticks = 10;
  return options;
}

template <class Encoder, class Fill>
void record_match(const file_path& path, Encoder encoder, Fill fill) {
  auto to = recorder<Encoder>::open(path, std::move(encoder), ten_ticks_per_chunk());
  BOOST_REQUIRE(to);
  echo_vr::match_simulator match(short_match());
  const auto state = std::make_unique<echo::state>();
  for (std::uint64_t tick = 0; tick < recorded_ticks && match.next(*state); ++tick) {
    const frame_stamp stamp{tick, static_cast<std::int64_t>(tick) * 33'333};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { fill(slot, *state); }));
    (void)to->pump();
  }
  BOOST_REQUIRE(to->close());
}

void record_butter(const file_path& path) {
  record_match(path, butter::encoder(),
               [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); });
}

void record_lines(const file_path& path) {
  record_match(path, echoreplay::encoder(), [](echoreplay::answer& slot, const echo::state& tick) {
    std::string session;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    (void)slot.assign(tick.recorded_time_ms, session, {}, false);
  });
}

void record_rows(const file_path& path) {
  (void)write_match(path.utf8());
}

void record_structs(const file_path& path) {
  auto out = record<counted::state>(path, ten_ticks_per_chunk());
  BOOST_REQUIRE(out);
  for (std::uint32_t tick = 0; tick < recorded_ticks; ++tick) {
    BOOST_REQUIRE(out->push({tick, static_cast<float>(tick) / 4}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

void record_json(const file_path& path) {
  const std::string reel = path.utf8() + ".structs.reel";
  const std::string messages = path.utf8() + ".mcap";
  record_structs(reel);
  for (const auto& [from, to, format] :
       {std::tuple(reel, messages, "mcap"), {messages, path.utf8(), "reel"}}) {
    const auto how = files::find_conversion(from, format);
    BOOST_REQUIRE((how && *how != nullptr));
    BOOST_REQUIRE((*how)->run(from, to, {}));
  }
}

// The same chunk with one byte in place of a frame.
byte_vector with_bad_frame(const reel::record& chunk, std::uint64_t bad) {
  byte_vector payload;
  reel::frame_cursor frames(chunk);
  reel::frame one;
  std::optional<frame_stamp> before;
  const std::byte bytes[] = {std::byte{0xFF}};
  for (std::uint64_t number = 0; frames.next(one).value(); ++number) {
    const byte_span content = number == bad ? byte_span(bytes) : one.bytes;
    std::byte room[reel::frame_head_bytes];
    byte_writer head(room);
    reel::write_frame_head(head, before.value_or(one.stamp), one.stamp, one.kind, content.size());
    payload.insert(payload.end(), head.written().begin(), head.written().end());
    payload.insert(payload.end(), content.begin(), content.end());
    before = one.stamp;
  }
  return payload;
}

// Calls `each` with every record of the reel except its index and its end.
template <class Each>
void visit_records(reel::reader& source, Each each) {
  reel::record one;
  for (std::size_t number = 0; number < source.contents().records.size(); ++number) {
    const auto kind = source.contents().records[number].kind;
    if (kind == reel::record_kind::index || kind == reel::record_kind::end) continue;
    BOOST_REQUIRE(source.read(number, one));
    each(one);
  }
}

// Replaces frame `bad` of the middle chunk; all checksums are right.
void damage(const file_path& from, const file_path& to, std::uint64_t bad) {
  auto source = reel::reader::open(from).value();
  auto out = reel::writer::create(to, source.head(), {.codec = codec_id::none}).value();
  const auto is_chunk = [](const reel::record_info& each) { return each.kind == reel::record_kind::chunk; };
  const auto chunks = std::ranges::count_if(source.contents().records, is_chunk);
  std::ptrdiff_t number = 0;
  visit_records(source, [&](const reel::record& one) {
    const bool is_middle = is_chunk(one.info) && number++ == chunks / 2;
    BOOST_REQUIRE(out.append(one.info, is_middle ? with_bad_frame(one, bad) : one.payload));
  });
  BOOST_REQUIRE(out.finish());
}

struct seen {
  std::vector<std::string> states;  // with their ticks
  std::vector<std::string> losses;
};

seen look_at(const file_path& path) {
  const auto from = open_recording(path.utf8());
  seen all;
  while (from->next().value()) {
    std::string state = std::to_string(from->position().tick) + ' ';
    from->append_state(state);
    all.states.push_back(std::move(state));
  }
  all.losses = from->losses();
  return all;
}

void require_whole_copy(const file_path& copy, const seen& source) {
  const seen now = look_at(copy);
  BOOST_TEST(now.states == source.states, boost::test_tools::per_element());
  const auto verified = open_recording(copy.utf8())->verify();
  BOOST_REQUIRE(verified);
  for (const files::finding& each : verified->findings) {
    BOOST_TEST((each.level != files::severity::error), each.message);
  }
}

result<files::conversion_report> clip(const file_path& from, const file_path& to, std::uint64_t first_tick) {
  const auto how = files::find_conversion(from, "reel", true);
  BOOST_REQUIRE((how && *how != nullptr));
  files::conversion_options options;
  options.range.from = files::moment::at_tick(first_tick);
  return (*how)->run(from, to, options);
}

struct kind_of_reel {
  const char* name;
  void (*record)(const file_path& path);
  std::string published;  // the format that recovery writes; empty: a reel
  bool is_echo;
};
const kind_of_reel every_kind[] = {
    {"butter", &record_butter, ".butter", true},
    {"lines", &record_lines, ".echoreplay", true},
    {"rows", &record_rows, "", true},
    {"structs", &record_structs, "", false},
    {"json", &record_json, "", false},
};

}  // namespace

BOOST_AUTO_TEST_CASE(copies_report_them_and_leave_them_out) {
  for (const kind_of_reel& kind : every_kind) {
    for (const std::uint64_t bad : {0u, 4u}) {
      BOOST_TEST_CONTEXT(kind.name << ", frame " << bad) {
        const scratch_folder folder;
        kind.record(folder / "whole.reel");
        damage(folder / "whole.reel", folder / "bad.reel", bad);
        const seen whole = look_at(folder / "whole.reel");
        const seen source = look_at(folder / "bad.reel");
        BOOST_REQUIRE(!source.losses.empty());
        BOOST_REQUIRE(source.states.size() < whole.states.size());
        const std::uint64_t lost = whole.states.size() - source.states.size();

        const auto recovered = files::recover(folder / "bad.reel", folder / "recovered.reel");
        BOOST_REQUIRE(recovered);
        BOOST_TEST(recovered->lost == source.losses, boost::test_tools::per_element());
        BOOST_TEST(recovered->ticks == source.states.size());
        BOOST_TEST(recovered->lost_ticks == lost);
        require_whole_copy(folder / "recovered.reel", source);
        const auto again = files::recover(folder / "recovered.reel", folder / "again.reel");
        BOOST_REQUIRE(again);
        BOOST_TEST((read_file(folder / "again.reel") == read_file(folder / "recovered.reel")));

        const auto clipped = clip(folder / "bad.reel", folder / "clip.reel", 0);
        BOOST_REQUIRE(clipped);
        BOOST_TEST(clipped->lost == source.losses, boost::test_tools::per_element());
        BOOST_TEST(clipped->ticks == source.states.size());
        BOOST_TEST(clipped->lost_ticks == lost);
        require_whole_copy(folder / "clip.reel", source);

        if (!kind.published.empty()) {
          const std::string path = folder / ("recovered" + kind.published);
          const auto published = files::recover(folder / "bad.reel", path);
          BOOST_REQUIRE(published);
          BOOST_TEST(published->lost == source.losses, boost::test_tools::per_element());
          BOOST_TEST(published->ticks == source.states.size());
          BOOST_TEST(look_at(path).states.size() == source.states.size());
          BOOST_TEST(look_at(path).losses.empty());
        }

        if (!kind.is_echo) continue;
        const auto derived = files::derive(folder / "bad.reel", folder / "derived.reel");
        BOOST_REQUIRE(derived);
        BOOST_TEST(derived->lost == source.losses, boost::test_tools::per_element());
        require_whole_copy(folder / "derived.reel", source);
        const byte_vector before = read_file(folder / "bad.reel");
        const auto replaced = files::derive(folder / "bad.reel", folder / "bad.reel", {.overwrite = true});
        BOOST_REQUIRE(!replaced);
        BOOST_TEST((replaced.error().code == error_code::wrong_state));
        BOOST_TEST((read_file(folder / "bad.reel") == before));
      }
    }
  }
}

// Appends the chunks of a reel twice; all checksums are right.
void repeat_ticks(const file_path& from, const file_path& to) {
  auto source = reel::reader::open(from).value();
  auto out = reel::writer::create(to, source.head(), {.codec = codec_id::none}).value();
  for (const bool again : {false, true}) {
    visit_records(source, [&](const reel::record& one) {
      const auto kind = one.info.kind;
      const bool is_copied =
          kind == reel::record_kind::chunk || (!again && kind == reel::record_kind::header_update);
      if (is_copied) BOOST_REQUIRE(out.append(one.info, one.payload));
    });
  }
  BOOST_REQUIRE(out.finish());
}

BOOST_AUTO_TEST_CASE(copies_have_rising_ticks) {
  for (const kind_of_reel& kind : every_kind) {
    BOOST_TEST_CONTEXT(kind.name) {
      const scratch_folder folder;
      kind.record(folder / "whole.reel");
      repeat_ticks(folder / "whole.reel", folder / "bad.reel");
      const seen whole = look_at(folder / "whole.reel");
      const auto recovered = files::recover(folder / "bad.reel", folder / "recovered.reel");
      BOOST_REQUIRE(recovered);
      BOOST_TEST(recovered->lost_ticks == whole.states.size());
      BOOST_TEST(!recovered->lost.empty());
      require_whole_copy(folder / "recovered.reel", whole);
      const auto clipped = clip(folder / "bad.reel", folder / "clip.reel", 0);
      BOOST_REQUIRE(clipped);
      require_whole_copy(folder / "clip.reel", whole);
      if (!kind.is_echo) continue;
      const auto derived = files::derive(folder / "bad.reel", folder / "derived.reel");
      BOOST_REQUIRE(derived);
      BOOST_TEST(!derived->lost.empty());
      require_whole_copy(folder / "derived.reel", whole);
    }
  }
}

// One chunk in the middle has ticks far ahead of all others, which rise.
BOOST_AUTO_TEST_CASE(ticks_far_ahead_cost_only_themselves) {
  for (const kind_of_reel& kind : every_kind) {
    BOOST_TEST_CONTEXT(kind.name) {
      const scratch_folder folder;
      kind.record(folder / "whole.reel");
      std::uint64_t moved = 0;
      std::size_t chunks = 0;
      {
        auto source = reel::reader::open(folder / "whole.reel").value();
        auto out =
            reel::writer::create(folder / "bad.reel", source.head(), {.codec = codec_id::none}).value();
        visit_records(source, [&](const reel::record& one) {
          reel::record_info info = one.info;
          if (info.kind == reel::record_kind::chunk && ++chunks == 2) {
            info.first_tick += std::uint64_t{1} << 62;
            info.last_tick += std::uint64_t{1} << 62;
            moved = info.frames;
          }
          BOOST_REQUIRE(out.append(info, one.payload));
        });
        BOOST_REQUIRE(out.finish());
      }
      if (chunks < 3) continue;  // none contradicts the moved one
      const std::size_t ticks = look_at(folder / "whole.reel").states.size();
      const auto recovered = files::recover(folder / "bad.reel", folder / "recovered.reel");
      BOOST_REQUIRE(recovered);
      BOOST_TEST(recovered->lost_ticks == moved);
      BOOST_TEST(recovered->ticks == ticks - moved);
      require_whole_copy(folder / "recovered.reel", look_at(folder / "recovered.reel"));
      const auto clipped = clip(folder / "bad.reel", folder / "clip.reel", 0);
      BOOST_REQUIRE(clipped);
      BOOST_TEST(clipped->lost_ticks == moved);
      BOOST_TEST(clipped->ticks == ticks - moved);
      const auto compacted = files::compact(folder / "bad.reel", folder / "compact.reel");
      if (compacted) BOOST_TEST(look_at(folder / "compact.reel").states.size() == ticks - moved);
      if (!kind.published.empty()) {
        const auto published = files::recover(folder / "bad.reel", folder / ("out" + kind.published));
        BOOST_REQUIRE(published);
        // Ticks are numbered again.
        BOOST_TEST(published->ticks == ticks);
        BOOST_TEST(look_at(folder / ("out" + kind.published)).states.size() == ticks);
      }
      if (!kind.is_echo) continue;
      const auto derived = files::derive(folder / "bad.reel", folder / "derived.reel");
      BOOST_REQUIRE(derived);
      BOOST_TEST(look_at(folder / "derived.reel").states.size() == ticks - moved);
    }
  }
}

// A gap of an unknown number in the middle, as a recorder or a recovery writes it.
BOOST_AUTO_TEST_CASE(copies_repeat_gaps_of_an_unknown_number) {
  for (const auto reason : {reel::gap_reason::source_failed, reel::gap_reason::damaged}) {
    const scratch_folder folder;
    record_rows(folder / "whole.reel");
    {
      auto source = reel::reader::open(folder / "whole.reel").value();
      auto out = reel::writer::create(folder / "gap.reel", source.head()).value();
      bool has_gap = false;
      bool is_first = true;
      visit_records(source, [&](const reel::record& one) {
        const reel::record_info& info = one.info;
        if (!std::exchange(is_first, false) && info.is_entrance() && !std::exchange(has_gap, true)) {
          BOOST_REQUIRE(out.append_gap({0, reason}, {info.first_tick, info.first_time_us},
                                       {info.first_tick, info.first_time_us}));
        }
        BOOST_REQUIRE(out.append(one.info, one.payload));
      });
      BOOST_REQUIRE(has_gap);
      BOOST_REQUIRE(out.finish());
    }
    const seen source = look_at(folder / "gap.reel");
    BOOST_TEST(source.losses.size() == 1u);
    const auto recovered = files::recover(folder / "gap.reel", folder / "recovered.reel");
    BOOST_REQUIRE(recovered);
    BOOST_TEST(recovered->lost.size() == 1u);
    BOOST_TEST((read_file(folder / "recovered.reel") == read_file(folder / "gap.reel")));
    const auto derived = files::derive(folder / "gap.reel", folder / "derived.reel");
    BOOST_REQUIRE(derived);
    BOOST_TEST(derived->lost.size() == 1u);
    const auto clipped = clip(folder / "gap.reel", folder / "clip.reel", 0);
    BOOST_REQUIRE(clipped);
    BOOST_TEST(clipped->lost == source.losses, boost::test_tools::per_element());
    BOOST_TEST(look_at(folder / "clip.reel").losses == source.losses, boost::test_tools::per_element());
  }
}

// All events of the lines are damaged; the first copy reports it, and so do copies of it.
BOOST_AUTO_TEST_CASE(copies_repeat_lost_lines) {
  const scratch_folder folder;
  (void)write_match(folder.path() / "a.echoreplay");
  BOOST_REQUIRE(files::convert(folder.path() / "a.echoreplay", folder.path() / "a.reel"));
  byte_vector bytes = read_file(folder / "a.reel");
  {
    const auto source = reel::reader::open(folder / "a.reel");
    BOOST_REQUIRE(source);
    for (const reel::record_info& each : source->contents().records) {
      if (reel::holds_events(each.kind))
        bytes[static_cast<std::size_t>(each.offset + each.bytes / 2)] ^= std::byte{1};
    }
  }
  write_file(folder.path() / "bad.reel", bytes);
  const auto names_lines = [](const std::vector<std::string>& lost) {
    return std::ranges::any_of(lost,
                               [](const std::string& each) { return each.starts_with("the lines of "); });
  };
  const auto first = files::recover(folder / "bad.reel", folder / "first.reel");
  BOOST_REQUIRE(first);
  BOOST_TEST(names_lines(first->lost));
  const auto second = files::recover(folder / "first.reel", folder / "second.reel");
  BOOST_REQUIRE(second);
  BOOST_TEST(names_lines(second->lost));
  const auto derived = files::derive(folder / "first.reel", folder / "derived.reel");
  BOOST_REQUIRE(derived);
  BOOST_TEST(names_lines(derived->lost));
  const auto compacted = files::compact(folder / "first.reel", folder / "compact.reel");
  BOOST_REQUIRE(compacted);
  BOOST_TEST(names_lines(compacted->lost));
  const auto clipped = clip(folder / "first.reel", folder / "clip.reel", 5);
  BOOST_REQUIRE(clipped);
  BOOST_TEST(names_lines(clipped->lost));
  const auto again = clip(folder / "clip.reel", folder / "again.reel", 6);
  BOOST_REQUIRE(again);
  BOOST_TEST(names_lines(again->lost));
}

// Decoding begins before the range, where a frame is lost.
BOOST_AUTO_TEST_CASE(a_range_has_no_losses_before_it) {
  for (const kind_of_reel& kind : every_kind) {
    BOOST_TEST_CONTEXT(kind.name) {
      const scratch_folder folder;
      kind.record(folder / "whole.reel");
      damage(folder / "whole.reel", folder / "bad.reel", 4);
      const seen whole = look_at(folder / "bad.reel");
      BOOST_REQUIRE(!whole.losses.empty());
      const std::uint64_t ticks = look_at(folder / "whole.reel").states.size();
      for (std::uint64_t first = 0; first < ticks; ++first) {
        const auto from = open_recording((folder / "bad.reel"));
        if (!from->seek(files::moment::at_tick(first))) continue;
        while (from->next().value()) {}
        const std::vector<std::string> found = from->losses();
        const auto clipped =
            clip(folder / "bad.reel", folder / ("clip" + std::to_string(first) + ".reel"), first);
        BOOST_REQUIRE(clipped);
        BOOST_TEST(found.empty() == clipped->lost.empty(), first);
      }
    }
  }
}

// This program cannot read them; a later one can.
BOOST_AUTO_TEST_CASE(frames_of_a_later_version_are_copied_and_reported) {
  const scratch_folder folder;
  record_structs(folder / "match.reel");
  auto source = reel::reader::open(folder / "match.reel").value();
  reel::header head = source.head();
  head.encoder_version = 77;
  auto out = reel::writer::create(folder / "later.reel", head).value();
  visit_records(source, [&](const reel::record& one) {
    if (one.info.kind == reel::record_kind::chunk) BOOST_REQUIRE(out.append(one.info, one.payload));
  });
  BOOST_REQUIRE(out.finish());
  const auto recovered = files::recover(folder / "later.reel", folder / "recovered.reel");
  BOOST_REQUIRE(recovered);
  BOOST_TEST(recovered->ticks == recorded_ticks);
  BOOST_REQUIRE(recovered->lost.size() == 1u);
  BOOST_TEST(recovered->lost.front().find("version 77") != std::string::npos, recovered->lost.front());
  const auto how = files::find_conversion(folder / "later.reel", "csv");
  BOOST_REQUIRE((how && *how != nullptr));
  const auto made = (*how)->run(folder / "later.reel", folder / "ticks.csv", {});
  BOOST_REQUIRE(!made);
  BOOST_TEST((made.error().code == error_code::unsupported_version));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
