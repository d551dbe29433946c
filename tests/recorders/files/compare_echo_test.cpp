// The first difference of two Echo VR recordings of any formats.
#include <functional>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/files/compare.hpp"

BOOST_AUTO_TEST_SUITE(files_clips_tests)
BOOST_AUTO_TEST_SUITE(compare_echo_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

files::echo_comparison compared(const std::filesystem::path& first, const std::filesystem::path& second) {
  const auto found = files::compare_echo(file_path(first), file_path(second));
  BOOST_REQUIRE_MESSAGE(found, (found ? "" : describe(found.error())));
  return *found;
}

// Ticks with changes of the test.
class changed_source final : public files::echo_source {
 public:
  using change = std::function<void(std::uint64_t, echo::state&)>;
  explicit changed_source(change make) : make_(std::move(make)), from_(match()) {}

  result<bool> next(echo::state& out) override {
    auto more = from_.next(out);
    if (more && *more) make_(tick_++, out);
    return more;
  }
  result<void> rewind() override {
    tick_ = 0;
    return from_.rewind();
  }

  static echo_vr::simulation_options match() { return short_match(true); }

 private:
  change make_;
  echo_vr::simulated_source from_;
  std::uint64_t tick_ = 0;
};

std::filesystem::path changed(const std::filesystem::path& path, changed_source::change make,
                              const files::convert_options& options = {}) {
  changed_source source(std::move(make));
  BOOST_REQUIRE(files::convert(source, path, options));
  return path;
}

struct recordings {
  scratch_folder folder;
  std::filesystem::path path(const char* name) const { return folder.path() / name; }
  recordings() {
    for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
      write_match(path(name), {}, changed_source::match());
    }
    files::convert_options small;
    small.hold = butter::small_profile;
    write_match(path("small.butter"), small, changed_source::match());
    write_match(path("small.reel"), small, changed_source::match());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_match_is_equal_in_every_format, recordings) {
  const char* const names[] = {"m.butter", "m.echoreplay", "m.reel", "small.butter", "small.reel"};
  const auto is_butter = [](std::string_view name) {
    return name.ends_with(".butter") || name == "small.reel";
  };
  for (const char* first : names) {
    BOOST_TEST(files::is_echo_recording(file_path(path(first))).value());
    for (const char* second : names) {
      // Encoded twice, with other keyframes.
      if (is_butter(first) && is_butter(second) && first != second) continue;
      BOOST_TEST_CONTEXT(first << " and " << second) {
        const auto found = compared(path(first), path(second));
        BOOST_TEST(found.same(), (found.state ? found.state->field + ": " + found.state->first + " and " +
                                                    found.state->second
                                              : ""));
        BOOST_TEST(found.ticks == all_ticks(path("m.echoreplay")).size());
        BOOST_TEST(found.as_butter == (is_butter(first) != is_butter(second)));
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(the_first_different_tick_and_field_are_reported, recordings) {
  const auto check_difference = [&](const char* original, const char* field, std::uint64_t first,
                                    std::uint64_t count, const changed_source::change& make) {
    const std::string extension = path(original).extension().string();
    const auto other = folder.path() / ("other" + extension);
    files::convert_options again;
    again.overwrite = true;
    changed(other, make, again);
    for (const char* against : {original, "m.echoreplay"}) {
      BOOST_TEST_CONTEXT(field << " of " << original << " against " << against) {
        const auto found = compared(path(against), other);
        BOOST_TEST(!found.same());
        BOOST_REQUIRE(found.state.has_value());
        BOOST_TEST(found.state->field == field);
        BOOST_TEST(found.state->tick == first);
        BOOST_TEST(found.different == count);
        BOOST_TEST(found.state->first != found.state->second);
      }
    }
  };
  for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
    check_difference(name, "teams[0].players[1].ping", 40, 1, [](std::uint64_t tick, echo::state& at) {
      if (tick == 40) at.players[1].ping += 3;
    });
    check_difference(name, "disc.position[1]", 7, 20, [](std::uint64_t tick, echo::state& at) {
      if (tick >= 7 && tick < 27) at.match.disc.at.position.y += 0.5f;
    });
    check_difference(name, "game_status", 90, 2, [](std::uint64_t tick, echo::state& at) {
      if (tick == 90 || tick == 92) at.match.game_status.assign("score");
    });
  }
}

BOOST_FIXTURE_TEST_CASE(differences_below_the_precision_of_butter_count_only_between_exact_formats,
                        recordings) {
  const auto other = changed(path("other.echoreplay"), [](std::uint64_t tick, echo::state& at) {
    if (tick == 12) at.match.disc.at.position.x += 0.001f;
  });
  BOOST_TEST(compared(path("m.butter"), other).same());
  const auto found = compared(path("m.reel"), other);
  BOOST_REQUIRE(found.state.has_value());
  BOOST_TEST(found.state->field == "disc.position[0]");
  BOOST_TEST(found.different == 1u);
}

BOOST_FIXTURE_TEST_CASE(jumps_are_compared_with_the_tolerance_of_their_distance, recordings) {
  // A difference of 32 to 64 m is rounded to 1/32 m, even if the resulting position is close to the origin.
  const auto jump = [](std::uint64_t tick, echo::state& at) {
    const bool there = tick % 20 < 10;
    at.match.disc.at.position = there ? echo::vec3{0, 1, 36.17f} : echo::vec3{-0.009f, 1, 0.008f};
    at.players[0].head.position = there ? echo::vec3{3, -41.013f, 0} : echo::vec3{3, 0.011f, 0};
  };
  const auto jumps = changed(path("jumps.echoreplay"), jump);
  BOOST_TEST(compared(jumps, changed(path("jumps.butter"), jump)).same());
  // The next tick is exact again, and a jump tolerates no more than its own rounding.
  for (const std::uint64_t at_tick : {10u, 11u}) {
    const float more = at_tick == 10 ? 0.06f : 0.006f;
    const auto other = changed(path(at_tick == 10 ? "first.butter" : "second.butter"),
                               [&](std::uint64_t tick, echo::state& at) {
                                 jump(tick, at);
                                 if (tick == at_tick) at.match.disc.at.position.z += more;
                               });
    const auto found = compared(jumps, other);
    BOOST_REQUIRE(found.state.has_value());
    BOOST_TEST(found.state->tick == at_tick);
    // Its x differs as well, within the tolerance.
    BOOST_TEST(found.state->field == "disc.position[2]");
  }
}

BOOST_FIXTURE_TEST_CASE(a_clip_is_compared_by_recorded_time, recordings) {
  const files::tick_range range{files::moment::at_tick(50), files::moment::at_tick(120)};
  for (const char* name : {"part.butter", "part.echoreplay", "part.reel"}) {
    files::convert_options part;
    part.range = range;
    BOOST_REQUIRE(files::convert(file_path(path("m.echoreplay")), path(name), part));
    for (const bool first : {true, false}) {
      const auto found =
          first ? compared(path(name), path("m.echoreplay")) : compared(path("m.echoreplay"), path(name));
      BOOST_TEST(found.ticks == 71u);
      BOOST_TEST(found.same());
    }
  }
  const auto other = changed(path("other.echoreplay"), [](std::uint64_t tick, echo::state& at) {
    if (tick >= 60) at.match.blue_points += 1;
  });
  const auto found = compared(other, path("part.echoreplay"));
  BOOST_REQUIRE(found.state.has_value());
  BOOST_TEST(found.state->tick == 60u);
  BOOST_TEST(found.state->field == "blue_points");
  BOOST_TEST(found.different == 61u);
}

BOOST_FIXTURE_TEST_CASE(text_that_no_tick_stores_is_compared_if_both_have_it, recordings) {
  std::string text = text_of_plain(folder, path("m.echoreplay"));
  const auto at = text.find("\t{");
  text.insert(at + 2, "\"unheard_of\":\"a\",");
  write_file(path("one.echoreplay"), text);
  text.replace(text.find("\"unheard_of\":\"a\""), 16, "\"unheard_of\":\"b\"");
  write_file(path("two.echoreplay"), text);
  const auto found = compared(path("one.echoreplay"), path("two.echoreplay"));
  BOOST_REQUIRE(found.state.has_value());
  BOOST_TEST(found.state->field == "unheard_of");
  BOOST_TEST(found.state->first == "\"a\"");
  BOOST_TEST(found.state->second == "\"b\"");
  BOOST_TEST(found.different == 1u);
  const auto lacks = compared(path("m.echoreplay"), path("one.echoreplay"));
  BOOST_REQUIRE(lacks.state.has_value());
  BOOST_TEST(lacks.state->first == "absent");
}

namespace {

// One tick of version 1, which stores that there is a bones response but not whose, and whose headset differs slightly from the
// position that a current .butter would store.
byte_vector version_1() {
  byte_vector room(512);
  byte_writer out(room);
  out.u8(1);
  out.u16(1);
  out.u8(0);
  out.zero_terminated("me");
  for (int i = 0; i < 20; ++i) out.u8(1);
  for (int i = 0; i < 3; ++i) out.u8(0);
  constexpr std::uint8_t arena = 2 << 1;
  out.u8(arena);
  out.u32(1);
  const mutable_byte_span size = out.reserve(4);
  const std::size_t begin = out.size();
  out.u16(0xFEFC);
  out.i64(1657934131000);
  out.f32(600);
  out.u8(0x7F);
  for (int i = 0; i < 4 + 5; ++i) out.u8(0);
  for (int i = 0; i < 3 + 4 + 26; ++i) out.u8(0);
  constexpr std::uint16_t three_thousandths = 0x1A24;
  for (int i = 0; i < 3; ++i) out.u16(three_thousandths);
  out.u32(0xC0000000u);
  for (int i = 0; i < 1 + 3; ++i) out.u8(0);
  out.u8(1);
  tickreel::detail::store<std::endian::little>(size.data(), static_cast<std::uint32_t>(out.size() - begin));
  return {out.written().begin(), out.written().end()};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(values_that_only_current_butters_store_are_compared_if_both_have_them, recordings) {
  write_file(path("old.butter"), version_1());
  BOOST_REQUIRE(all_ticks(path("old.butter")).front().bones == echo::bones_kind::without_list);
  for (const char* name : {"old.reel", "old.echoreplay"}) {
    BOOST_REQUIRE(files::convert(file_path(path("old.butter")), path(name), {}));
    for (const bool first : {true, false}) {
      BOOST_TEST_CONTEXT(name << (first ? " behind" : " before") << " the .butter") {
        const auto found =
            first ? compared(path("old.butter"), path(name)) : compared(path(name), path("old.butter"));
        BOOST_TEST(found.as_butter);
        BOOST_TEST(found.same(), (found.state ? found.state->field + ": " + found.state->first + " and " +
                                                    found.state->second
                                              : ""));
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(values_are_printed_in_the_order_of_the_files, recordings) {
  const auto other =
      changed(path("other.echoreplay"), [](std::uint64_t, echo::state& at) { at.match.blue_points = 77; });
  BOOST_TEST(compared(other, path("m.butter")).state->first == "77");
  BOOST_TEST(compared(path("m.butter"), other).state->second == "77");
}

// A lost poll leaves a gap in a reel's tick numbers; .butter and .echoreplay number the present ticks.
BOOST_FIXTURE_TEST_CASE(ticks_are_aligned_by_recorded_time_whatever_their_numbers, recordings) {
  const std::string whole_text = text_of_plain(folder, path("m.echoreplay"));
  std::string text;
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < whole_text.size(); ++count) {
    const std::size_t end = whole_text.find('\n', at) + 1;
    text += count == 30 || count == 31 ? "\tnonsense\r\n" : whole_text.substr(at, end - at);
    at = end;
  }
  write_file(path("lacks.echoreplay"), text);
  for (const char* name : {"lacks.butter", "lacks.reel"}) {
    BOOST_REQUIRE(files::convert(file_path(path("lacks.echoreplay")), path(name), {}));
  }
  for (const char* whole : {"m.echoreplay", "m.reel", "small.butter"}) {
    for (const char* lacking : {"lacks.echoreplay", "lacks.butter", "lacks.reel"}) {
      const bool both_butter =
          std::string_view(whole).ends_with(".butter") && std::string_view(lacking).ends_with(".butter");
      if (both_butter) continue;  // encoded twice, with other keyframes
      BOOST_TEST_CONTEXT(whole << " and " << lacking) {
        const auto found = compared(path(whole), path(lacking));
        BOOST_TEST(found.different == 0u);
        BOOST_TEST(found.nearest == 0u);
        BOOST_TEST(found.ticks == count - 2);
        BOOST_REQUIRE(found.not_compared.size() == 1u);
        BOOST_TEST(found.not_compared[0].first_tick == 30u);
        BOOST_TEST(found.not_compared[0].end_tick == 32u);
        BOOST_TEST(found.not_compared[0].in_second);
        BOOST_TEST(!found.not_compared[0].in_first);
        BOOST_TEST(!found.same());
        BOOST_TEST(!found.differ());
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(ticks_recorded_at_other_times_are_aligned_with_the_nearest, recordings) {
  const auto other = changed(path("other.echoreplay"), [](std::uint64_t tick, echo::state& at) {
    if (tick >= 20 && tick < 30) at.recorded_time_ms += 4;  // a quarter of an interval of 60 Hz
    if (tick == 50) at.match.blue_points += 1;
  });
  const auto found = compared(path("m.echoreplay"), other);
  BOOST_TEST(found.nearest == 10u);
  BOOST_TEST(found.max_apart_ms == 4u);
  BOOST_TEST(found.not_compared.empty());
  BOOST_TEST(found.different == 1u);
  BOOST_REQUIRE(found.state.has_value());
  BOOST_TEST(found.state->tick == 50u);
  BOOST_TEST(found.state->field == "blue_points");
  // Different times alone are a difference, too.
  const auto shifted = changed(path("shifted.reel"), [](std::uint64_t tick, echo::state& at) {
    if (tick == 7) at.recorded_time_ms += 3;
  });
  const auto in_time = compared(path("m.reel"), shifted);
  BOOST_TEST(in_time.different == 0u);
  BOOST_TEST(!in_time.same());
  BOOST_REQUIRE(in_time.state.has_value());
  BOOST_TEST(in_time.state->field == "recorded_time");
  BOOST_TEST(in_time.state->tick == 7u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
