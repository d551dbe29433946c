// Builds with unpublished layouts are read with the newest known layouts. Tested with known builds: as if their layouts, and all
// newer ones, did not exist.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <set>
#include <string>

#include "file_bytes.hpp"
#include "shared_data.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/replay.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(hidden_layouts_test)

using namespace tickreel;
using namespace tickreel::sc2replay;

namespace {

constexpr layout_stream streams[] = {layout_stream::info, layout_stream::init_data, layout_stream::message,
                                     layout_stream::game};

// The builds with layout changes, up to `last`.
std::set<std::uint32_t> changes_until(std::uint32_t last) {
  std::set<std::uint32_t> builds;
  for (const layout_stream stream : streams) {
    for (const layout& each : layouts(stream)) {
      const bool is_first = each.first_base_build <= oldest_known_base_build;
      if (!is_first && each.first_base_build <= last) builds.insert(each.first_base_build);
    }
  }
  return builds;
}

struct reading {
  bool whole = true;
  std::uint64_t events = 0;
  std::string text;  // of all events, if requested
};

template <class Reader, class Event>
void read_all(Reader reader, Event& event, bool with_text, reading& out) {
  for (;;) {
    const auto more = reader.next(event);
    out.whole = out.whole && more.has_value();
    if (!more || !*more) return;
    ++out.events;
    if (with_text) append_json(event, out.text);
  }
}

reading read_as(const replay& of, std::uint32_t base_build, bool with_text) {
  reading out;
  const auto event = std::make_unique<game_event>();
  read_all(game_event_reader(of.game_events, base_build), *event, with_text, out);
  message said;
  if (out.whole) read_all(message_reader(of.message_events, base_build), said, with_text, out);
  return out;
}

}  // namespace

// A result that ends where its streams end equals the result of the correct layouts; everything else is an error.
BOOST_AUTO_TEST_CASE(unknown_builds_are_never_read_wrongly) {
  if (test::shared_data("sc2").empty()) return;
  std::size_t read_right = 0;
  std::size_t refused = 0;
  for (const auto& each : test::shared_files("sc2", ".SC2Replay")) {
    const byte_vector file = test::read_file(each);
    const auto archive = open_archive(file);
    BOOST_REQUIRE(archive);
    const auto of = replay::open(*archive);
    BOOST_REQUIRE(of);
    const reading right = read_as(*of, of->base_build(), true);
    BOOST_TEST(right.whole);
    const bool beta = of->header.encoding == header_encoding::beta;
    const byte_vector lobby_bytes = archive->read(beta ? "replay.info" : "replay.initData").value();
    for (const std::uint32_t hidden : changes_until(of->base_build())) {
      BOOST_TEST_CONTEXT(each.filename().string() << " without layouts from " << hidden << " on") {
        const bool reads = read_as(*of, hidden - 1, false).whole;
        ++(reads ? read_right : refused);
        if (reads) BOOST_TEST((read_as(*of, hidden - 1, true).text == right.text));
        const auto lobby = read_lobby(lobby_bytes, hidden - 1);
        if (!lobby || !reads) continue;
        // Written with the layouts with which it was read, it is unchanged; so is the decoded part.
        BOOST_REQUIRE(of->lobby);
        const auto again = write_lobby(*lobby, of->base_build());
        BOOST_TEST((again && *again == *write_lobby(*of->lobby, of->base_build())));
      }
    }
  }
  BOOST_TEST_MESSAGE(read_right << " read as they are, " << refused << " refused");
  BOOST_TEST(read_right > 10u);
  BOOST_TEST(refused > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
