// A recording in memory tells all that it tells from its file, whatever its format and whatever is wrong with
// it.
#define BOOST_TEST_MODULE files_memory
#include <algorithm>

#include "fixtures.hpp"
#include "golden_bytes.hpp"
#include "int_encoder.hpp"
#include "random.hpp"
#include "sample.hpp"
#include "sample_file.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;

void say(std::string& told, std::string_view what) {
  (told += what) += '\n';
}

void say(std::string& told, const error& what) {
  say(told, "error: " + describe(what));
}

void say(std::string& told, const std::vector<files::fact>& facts) {
  for (const files::fact& each : facts) {
    (told += each.key) += '=';
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            say(told, value);
          } else {
            say(told, std::to_string(value));
          }
        },
        each.value);
  }
}

void say(std::string& told, const result<files::summary>& found) {
  if (!found) return say(told, found.error());
  say(told, found->format + ' ' + std::to_string(found->format_version));
  for (const std::uint64_t each : {found->bytes, found->ticks, found->keyframes}) {
    say(told, std::to_string(each));
  }
  say(told, std::to_string(found->duration_ms));
  say(told, name(found->health));
  for (const files::player_summary& each : found->players) {
    say(told, each.name + ' ' + each.team + ' ' + std::to_string(each.userid.value_or(0)));
    say(told, each.facts);
  }
  say(told, found->facts);
}

void say_tick(std::string& told, const files::recording& at) {
  const files::tick_position& where = at.position();
  told += std::to_string(where.tick) + ' ' + std::to_string(where.time_ms) + ' ' +
          std::to_string(where.offset) + (where.keyframe ? " key " : " ");
  at.append_state(told);
  told += '\n';
}

// What cat, seek, info, a glance, verify and events say.
std::string all_told(files::recording& from) {
  std::string told;
  std::uint64_t ticks = 0;
  for (;; ++ticks) {
    const auto more = from.next();
    if (!more) say(told, more.error());
    if (!more || !*more) break;
    say_tick(told, from);
  }
  for (const std::string& each : from.losses()) say(told, each);
  for (const std::uint64_t tick : {ticks / 2, ticks / 7, ticks}) {
    const auto found = from.seek(files::moment::at_tick(tick));
    const auto more = found ? from.next() : fail(found.error());
    if (!more) say(told, more.error());
    if (more && *more) say_tick(told, from);
  }
  say(told, from.glance());
  say(told, from.summarise());
  if (const auto checked = from.verify(); !checked) {
    say(told, checked.error());
  } else {
    say(told, std::to_string(checked->ticks));
    for (const files::finding& each : checked->findings) {
      told += std::to_string(each.offset) + ' ';
      say(told, each.message);
    }
    say(told, checked->facts);
  }
  const auto given = from.events({}, [&](std::string_view line) {
    say(told, line);
    return true;
  });
  say(told, given ? std::to_string(*given) : describe(given.error()));
  return told;
}

std::string all_told(const result<std::unique_ptr<files::recording>>& opened) {
  return opened ? all_told(**opened) : "error: " + describe(opened.error());
}

// Of the first difference, for people.
void check_equal(const std::string& file, const std::string& memory) {
  const auto [left, right] = std::mismatch(file.begin(), file.end(), memory.begin(), memory.end());
  const auto around = [](const std::string& text, std::string::const_iterator at) {
    const auto begin = at - std::min<std::ptrdiff_t>(at - text.begin(), 100);
    return std::string(begin, at + std::min<std::ptrdiff_t>(text.end() - at, 100));
  };
  BOOST_TEST((file == memory), "the file says ..." << around(file, left) << "..., memory ..."
                                                   << around(memory, right) << "...");
}

// False when nobody knows the format.
bool check(const std::filesystem::path& path) {
  const byte_vector bytes = read_file(path);
  const auto from_file = files::open(path);
  const auto from_memory = files::open(byte_span(bytes));
  check_equal(all_told(from_file), all_told(from_memory));
  return from_file.has_value();
}

void convert(const std::filesystem::path& from, const std::filesystem::path& to, std::string_view format) {
  const auto how = files::find_conversion(from, format);
  BOOST_REQUIRE_MESSAGE(how && *how != nullptr, from << " -> " << to);
  const auto report = (*how)->run(from, to, {});
  BOOST_REQUIRE_MESSAGE(report, from << " -> " << to << (report ? "" : describe(report.error())));
}

void write_ints(const std::filesystem::path& path) {
  auto ints =
      recorder<int_encoder, loss_policy::block>::open(path.string(), int_encoder{}, {.ticks_per_second = 60});
  BOOST_REQUIRE(ints);
  for (std::uint64_t tick = 0; tick < 300; ++tick) BOOST_REQUIRE(ints->push(state_of_tick(tick)));
  BOOST_REQUIRE(ints->close());
}

byte_vector a_walk() {
  std::vector<samp_rec::on_foot_block> blocks(40);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(100 + i * 40);
    blocks[i].position_m = {static_cast<float>(i) * 0.06f, -5, 3};
  }
  return samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(blocks));
}

byte_vector a_cache(gamecache::layout layout) {
  gamecache::contents cache;
  cache.layout = layout;
  cache.stored_version = layout == gamecache::layout::flagged ? gamecache::version_2_09 : 0;
  for (std::uint32_t number = 0; number < 5; ++number) cache.items.push_back(full_item(layout, number));
  return taken(gamecache::write(cache));
}

// One of each kind that a format has.
std::vector<std::filesystem::path> fixtures(const scratch_folder& folder) {
  std::vector<std::filesystem::path> out;
  const auto add = [&](const char* name) {
    out.push_back(folder.path() / name);
    return out.back();
  };
  write_match(add("match.butter"), {}, short_match(true));
  write_match(add("zipped.echoreplay"));
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  write_match(add("plain.echoreplay"), plain);
  write_match(add("match.reel"));
  BOOST_REQUIRE(files::convert(folder.path() / "zipped.echoreplay", add("lines.reel")));
  write_ints(add("ints.reel"));
  write_file(add("match.icrep"), from_hex(golden::complete_file));
  convert(folder.path() / "match.icrep", add("icrep.reel"), "reel");
  write_file(add("walk.rec"), a_walk());
  write_file(add("flat.gamecache"), a_cache(gamecache::layout::flat));
  write_file(add("flagged.gamecache"), a_cache(gamecache::layout::flagged));
  write_file(add("sample.SC2Replay"), sample_file());
  return out;
}

std::string json_of(const echo::state& tick) {
  std::string out = std::to_string(tick.recorded_time_ms);
  echo::append_session_json(tick, echo::json_shape::model, echo::number_style::shortest, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_is_there) {
  const scratch_folder folder;
  std::vector<std::string_view> seen;
  for (const auto& path : fixtures(folder)) {
    const auto found = files::detect(path);
    BOOST_REQUIRE_MESSAGE(found, path);
    seen.push_back((*found)->name);
  }
  for (const files::format& each : files::formats()) {
    BOOST_TEST((std::find(seen.begin(), seen.end(), each.name) != seen.end()), each.name);
  }
}

BOOST_AUTO_TEST_CASE(memory_tells_what_the_file_tells) {
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      BOOST_TEST(check(path));
    }
  }
}

BOOST_AUTO_TEST_CASE(whatever_is_wrong_with_it) {
  auto random = seeded_random("whatever_is_wrong_with_it");
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    const byte_vector whole = read_file(path);
    for (int round = 0; round < 12; ++round) {
      byte_vector changed = whole;
      if (round % 2 == 0) changed.resize(random() % whole.size());
      for (std::uint64_t i = round % 2 == 0 ? 0 : 1 + random() % 4; i-- > 0;) {
        changed[random() % changed.size()] ^= static_cast<std::byte>(1u << random() % 8);
      }
      BOOST_TEST_CONTEXT(path.filename().string() << ", round " << round) {
        write_file(path, changed);
        (void)check(path);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(real_recordings_too) {
  std::size_t opened = 0;
  for (const char* part : {"butter", "gamecache", "rec", "sc2"}) {
    const auto folder = shared_data(part);
    if (folder.empty()) continue;
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      BOOST_TEST_CONTEXT(each.path().filename().string()) {
        if (check(each.path())) ++opened;
      }
    }
    BOOST_TEST(opened > 0u);
  }
}

BOOST_AUTO_TEST_CASE(ticks_of_echo_vr_come_from_memory_too) {
  const scratch_folder folder;
  for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
    const auto path = folder.path() / name;
    write_match(path);
    const byte_vector bytes = read_file(path);
    auto source = files::open_echo(byte_span(bytes));
    BOOST_REQUIRE(source);
    const auto ticks = all_ticks(path);
    auto tick = std::make_unique<echo::state>();
    for (const echo::state& each : ticks) {
      BOOST_REQUIRE((*source)->next(*tick).value());
      BOOST_TEST_REQUIRE(json_of(*tick) == json_of(each));
    }
    BOOST_TEST(!(*source)->next(*tick).value());
    BOOST_TEST((*source)->bytes_total() == bytes.size());
  }
}

// A file's copies share it; memory is read in place.
BOOST_AUTO_TEST_CASE(a_source_is_a_file_or_memory) {
  const scratch_folder folder;
  byte_vector bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  const std::string path = folder / "bytes";
  write_file(path, bytes);
  auto on_disk = byte_source::open(path);
  BOOST_REQUIRE(on_disk);
  BOOST_TEST(!on_disk->in_memory());
  BOOST_TEST(on_disk->name() == path);
  byte_source in_memory(bytes, "a name");
  BOOST_TEST(in_memory.in_memory());
  BOOST_TEST(in_memory.name() == "a name");
  byte_source copy = *on_disk;
  for (byte_source* each : {&*on_disk, &in_memory, &copy}) {
    BOOST_TEST(each->size().value() == 1000u);
    for (const auto& [offset, count] :
         {std::pair{0u, 10u}, {990u, 20u}, {1000u, 5u}, {5000u, 5u}, {3u, 0u}}) {
      const std::size_t begin = std::min<std::size_t>(offset, bytes.size());
      const std::size_t expected = std::min<std::size_t>(count, bytes.size() - begin);
      byte_vector into(count);
      BOOST_TEST(each->read_at(into, offset).value() == expected);
      BOOST_TEST(std::equal(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(expected),
                            bytes.begin() + static_cast<std::ptrdiff_t>(begin)));
      const auto seen = each->view(offset, count);
      BOOST_REQUIRE(seen);
      BOOST_TEST(std::equal(seen->begin(), seen->end(), into.begin(),
                            into.begin() + static_cast<std::ptrdiff_t>(expected)));
    }
    BOOST_TEST((each->whole(999).error().code == error_code::over_limit));
    auto held = each->whole(1000);
    BOOST_REQUIRE(held);
    const std::byte* const where = held->bytes().data();
    const held_bytes moved = std::move(*held);
    BOOST_TEST((moved.bytes().data() == where));
    BOOST_TEST(std::equal(moved.bytes().begin(), moved.bytes().end(), bytes.begin(), bytes.end()));
  }
  BOOST_TEST((in_memory.whole(1000)->bytes().data() == bytes.data()));
  BOOST_TEST((byte_source::open(folder / "absent").error().code == error_code::not_found));
}
