// A match that is cut at one of its signatures: valid up to there, and not proven to be complete.
#include <boost/test/unit_test.hpp>

#include "forger_trial.hpp"
#include "tickreel/files/recording.hpp"

BOOST_AUTO_TEST_SUITE(files_icrep_tests)
BOOST_AUTO_TEST_SUITE(signed_cut_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(with_a_key_an_incomplete_match_is_not_whole) {
  scratch_folder folder;
  const std::string path = folder / "match.icrep";
  const auto verified = [&](const match_parts& parts, const files::open_options& how) {
    write_file(path, put_together(parts));
    return got(got(files::open(path, how))->verify({}));
  };
  const files::open_options with_key{.trusted_key = relay()};
  match_parts parts = take_apart(recorded());
  BOOST_TEST(verified(parts, with_key).ok());
  BOOST_TEST(!verified(parts, with_key).content_left_out);

  parts.incomplete = true;
  parts.seal.end.reset();
  const files::verification cut = verified(parts, with_key);
  BOOST_TEST(cut.ok());
  BOOST_TEST(cut.content_left_out);
  BOOST_TEST(!verified(parts, {}).content_left_out);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
