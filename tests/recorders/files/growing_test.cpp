// Recordings that grow while they are read: new bytes are read, and earlier ones are not read again.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "random.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(growing_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// The available part of a recording; counts the bytes read.
class growing final : public distant_bytes {
 public:
  explicit growing(byte_vector whole) : whole_(std::move(whole)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return there; }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    const byte_span part = byte_span(whole_).first(there);
    const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, part.size()));
    const std::size_t count = std::min(into.size(), part.size() - from);
    std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(from), count, into.begin());
    bytes_read += count;
    return count;
  }
  [[nodiscard]] const byte_vector& whole() const noexcept { return whole_; }
  void replace(byte_vector other) { whole_ = std::move(other); }

  std::size_t there = 0;
  std::uint64_t bytes_read = 0;

 private:
  byte_vector whole_;
};

std::vector<std::filesystem::path> kept_reels() {
  std::vector<std::filesystem::path> found;
  for (const auto& each : std::filesystem::recursive_directory_iterator(TICKREEL_KEPT_RECORDINGS)) {
    if (each.path().extension() == ".reel") found.push_back(each.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string line_of(const files::recording& at) {
  std::string line;
  files::append_line_begin(at.position(), line);
  at.append_state(line);
  return line;
}

std::vector<std::string> rest_of(files::recording& from) {
  std::vector<std::string> lines;
  for (;;) {
    const auto more = from.next();
    BOOST_REQUIRE(more);
    if (!*more) return lines;
    lines.push_back(line_of(from));
  }
}

std::string text_of(const files::summary& about) {
  std::string text;
  files::append_summary({}, about, text);
  return text;
}

std::uint64_t tick_of(const std::string& line) {
  return std::stoull(line.substr(line.find("\"tick\":") + 7));
}

// The live reel, as far as it can be opened; null if it cannot be extended.
std::unique_ptr<files::recording> open_live(const std::shared_ptr<growing>& bytes) {
  for (bytes->there = 1; bytes->there <= bytes->whole().size(); ++bytes->there) {
    auto opened = files::open(byte_source(bytes, {}), {.live = true});
    if (!opened) continue;
    return (*opened)->extend() ? std::move(*opened) : nullptr;
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_grown_recording_equals_the_whole) {
  auto random = seeded_random("growing");
  std::size_t followed = 0;
  for (const auto& path : kept_reels()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const auto bytes = std::make_shared<growing>(read_file(path));
      const std::size_t all = bytes->whole().size();
      const auto walked = open_live(bytes);
      if (walked == nullptr) continue;
      ++followed;
      const auto whole = *files::open(byte_span(bytes->whole()), {.live = true});
      const std::vector<std::string> wanted = rest_of(*whole);
      const auto head = reel::reader::from_memory(bytes->whole())->head();
      // The records that a line depends on arrive slightly later than its tick.
      const bool has_words = std::any_of(head.metadata.begin(), head.metadata.end(),
                                         [](const auto& each) { return each.key == "lines"; });
      // One reader reads tick by tick, and one seeks.
      const auto read = *files::open(byte_source(bytes, {}), {.live = true});
      const auto sought = *files::open(byte_source(bytes, {}), {.live = true});
      std::vector<std::string> lines = rest_of(*read);
      std::vector<std::string> events;
      std::uint64_t ticks = 0;
      files::observer to;
      to.tick = [&] { ++ticks; };
      to.event = [&](std::string_view event) { events.emplace_back(event); };
      while (bytes->there < all) {
        const std::size_t step = 1 + std::uniform_int_distribution<std::size_t>(0, all / 7)(random);
        bytes->there = std::min(all, bytes->there + step);
        for (files::recording* const each : {walked.get(), read.get(), sought.get()}) {
          const auto grew = each->extend();
          BOOST_REQUIRE_MESSAGE(grew, (grew ? "" : describe(grew.error())));
          BOOST_TEST((*grew != files::growth::other));
        }
        BOOST_REQUIRE(walked->resume(to));
        for (std::string& line : rest_of(*read)) lines.push_back(std::move(line));
        BOOST_TEST(ticks == lines.size());
        if (lines.empty()) continue;
        const std::size_t any = std::uniform_int_distribution<std::size_t>(0, lines.size() - 1)(random);
        BOOST_TEST(sought->go_to(tick_of(lines[any])).value());
        BOOST_TEST(tick_of(line_of(*sought)) == tick_of(wanted[any]));
        if (!has_words) BOOST_TEST((line_of(*sought) == wanted[any]));
      }
      const auto current = walked->resume(to);
      BOOST_REQUIRE(current);
      BOOST_TEST(text_of(*current) == text_of(whole->summarise().value()));
      BOOST_TEST(lines.size() == wanted.size());
      if (!has_words) BOOST_TEST((lines == wanted));
      BOOST_REQUIRE(read->rewind());
      BOOST_TEST((rest_of(*read) == wanted));
      std::vector<std::string> wanted_events;
      const auto listed = whole->events({}, [&](std::string_view event) {
        wanted_events.emplace_back(event);
        return true;
      });
      if (!listed) continue;
      std::stable_sort(events.begin(), events.end(),
                       [](const auto& a, const auto& b) { return tick_of(a) < tick_of(b); });
      const bool ended = reel::reader::from_memory(bytes->whole())->contents().end == reel::reel_end::closed;
      // Results that depend on later ticks are delayed until an end.
      if (!ended) wanted_events.resize(std::min(wanted_events.size(), events.size()));
      BOOST_TEST((events == wanted_events));
    }
  }
  BOOST_TEST(followed >= 10u);
}

BOOST_AUTO_TEST_CASE(the_cost_of_growth_is_independent_of_the_size) {
  const scratch_folder folder;
  echo_vr::simulation_options match = short_match();
  match.match_seconds = 60;
  for (const char* const name : {"rows.reel", "match.butter.reel"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto path = name == std::string_view("rows.reel")
                            ? folder.path() / name
                            : std::filesystem::path(TICKREEL_KEPT_RECORDINGS) / "0.1.0/recordings" / name;
      if (!std::filesystem::exists(path)) write_match(path, {}, match);
      const auto bytes = std::make_shared<growing>(read_file(path));
      std::vector<reel::record_info> records = reel::reader::from_memory(bytes->whole())->contents().records;
      std::erase_if(records, [](const auto& each) { return each.kind != reel::record_kind::chunk; });
      BOOST_REQUIRE(records.size() >= 4u);
      const auto after = [&](std::size_t number) {
        return static_cast<std::size_t>(records[number].offset + records[number].bytes);
      };
      bytes->there = after(0);
      const auto walked = *files::open(byte_source(bytes, {}), {.live = true});
      BOOST_REQUIRE(walked->resume({}));
      std::size_t largest = 0;
      std::uint64_t most = 0;
      std::uint64_t peak_late = 0;
      for (std::size_t number = 1; number < records.size(); ++number) {
        const std::size_t before = bytes->there;
        bytes->there = after(number);
        bytes->bytes_read = 0;
        BOOST_TEST((walked->extend().value() == files::growth::more));
        BOOST_REQUIRE(walked->resume({}));
        largest = std::max(largest, bytes->there - before);
        (number < records.size() / 2 ? most : peak_late) =
            std::max(number < records.size() / 2 ? most : peak_late, bytes->bytes_read);
      }
      const std::uint64_t header = reel::reader::from_memory(bytes->whole())->header_bytes().size();
      // Each new record twice at most, the heads around it, and the header.
      for (const std::uint64_t each : {most, peak_late}) BOOST_TEST(each <= 3 * largest + header + 4096);
      // Without new records almost nothing is read.
      bytes->bytes_read = 0;
      BOOST_TEST((walked->extend().value() == files::growth::none));
      BOOST_TEST(bytes->bytes_read <= header + 4096);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_or_replaced_file_is_reported) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  const auto other = folder.path() / "b.reel";
  write_match(reel);
  write_match(other, {}, short_match(true));
  const byte_vector bytes = read_file(reel);
  const auto put = [&](const std::filesystem::path& path, byte_span part) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
  };
  const auto live = folder.path() / "live.reel";
  const auto begin = [&] {
    std::filesystem::remove(live);
    put(live, byte_span(bytes).first(bytes.size() / 2));
    auto opened = files::open(live, {.live = true});
    BOOST_REQUIRE(opened);
    BOOST_TEST(((*opened)->extend().value() == files::growth::none));
    return std::move(*opened);
  };
  {
    const auto grows = begin();
    put(live, byte_span(bytes).first(bytes.size() / 4));
    BOOST_TEST((grows->extend().value() == files::growth::other));
  }
  {
    // Another recording in its place.
    const auto grows = begin();
    put(live, read_file(other));
    BOOST_TEST((grows->extend().value() == files::growth::other));
  }
  {
    // Another file with its name.
    const auto grows = begin();
    std::error_code refused;
    std::filesystem::rename(other, live, refused);
#ifdef _WIN32
    if (refused) BOOST_TEST_MESSAGE("LEFT OUT: this system does not replace an open file");
#else
    BOOST_REQUIRE(!refused);
#endif
    if (!refused) BOOST_TEST((grows->extend().value() == files::growth::other));
  }
  {
    // Removed, as after publishing: the open file can be read to its end.
    const auto grows = begin();
    std::error_code kept_open;
    std::filesystem::remove(live, kept_open);
    BOOST_TEST((grows->extend().value() == files::growth::none));
  }
  // Truncated and continued by another writer with another end.
  const auto grows = std::make_shared<growing>(bytes);
  grows->there = bytes.size() / 2;
  const auto opened = *files::open(byte_source(grows, {}), {.live = true});
  BOOST_REQUIRE(opened->extend());
  byte_vector written_on = bytes;
  std::fill(written_on.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 4), written_on.end(),
            std::byte{7});
  grows->replace(written_on);
  grows->there = bytes.size();
  BOOST_TEST((opened->extend().value() == files::growth::other));
}

// A reader that read a .butter completely knows where chunks begin, and so does a reader that receives its index.
BOOST_AUTO_TEST_CASE(an_index_of_one_reader_saves_another_the_scan) {
  const scratch_folder folder;
  const auto butter = folder.path() / "a.butter";
  echo_vr::simulation_options match = short_match();
  match.match_seconds = 60;
  write_match(butter, {}, match);
  const auto bytes = std::make_shared<growing>(read_file(butter));
  bytes->there = bytes->whole().size();
  const auto walked = *files::open(byte_source(bytes, {}));
  BOOST_TEST(walked->entrances().empty());
  const std::uint64_t last = walked->summarise().value().ticks - 1;
  const auto known = walked->entrances();
  BOOST_REQUIRE(known.size() >= 4u);
  const auto cost_of = [&](const std::vector<files::entrance>& current) {
    const auto read = *files::open(byte_source(bytes, {}));
    read->learn(current);
    bytes->bytes_read = 0;
    BOOST_TEST(read->go_to(last).value());
    BOOST_TEST(read->position().tick == last);
    const std::uint64_t cost = bytes->bytes_read;
    BOOST_TEST(walked->go_to(last).value());
    BOOST_TEST((line_of(*read) == line_of(*walked)));
    return cost;
  };
  BOOST_TEST(cost_of(known) < bytes->whole().size() / 2);
  BOOST_TEST(cost_of({}) > bytes->whole().size() / 2);
  // Impossible entries are ignored.
  for (const files::entrance& wrong :
       {files::entrance{1u << 20, 1u << 20, 0}, files::entrance{known.back().place, known.back().tick, 0}}) {
    auto current = known;
    current.push_back(wrong);
    BOOST_TEST(cost_of(current) > bytes->whole().size() / 2);
  }
}

BOOST_AUTO_TEST_CASE(formats_that_cannot_grow_are_reported) {
  const scratch_folder folder;
  const auto butter = folder.path() / "a.butter";
  write_match(butter);
  for (const bool live : {false, true}) {
    auto opened = files::open(butter, {.live = live});
    BOOST_REQUIRE(opened);
    const auto grew = (*opened)->extend();
    BOOST_TEST((!grew && grew.error().code == error_code::unsupported_operation));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
