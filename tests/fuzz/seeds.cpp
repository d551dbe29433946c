// Writes the first inputs of the fuzzers, by the project's own writers: TICKREEL_FUZZ_SEEDS is the folder, with a folder for each
// fuzzer inside. `scripts/fuzz --corpus` runs it.
#include <array>
#include <cstdlib>
#include <map>

#include "every_format.hpp"
#include "example.hpp"
#include "file_bytes.hpp"
#include "mutators/archive.hpp"
#include "mutators/butter.hpp"
#include "mutators/capture.hpp"
#include "mutators/icrep.hpp"
#include "mutators/mcap.hpp"
#include "mutators/reel.hpp"
#include "some_archive.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/mcap/encoder.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/tape/container.hpp"
#include "tickreel/tape/encoder.hpp"

// Nothing is mutated here.
std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
  return size;
}

namespace tickreel::test {

BOOST_AUTO_TEST_SUITE(fuzz_seeds)

namespace {

std::filesystem::path seed_folder() {
  const char* const folder = std::getenv("TICKREEL_FUZZ_SEEDS");
  BOOST_REQUIRE(folder != nullptr);
  return folder;
}

void save(const std::string& fuzzer, const std::string& name, byte_span content) {
  const auto folder = seed_folder() / fuzzer;
  std::filesystem::create_directories(folder);
  write_file(folder / name, content);
}

// After a byte, or bytes, that select how a fuzzer reads the rest.
byte_vector after(std::initializer_list<unsigned> first, byte_span rest) {
  byte_vector out;
  for (const unsigned each : first) out.push_back(static_cast<std::byte>(each));
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

// The first ticks of a match.
class first_ticks final : public files::echo_source {
 public:
  first_ticks(std::size_t count, bool bones) : count_(count), match_(short_match(bones)) {}
  result<bool> next(echo::state& out) override {
    return given_++ < count_ ? match_.next(out) : result<bool>(false);
  }
  result<void> rewind() override {
    given_ = 0;
    return match_.rewind();
  }

 private:
  std::size_t count_;
  std::size_t given_ = 0;
  echo_vr::simulated_source match_;
};

byte_vector match_as(const std::string& name, std::size_t ticks, bool bones, codec_id codec) {
  const scratch_folder folder;
  first_ticks source(ticks, bones);
  files::convert_options options;
  options.codec = codec_options{.codec = codec};
  BOOST_REQUIRE(files::convert(source, folder.path() / name, options));
  return read_file(folder.path() / name);
}

byte_vector mcap_of(byte_span recording, codec_id codec) {
  const scratch_folder folder;
  write_file(folder.path() / "m", recording);
  convert(folder.path() / "m", folder.path() / "m.mcap", "mcap", codec);
  return read_file(folder.path() / "m.mcap");
}

// Each kind of record once, in a few bytes.
byte_vector records_of_mcap() {
  byte_vector out;
  auto encoder = taken(mcap::encoder::create({.codec = {.codec = codec_id::none}}));
  encoder.begin("t", out);
  const auto one = taken(encoder.add_channel({"/a", "A", "{}"}));
  BOOST_REQUIRE(encoder.add_message(one, 1, as_bytes(R"({"x":1})"), out));
  const std::pair<std::string_view, std::string_view> entries[] = {{"key", "value"}};
  BOOST_REQUIRE(encoder.add_metadata("m", entries, out));
  const auto other = taken(encoder.add_channel({.topic = "/b", .encoding = "cdr", .has_schema = false}));
  BOOST_REQUIRE(encoder.add_message(other, 2, as_bytes("b"), out));
  BOOST_REQUIRE(encoder.add_message(one, 2, as_bytes(R"({"x":2})"), out));
  const std::string_view attached = "attached";
  BOOST_REQUIRE(encoder.begin_attachment({.name = "f", .bytes = attached.size()}, out));
  encoder.add_attachment_bytes(as_bytes(attached), out);
  BOOST_REQUIRE(encoder.end_attachment(out));
  BOOST_REQUIRE(encoder.finish(out));
  return out;
}

// Fuzzers that read any recording.
void save_recording(const std::string& name, byte_span content) {
  // The beginning decides.
  constexpr std::size_t detected_bytes = 2048;
  save("detect", name, content.first(std::min(content.size(), detected_bytes)));
  save("recording", name, content);
}

// A mutator divides what it wrote itself into the same parts.
template <class Format>
void check_parts(byte_span input) {
  const auto first = Format::split(input);
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST(first->size() > Format::fixed_parts);
  const auto joined = Format::join(*first);
  BOOST_REQUIRE(joined.has_value());
  const auto second = Format::split(*joined);
  BOOST_REQUIRE(second.has_value());
  BOOST_TEST((*first == *second));
}

BOOST_AUTO_TEST_CASE(mutators_write_what_they_read) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    check_parts<fuzz::butter_format>(match_as("m.butter", 6, true, codec));
  }
  check_parts<fuzz::reel_format>(match_as("m.reel", 4, false, codec_id::zstd));
  for (const std::string name : {"m.tape", "m.nevrcap"}) {
    check_parts<fuzz::capture_format>(match_as(name, 3, true, codec_id::zstd));
  }
  check_parts<fuzz::icrep_format>(from_hex(golden::complete_file));
  for (const codec_id codec : {codec_id::none, codec_id::zstd}) {
    check_parts<fuzz::mcap_format>(mcap_of(match_as("m.butter", 6, false, codec_id::none), codec));
  }
  check_parts<fuzz::mcap_format>(records_of_mcap());
  check_parts<fuzz::archive_format>(sample_file());
  std::mt19937_64 random(1);
  for (int count = 0; count < 20; ++count) {
    const auto file = mpq::write_archive({}, some_members(random, 500), some_shape(random));
    if (file) check_parts<fuzz::archive_format>(*file);
  }
}

BOOST_AUTO_TEST_CASE(matches) {
  for (const auto& [name, codec] :
       {std::pair("none", codec_id::none), {"gzip", codec_id::gzip}, {"zstd", codec_id::zstd}}) {
    const byte_vector file = match_as("m.butter", 6, codec == codec_id::gzip, codec);
    save("butter", name, file);
    if (codec == codec_id::gzip) save_recording("butter", file);
  }
  const byte_vector reel = match_as("m.reel", 4, false, codec_id::zstd);
  save("reel", "rows", reel);
  save_recording("rows", reel);
  for (const std::string kind : {"tape", "nevrcap"}) {
    const byte_vector file = match_as("m." + kind, kind == "tape" ? 1 : 3, kind == "tape", codec_id::zstd);
    save("tape", kind, after({0}, file));
    save_recording(kind, file);
  }
  const byte_vector lines = match_as("m.echoreplay", 2, false, codec_id::none);
  save("echoreplay_line", "lines", after({255}, lines));
  save("echoreplay_line", "bones", after({100}, match_as("m.echoreplay", 1, true, codec_id::none)));
  save("echoreplay_lines", "lines", after({8}, lines));
  save_recording("lines", lines);
}

BOOST_AUTO_TEST_CASE(answers) {
  first_ticks source(2, true);
  const auto tick = std::make_unique<echo::state>();
  for (std::size_t number = 0; *source.next(*tick); ++number) {
    std::string session, bones;
    echo::append_session_json(*tick, echo::json_shape::api, echo::number_style::game, session);
    echo::append_bones_json(*tick, echo::json_shape::api, echo::number_style::game, bones);
    save("session_json", std::to_string(number), as_bytes(session));
    save("bones_json", std::to_string(number), as_bytes(bones));
    const auto content = [](const byte_vector& record) {
      std::size_t at = 0;
      while ((std::to_integer<unsigned>(record[at]) & 0x80) != 0) ++at;
      return byte_span(record).subspan(at + 1);
    };
    byte_vector header, frame;
    tape::tape_encoder tapes;
    tapes.append_header(*tick, header);
    tapes.append_frame(*tick, true, frame);
    save("tape", "frame" + std::to_string(number), after({1}, content(frame)));
    frame.clear();
    tape::nevrcap_encoder captures;
    captures.append_header(*tick, header);
    captures.append_frame(*tick, frame);
    save("tape", "capture" + std::to_string(number), after({2}, content(frame)));
  }
  byte_vector table;
  tape::append_seek_table(std::array{tape::block_sizes{9, 20}, tape::block_sizes{5, 7}}, table);
  save("tape", "table", after({3}, table));
}

BOOST_AUTO_TEST_CASE(other_recordings) {
  const scratch_folder folder;
  const byte_vector complete = from_hex(golden::complete_file);
  byte_vector live = begin_live_file(icrep::to_json(example_metadata()));
  const byte_vector orders = example_orders();
  live.insert(live.end(), orders.begin(), orders.end());
  taken(append_keyframe_block(live, 0, true, icrep::to_bytes(example_full())));
  const byte_vector events = example_event_blocks();
  live.insert(live.end(), events.begin(), events.end());
  save("icrep", "complete", complete);
  save("icrep", "live", live);
  save_recording("icrep", complete);
  write_file(folder.path() / "a.icrep", complete);
  convert(folder.path() / "a.icrep", folder.path() / "a.reel", "reel");
  save("reel", "match", read_file(folder.path() / "a.reel"));
  auto ints = recorder<int_encoder, loss_policy::block>::open((folder.path() / "i.reel").string(),
                                                              int_encoder{}, {.ticks_per_second = 60});
  BOOST_REQUIRE(ints);
  for (std::uint64_t tick = 0; tick < 20; ++tick) BOOST_REQUIRE(ints->push(state_of_tick(tick)));
  BOOST_REQUIRE(ints->close());
  save("reel", "ints", read_file(folder.path() / "i.reel"));
  for (const auto& event : example_events()) {
    byte_vector bytes;
    icrep::append_event(bytes, event);
    save("bc1_events", std::to_string(event.what.index()), bytes);
  }
  save("bc1_snapshot", "full", icrep::to_bytes(example_full()));
  save("bc1_snapshot", "delta", icrep::to_bytes(example_delta()));
  save("samp_rec", "walk", a_walk());
  save_recording("walk", a_walk());
  for (const auto layout : {gamecache::layout::flat, gamecache::layout::flagged}) {
    save("gamecache", layout == gamecache::layout::flat ? "flat" : "flagged", a_cache(layout));
  }
  const byte_vector match = match_as("m.butter", 1, false, codec_id::none);
  const byte_vector mcap = mcap_of(match, codec_id::automatic);
  save("mcap", "match", after({0}, mcap));
  save("mcap", "records", after({0}, records_of_mcap()));
  save_recording("mcap", mcap);
}

BOOST_AUTO_TEST_CASE(replays) {
  auto members = sample_members();
  for (mpq::new_member& each : members) each.bytes.resize(std::min<std::size_t>(each.bytes.size(), 700));
  const byte_vector file =
      taken(mpq::write_archive(taken(sc2replay::write_header(sample_header())), members));
  save("sc2_archive", "sample", file);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].storage = {static_cast<mpq::packing>(i % 3), i % 2 == 0, i % 4 == 0 && i % 3 != 0, i % 3 == 1,
                          i % 6 == 1};
  }
  save("sc2_archive", "sectors",
       taken(mpq::write_archive(taken(sc2replay::write_header(sample_header())), members, {.md5 = false})));
  save_recording("replay", file);
  std::map<std::string, byte_vector> contents;
  for (const mpq::new_member& each : sample_members()) contents[each.name] = each.bytes;
  save("sc2_details", "sample", contents["replay.details"]);
  save("sc2_header", "sample", taken(sc2replay::write_header(sample_header())));
  save("sc2_header", "beta", taken(sc2replay::write_header(sample_beta_header())));
  const std::uint32_t number = sample_base_build - 13000;
  save("sc2_lobby", "sample",
       after({number & 255, number >> 8 & 255, number >> 16, 0}, contents["replay.initData"]));
  save("sc2_attributes", "sample", contents["replay.attributes.events"]);
  save("sc2_messages", "sample", after({4}, contents["replay.message.events"]));
  for (const unsigned layout : {0u, 40u, 80u}) {
    save("sc2_game_events", std::to_string(layout), after({layout, 0}, contents["replay.game.events"]));
  }
}

BOOST_AUTO_TEST_CASE(texts) {
  for (const auto& each : std::filesystem::directory_iterator(TICKREEL_SCRIPTS)) {
    if (each.path().extension() == ".lua")
      save("npc_script", each.path().stem(), after({0}, read_file(each.path())));
  }
  fleet::match_status status;
  status.name = {"main", "a b"};
  status.reel = std::string(32, 'a');
  status.state = "recording";
  status.ticks = 12;
  status.lasting_at = {3, 4};
  save("fleet_message", "status", as_bytes(fleet::to_json(status)));
  save("fleet_message", "work", as_bytes(fleet::to_json(fleet::archive_work{status.name, status.reel, 5})));
  save("fleet_message", "archived",
       as_bytes(fleet::to_json(fleet::archived_reel{status.name, status.reel, 9, true, "s3://b", 5})));
  std::string fields;
  for (const auto& [name, value] : fleet::to_fields({.reel = status.reel, .sequence = 3}))
    fields += value + "\n";
  save("fleet_message", "fields", as_bytes(fields));
  save("fleet_message", "subject", as_bytes("tickreel-status.main.a=20b"));
  save("fleet_message", "address", as_bytes("nats://user:pass@host:4222,other/main/m"));
  store::index_object index;
  index.league = "main";
  index.reel = status.reel;
  index.info = "{}";
  save("store_answers", "index", as_bytes(store::to_json(index)));
  save("store_answers", "list",
       as_bytes("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</"
                "NextContinuationToken><Contents>"
                "<Key>a/b.reel</Key><Size>5</Size><LastModified>2026-11-29T00:00:00Z</LastModified></"
                "Contents></ListBucketResult>"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::test
