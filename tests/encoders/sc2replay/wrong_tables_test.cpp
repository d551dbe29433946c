// Damaged tables of an archive: no missing member is hidden, and a removed one is not damage.
#include <boost/test/unit_test.hpp>
#include <string>

#include "verdicts.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(wrong_tables_test)

using namespace verdicts;

BOOST_AUTO_TEST_CASE(no_flipped_bit_of_the_tables_hides_a_missing_member) {
  const byte_vector file = sample_file();
  std::size_t damaged = 0;
  const auto check = [&](const byte_vector& copy, const std::string& what) {
    if (!sc2replay::open_archive(byte_span(copy)) || has_every_member(copy)) return;
    ++damaged;
    const auto found = files::open(byte_span(copy));
    BOOST_REQUIRE(found);
    const auto verified = (*found)->verify();
    BOOST_REQUIRE(verified);
    BOOST_TEST(!verified->ok(), what);
  };
  flip_table_bits(file, hash_table, 1, check);
  flip_table_bits(file, block_table, 1, check);
  BOOST_TEST(damaged > 500u);
}

// A row of the block table that no longer exists, and a name without a target.
BOOST_AUTO_TEST_CASE(a_name_without_a_member_is_damage) {
  for (const mpq::new_member& each : sample_members()) {
    const byte_vector file =
        with_row(sample_file(), each.name, [](table_row& row) { row.flags &= ~0x80000000u; });
    const judged found = judge(file);
    BOOST_TEST(has_finding(found, files::severity::error, each.name), each.name);
    check_agreement(found, each.name);
  }
}

// As in published packs: the member and its entry are removed, and the list still names it.
BOOST_AUTO_TEST_CASE(a_removed_member_is_not_damage) {
  const byte_vector whole = sample_file();
  const auto archive = sc2replay::open_archive(byte_span(whole));
  BOOST_REQUIRE(archive);
  const mpq::member* const victim = archive->find("replay.message.events");
  BOOST_REQUIRE(victim != nullptr);
  const byte_vector without_row = with_row(whole, victim->name, [](table_row& row) { row = {}; });
  const byte_vector file = with_table(without_row, hash_table, [&](mutable_byte_span table) {
    constexpr auto little = std::endian::little;
    for (std::size_t at = 0; at < table.size(); at += table_row_bytes) {
      std::byte* const row = table.data() + at;
      if (tickreel::detail::load<little, std::uint32_t>(row + 12) != victim->block) continue;
      tickreel::detail::store<little>(row, std::uint32_t{0xFFFFFFFF});
      tickreel::detail::store<little>(row + 4, std::uint32_t{0xFFFFFFFF});
      tickreel::detail::store<little>(row + 12, std::uint32_t{0xFFFFFFFE});
    }
  });
  const judged found = judge(file);
  BOOST_TEST(found.by_verify.ok());
  BOOST_TEST(has_finding(found, files::severity::warning, "replay.message.events"));
  check_agreement(found, "taken out");
}

BOOST_AUTO_TEST_CASE(tables_without_their_checksum_are_damage) {
  const byte_vector file = with_table_sums(sample_file());
  const judged whole = judge(file);
  BOOST_TEST(whole.by_verify.ok());
  check_agreement(whole, "with sums");
  std::size_t reported = 0;
  for (std::size_t bit = 0; bit < 208 * 8; ++bit) {
    // A checksum of zeros would mean none: no single bit produces one.
    byte_vector copy = file;
    copy[archive_at + bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    if (!files::open(byte_span(copy)).has_value()) continue;
    const judged found = judge(copy);
    BOOST_TEST(!found.by_verify.ok(), "bit " << bit);
    check_agreement(found, "bit " + std::to_string(bit));
    ++reported;
  }
  BOOST_TEST(reported > 1000u);
  // Also a bit that changes the target to no other member: the language of an entry.
  flip_table_bits(file, hash_table, 5, [&](const byte_vector& copy, const std::string& what) {
    if (!files::open(byte_span(copy)).has_value()) return;
    BOOST_TEST(has_finding(judge(copy), files::severity::error, "the hash table does not have its checksum"),
               what);
  });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
