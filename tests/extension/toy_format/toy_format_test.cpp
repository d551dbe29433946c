// Every verb that reads recordings, with a format that a program registers.
#include "toy_format.hpp"

#include "file_bytes.hpp"
#include "run_program.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct toy_files {
  scratch_folder folder;
  std::string whole = folder / "whole.toy";
  std::string other = folder / "other.toy";
  std::string torn = folder / "torn.toy";
  std::string damaged = folder / "damaged.toy";

  toy_files() {
    write("whole.toy", "toy\n3\n1\n4\n1\n5\n9\n2\n6\n");
    write("other.toy", "toy\n3\n1\n4\n2\n5\n9\n2\n6\n");
    write("torn.toy", "toy\n3\n1\n4\n15");
    write("damaged.toy", "toy\n3\nx\n4\n");
  }
  void write(const std::string& name, std::string_view text) { write_file(folder / name, as_bytes(text)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(toy_format_test, toy_files)

BOOST_AUTO_TEST_CASE(a_format_is_registered_once_and_must_be_complete) {
  BOOST_REQUIRE(files::register_format(toy::toy_format));
  BOOST_TEST((files::find_format("toy") != nullptr));
  const auto again = files::register_format(toy::toy_format);
  BOOST_TEST((!again && again.error().code == error_code::already_exists));
  files::format part = toy::toy_format;
  part.name = "toy2";
  part.open = nullptr;
  const auto refused = files::register_format(part);
  BOOST_TEST((!refused && refused.error().code == error_code::invalid_argument));
  static constexpr std::string_view names[] = {"t0", "t1", "t2",  "t3",  "t4",  "t5",  "t6",  "t7",
                                               "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15"};
  static_assert(std::size(names) == files::max_registered_formats);
  part.open = toy::toy_format.open;
  const auto same_extension = files::register_format(part);
  BOOST_TEST((!same_extension && same_extension.error().code == error_code::already_exists));
  for (std::size_t at = 0; at + 1 < std::size(names); ++at) {
    part.name = part.extension = names[at];
    BOOST_TEST(files::register_format(part).has_value());
  }
  part.name = part.extension = names[files::max_registered_formats - 1];
  const auto full = files::register_format(part);
  BOOST_TEST((!full && full.error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(info_cat_and_seek) {
  const outcome info = run({"info", "--json", whole});
  BOOST_TEST(info.code == 0, info.err);
  BOOST_TEST(info.out.find("\"format\":\"toy\"") != std::string::npos, info.out);
  BOOST_TEST(info.out.find("\"ticks\":8,") != std::string::npos, info.out);
  BOOST_TEST(run({"info", "--json", torn}).out.find("\"health\":\"incomplete\"") != std::string::npos);
  const outcome cat = run({"cat", whole});
  BOOST_TEST(cat.code == 0, cat.err);
  BOOST_TEST(cat.out.starts_with("{\"tick\":0,\"time_ms\":0,\"number\":3}\n"), cat.out);
  BOOST_TEST(run({"cat", torn}).code == 3);
  const outcome seek = run({"seek", whole, "--tick", "5"});
  BOOST_TEST(seek.code == 0, seek.err);
  BOOST_TEST(seek.out == "{\"tick\":5,\"time_ms\":500,\"number\":9}\n");
  BOOST_TEST(run({"seek", whole, "--time", "0.2s"}).out == "{\"tick\":2,\"time_ms\":200,\"number\":4}\n");
  BOOST_TEST(run({"seek", whole, "--tick", "8"}).code == 1);
}

BOOST_AUTO_TEST_CASE(events_and_statistics) {
  const outcome events = run({"events", whole});
  BOOST_TEST(events.code == 0, events.err);
  BOOST_TEST(events.out.ends_with("{\"tick\":5,\"type\":\"record\",\"number\":9}\n"), events.out);
  BOOST_TEST(run({"events", whole, "--type", "recrod"}).code == 2);
  const outcome stats = run({"stats", whole, "--json"});
  BOOST_TEST(stats.code == 0, stats.err);
  BOOST_TEST(stats.out.find("\"points\":31") != std::string::npos, stats.out);
  const outcome derived = run({"derive", whole, "-o", folder / "derived.reel"});
  BOOST_TEST(derived.code == 1, derived.err);
  BOOST_TEST(derived.says("no events are derived"), derived.err);
}

BOOST_AUTO_TEST_CASE(verify_and_recover) {
  BOOST_TEST(run({"verify", whole}).code == 0);
  const outcome bad = run({"verify", "--json", damaged});
  BOOST_TEST(bad.code == 1, bad.err);
  BOOST_TEST(bad.out.find("\"offset\":6") != std::string::npos, bad.out);
  const outcome saved = run({"recover", torn});
  BOOST_TEST(saved.code == 3, saved.err);
  BOOST_TEST(text_of_file(folder / "torn.recovered.toy") == "toy\n3\n1\n4\n");
  const outcome refused = run({"recover", torn, "-o", folder / "torn.butter"});
  BOOST_TEST(refused.code == 1, refused.err);
  BOOST_TEST(refused.says("another format"), refused.err);
}

BOOST_AUTO_TEST_CASE(convert_and_clip) {
  const outcome csv = run({"convert", whole, folder / "out.csv"});
  BOOST_TEST(csv.code == 0, csv.err);
  BOOST_TEST(text_of_file(folder / "out.csv") == "number\n3\n1\n4\n1\n5\n9\n2\n6\n");
  const outcome none = run({"convert", whole, folder / "out.butter"});
  BOOST_TEST(none.code == 2, none.err);
  BOOST_TEST(none.says(".toy files become "), none.err);
  BOOST_TEST(run({"convert", "--help"}).out.find("toy -> csv") != std::string::npos);
  const std::string mcap = folder / "out.mcap";
  const outcome messages = run({"convert", whole, mcap, "--codec", "none"});
  BOOST_TEST(messages.code == 0, messages.err);
  BOOST_TEST(text_of_file(mcap).find(R"({"tick":1,"time_ms":100,"number":1})") != std::string::npos);
  const outcome cat = run({"cat", mcap});
  BOOST_TEST(cat.code == 0, cat.err);
  BOOST_TEST(cat.out == run({"cat", whole}).out);
  const outcome clip = run({"clip", whole, "-o", folder / "clip.toy", "--from", "0.2s", "--to", "0.4s"});
  BOOST_TEST(clip.code == 0, clip.err);
  BOOST_TEST(text_of_file(folder / "clip.toy") == "toy\n4\n1\n5\n");
  for (const char* verb : {"anonymise", "recompress", "strip-voice", "compact"}) {
    const outcome edited = run({verb, whole, "-o", folder / "edited.toy"});
    BOOST_TEST(edited.code == 1, verb << edited.err);
  }
}

BOOST_AUTO_TEST_CASE(diff_names_the_first_tick_that_differs) {
  BOOST_TEST(run({"diff", whole, whole}).code == 0);
  const outcome differ = run({"diff", "--json", whole, other});
  BOOST_TEST(differ.code == 3, differ.err);
  BOOST_TEST(differ.out.find("\"first_different_tick\":3") != std::string::npos, differ.out);
  const outcome of_lengths = run({"diff", whole, torn});
  BOOST_TEST(of_lengths.code == 3, of_lengths.err);
}

BOOST_AUTO_TEST_CASE(reports_pages_and_the_library) {
  const outcome report = run({"report", whole, "-o", folder / "report.html"});
  BOOST_TEST(report.code == 0, report.err);
  BOOST_TEST(text_of_file(folder / "report.html").find("counter") != std::string::npos);
  // The page's readers are compiled without this format.
  const outcome page = run({"view", whole, "--html", folder / "page.html"});
  BOOST_TEST(page.code == 1, page.err);
  BOOST_TEST(page.says("no reader for this format"), page.err);
  const outcome published = run({"publish", whole, "nats://127.0.0.1:1/league"});
  BOOST_TEST(published.code == 1, published.err);
  BOOST_TEST(published.says("this is a toy, not a reel"), published.err);
  BOOST_TEST(run({"convert", whole, folder / "out.mcap"}).code == 0);
  const std::string index = folder / "library.db";
  const outcome scan = run({"library", "scan", folder.path().string(), "--db", index});
  BOOST_TEST(scan.code == 0, scan.err);
  const outcome found = run({"library", "find", "--db", index, "--format", "toy", "--json"});
  BOOST_TEST(found.code == 0, found.err);
  BOOST_TEST(found.out.find("whole.toy") != std::string::npos, found.out);
  const outcome all = run({"library", "find", "--db", index, "--json"});
  BOOST_TEST(all.out.find("out.mcap") != std::string::npos, all.out);
}

BOOST_AUTO_TEST_CASE(an_unknown_file_lists_the_known_formats) {
  write("unknown", "nothing that is known");
  const outcome refused = run({"info", folder / "unknown"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.says("the line \"toy\""), refused.err);
}

BOOST_AUTO_TEST_SUITE_END()
