// Copies of a match that keep its content unread: they report what readers cannot use.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "random.hpp"
#include "random_world.hpp"
#include "scratch_folder.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_icrep_tests)
BOOST_AUTO_TEST_SUITE(icrep_copies_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct copied_match {
  bool has_wrong_delta = false;  // of another state than the one before; stored without compression
  bool lacks_orders = false;     // of tick 2, as the file says
  bool is_marked = false;        // as incomplete, without a loss
};

byte_vector file_of_match(const copied_match& how) {
  constexpr std::uint64_t ticks = 8;
  auto random = seeded_random("copies of a match");
  random_world world(random);
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.total_ticks = ticks;
  facts.schema = random_world::schema();
  facts.state_hash = "core-sha256";
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  delta_group group = taken(delta_group::begin(world.state(), slots));
  keyframe_section_writer keyframes;
  order_stream_writer orders;
  byte_vector order_bytes;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    tick_frame frame{tick, 0, {}};
    if (tick % 4 == 0) {
      if (tick != 0) world.change(tick);
      frame.state_hash = sync_hash(core_hash(world.state().core));
    }
    if (tick == 0) taken(keyframes.add(tick, true, to_bytes(world.state())));
    if (tick == 4) {
      delta_snapshot delta = taken(group.delta(world.state()));
      if (how.has_wrong_delta) delta.core.baseline_hash[0] ^= std::byte{1};
      taken(keyframes.add(tick, false, to_bytes(delta), false));
    }
    if (tick != 2 || !how.lacks_orders) taken(orders.add(frame, order_bytes));
  }
  taken(orders.finish(order_bytes));
  file_sections others;
  others.incomplete = how.lacks_orders || how.is_marked;
  others.lost_frame_count = how.lacks_orders ? 1 : 0;
  return file_of(facts, order_bytes, keyframes.finish(), others);
}

std::vector<std::string> losses_of(const std::string& path) {
  const auto from = taken(files::open(path));
  while (taken(from->next())) {}
  return from->losses();
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_report_what_readers_report) {
  const files::sign_options with_key{.key_seed = array_of<32>(from_hex(example_key_seed))};
  for (const copied_match& how : {copied_match{}, {.has_wrong_delta = true}, {.lacks_orders = true}}) {
    BOOST_TEST_CONTEXT("wrong delta " << how.has_wrong_delta << ", orders missing " << how.lacks_orders) {
      const scratch_folder folder;
      const std::string path = folder / "match.icrep";
      write_file(path, file_of_match(how));
      const bool is_whole = losses_of(path).empty();
      BOOST_TEST(is_whole == (!how.has_wrong_delta && !how.lacks_orders));
      const auto smaller = taken(files::recompress(path, folder / "small.icrep"));
      BOOST_TEST(smaller.lost.empty() == is_whole);
      BOOST_TEST(losses_of(folder / "small.icrep").empty() == is_whole);
      const auto recovered = taken(files::recover(path, folder / "recovered.icrep", {}));
      BOOST_TEST(recovered.lost.empty() == is_whole);
      const auto without_voice = files::strip_voice(path, folder / "silent.icrep");
      if (without_voice) BOOST_TEST(without_voice->lost.empty() == is_whole);
      const auto anonymous = taken(files::anonymise(path, folder / "anonymous.icrep"));
      BOOST_TEST(anonymous.lost.empty() == is_whole);
      BOOST_TEST(losses_of(folder / "anonymous.icrep").empty() == is_whole);
      const auto is_signed = files::sign(path, folder / "signed.icrep", with_key);
      // A signature of damage would be meaningless.
      BOOST_TEST(is_signed.has_value() == !how.has_wrong_delta);
      if (is_signed) BOOST_TEST(is_signed->lost.empty() == is_whole);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_mark_without_a_loss_is_a_note) {
  const files::sign_options with_key{.key_seed = array_of<32>(from_hex(example_key_seed))};
  const scratch_folder folder;
  const std::string path = folder / "match.icrep";
  write_file(path, file_of_match({.is_marked = true}));
  for (const files::edit_report& done : {taken(files::recompress(path, folder / "small.icrep")),
                                         taken(files::anonymise(path, folder / "anonymous.icrep")),
                                         taken(files::sign(path, folder / "signed.icrep", with_key))}) {
    BOOST_TEST(done.lost.empty());
    BOOST_TEST(!done.notes.empty());
  }
  const auto recovered = taken(files::recover(path, folder / "recovered.icrep", {}));
  BOOST_TEST(recovered.lost.empty());
  BOOST_TEST(!recovered.left_out.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
