// Verbs that read take s3:// addresses: the output is that of the files, and a failure of the store does not count as damage.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <utility>

#include "fake_s3.hpp"
#include "fixtures.hpp"
#include "query_rows.hpp"
#include "s3rver.hpp"
#include "taken.hpp"
#include "tickreel/store/object_pool.hpp"

BOOST_AUTO_TEST_SUITE(cli_store_tests)
BOOST_AUTO_TEST_SUITE(store_files_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

constexpr const char* address = "s3://bucket/2026";

// A season in a folder, and the same in a store.
struct stored_season {
  stored_season() {
    s3.set_environment();
    std::filesystem::create_directory(season);
    for (const char* const name : {"a.butter", "it's b.echoreplay", "c.reel"}) {
      auto match = short_match();
      match.seed = static_cast<std::uint64_t>(name[0]);
      write_match(std::filesystem::path(season) / name, {}, match);
      put(name);
    }
  }
  void put(const std::string& name) {
    s3.put("2026/" + name, text_of_file(std::filesystem::path(season) / name));
  }

  fake_s3 s3;
  scratch_folder folder;
  std::string season = folder / "season";
};

// Refuses all but the first `served` parts of this object.
void refuse_parts(fake_s3& s3, const std::string& name, std::size_t served) {
  s3.faults = [name, left = served](const std::string& method, const std::string& target,
                                    std::uint64_t) mutable {
    if (method != "GET" || target.find(name) == std::string::npos) return fault::none;
    if (left == 0) return fault::refused;
    --left;
    return fault::none;
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(verbs_print_the_same_for_an_object_as_for_its_file, *with_s3rver) {
  const scratch_folder folder;
  const s3rver server(folder.path() / "kept");
  server.set_environment();
  const std::string season = folder / "season";
  std::filesystem::create_directory(season);
  const auto opened = store::open(address);
  BOOST_REQUIRE(opened.has_value());
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings")) {
    const std::string name = each.path().filename().string();
    // The recorder's files beside it are not part of an object.
    if (name.starts_with("live.icrep")) continue;
    std::filesystem::copy_file(each.path(), std::filesystem::path(season) / name);
    BOOST_REQUIRE((*opened)->put(name, taken(byte_source::open(each.path()))).has_value());
    names.push_back(name);
  }
  BOOST_TEST(names.size() > 20u);
  const auto compare = [&](std::vector<std::string> words, const std::string& file) {
    std::vector<std::string> stored = words;
    words.push_back(season + file);
    stored.push_back(address + file);
    const outcome of_file = run(words);
    const outcome of_object = run(stored);
    BOOST_TEST_CONTEXT(words[0] << ' ' << file) {
      BOOST_TEST(of_object.code == of_file.code, of_object.err);
      BOOST_TEST((of_object.out == replaced(of_file.out, season, address)), of_object.out.substr(0, 2000));
      // The advice about a damaged file does not apply.
      const std::string first = replaced(of_file.err.substr(0, of_file.err.find('\n')), season, address);
      BOOST_TEST(of_object.err.starts_with(first), of_object.err << "\n" << of_file.err);
    }
  };
  for (const std::string& name : names) {
    compare({"info", "--json"}, '/' + name);
    compare({"verify", "--json"}, '/' + name);
    compare({"cat", "--from", "0", "--to", "20"}, '/' + name);
    compare({"events"}, '/' + name);
  }
  for (const char* const sql :
       {"SELECT recording, format, ticks, health FROM recordings",
        "SELECT recording, count(*), min(tick), max(time_ms) FROM ticks GROUP BY recording",
        "SELECT recording, type, count(*) FROM events GROUP BY recording, type"}) {
    compare({"query", "--csv", sql}, "");
  }
  compare({"stats", "--csv"}, "");

  // Events from an index, of the prefix and of single objects.
  const std::string index = folder / "index.db";
  BOOST_REQUIRE(run({"library", "scan", address, "--db", index}).code == 0);
  const std::string events = "SELECT recording, tick, time_ms, type, event FROM events";
  const std::vector<std::string> with_index = {"--json", "--library", "--db", index};
  std::size_t indexed = 0;
  const auto compare_index = [&](const std::string& where) {
    const outcome of_objects = run_query(events, {where}, {"--json"});
    const outcome of_index = run_query(events, {where}, with_index);
    BOOST_TEST(of_index.code == of_objects.code, where);
    BOOST_TEST((of_index.out == of_objects.out), where);
    BOOST_TEST(of_index.err == of_objects.err, where);
    const outcome about = run_query(events, {where}, {"--csv", "--explain", "--library", "--db", index});
    for (const cells& each : rows_of(about.out)) indexed += each[2] == "index" ? 1u : 0u;
  };
  compare_index(address);
  const std::size_t of_prefix = std::exchange(indexed, 0);
  BOOST_TEST(of_prefix > 3u);
  for (const std::string& name : names) compare_index(std::string(address) + '/' + name);
  BOOST_TEST(indexed == of_prefix);
}

BOOST_FIXTURE_TEST_CASE(only_the_parts_that_a_statement_needs_are_fetched, stored_season) {
  auto match = short_match(true);
  match.match_seconds = 120;
  write_match(std::filesystem::path(season) / "long.butter", {}, match);
  put("long.butter");
  const std::uint64_t bytes = std::filesystem::file_size(std::filesystem::path(season) / "long.butter");
  BOOST_TEST(bytes > 2'000'000u);
  const std::string object = std::string(address) + "/long.butter";
  BOOST_TEST(query_rows("SELECT count(*) FROM ticks WHERE tick BETWEEN 1000 AND 1009", {object})[0][0] ==
             "10");
  BOOST_TEST(s3.sent_bytes() < bytes / 2);
  std::uint64_t before = s3.sent_bytes();
  BOOST_TEST((query_rows("SELECT count(*), format FROM recordings", {object}) ==
              std::vector<cells>{{"1", "butter"}}));
  BOOST_TEST(s3.sent_bytes() - before < bytes / 8);
  before = s3.sent_bytes();
  BOOST_TEST(query_rows("SELECT count(*) FROM ticks", {object}) ==
             query_rows("SELECT count(*) FROM ticks", {season + "/long.butter"}));
  // Each part once, and not a second time for what follows the end.
  BOOST_TEST(s3.sent_bytes() - before < bytes + bytes / 4);
}

BOOST_FIXTURE_TEST_CASE(a_prefix_is_a_folder, stored_season) {
  s3.put("2026/folder/", "");
  s3.put("2026/notes.txt", "no recording");
  s3.put("2026/c.json", "{}");  // the index object of c.reel
  s3.put("2026-old/x.txt", "");
  const std::string count = "SELECT count(*), sum(ticks) FROM recordings";
  const auto of_files = query_rows(count, {season});
  for (const char* const each : {"s3://bucket/2026", "s3://bucket/2026/"}) {
    const outcome said = run_query(count, {each}, {"--csv"});
    BOOST_TEST(said.code == 0, said.err);
    BOOST_TEST(rows_of(said.out) == of_files);
    BOOST_TEST(said.says("1 file in a folder was skipped"), said.err);
  }
  // Keys that are no paths.
  s3.put("/odd//a b+%?.butter", text_of_file(season + "/a.butter"));
  BOOST_TEST(query_rows("SELECT recording FROM recordings", {"s3://bucket//odd//a b+%?.butter"})[0][0] ==
             "s3://bucket//odd//a b+%?.butter");
  const outcome twice = run_query(
      count, {"s3://bucket/2026/a.butter", "s3://bucket/2026", "s3://bucket/2026/a.butter"}, {"--csv"});
  BOOST_TEST(rows_of(twice.out) == of_files);
  BOOST_TEST(twice.says("a.butter: given more than once; read once"), twice.err);

  for (const char* const each : {"s3://bucket/none", "s3://bucket/202", "s3://other", "s3://b"}) {
    const outcome said = run_query(count, {each, season}, {"--csv"});
    BOOST_TEST(said.code == 1);
    BOOST_TEST(said.says(std::string(each) + ": "), said.err);
    BOOST_TEST(rows_of(said.out) == of_files);
  }
  const outcome info = run({"info", "s3://bucket/2026/none.butter"});
  BOOST_TEST(info.code == 1);
  BOOST_TEST(info.says("no object has this address"), info.err);
}

const std::vector<std::vector<std::string>> reading_verbs = {{"query", "SELECT count(*) FROM ticks"},
                                                             {"query", "SELECT count(*) FROM events"},
                                                             {"query", "SELECT count(*) FROM statistics"},
                                                             {"query", "SELECT health FROM recordings"},
                                                             {"cat"},
                                                             {"info"},
                                                             {"verify"},
                                                             {"events"},
                                                             {"stats"}};

BOOST_FIXTURE_TEST_CASE(an_object_that_cannot_be_fetched_is_reported_and_not_damaged, stored_season) {
  const std::string recordings = "SELECT recording, health FROM recordings ORDER BY 1";
  refuse_parts(s3, "b.echoreplay", 0);
  const outcome said = run_query(recordings, {address}, {"--csv"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(rows_of(said.out) == (std::vector<cells>{{"s3://bucket/2026/a.butter", "whole"},
                                                      {"s3://bucket/2026/c.reel", "whole"}}));
  BOOST_TEST(said.says("b.echoreplay: "), said.err);
  BOOST_TEST(said.says("AWS_ACCESS_KEY_ID"), said.err);

  // Half of it is there: the rest is unreadable, not cut off.
  auto match = short_match(true);
  match.match_seconds = 60;
  for (const char* const name : {"long.butter", "long.echoreplay", "long.reel"}) {
    write_match(std::filesystem::path(season) / name, {}, match);
    put(name);
    const std::string object = std::string(address) + '/' + name;
    for (const std::vector<std::string>& words : reading_verbs) {
      refuse_parts(s3, name, 3);
      std::vector<std::string> all = words;
      all.push_back(object);
      const outcome one = run(all);
      BOOST_TEST_CONTEXT(words.back() << ' ' << name) {
        BOOST_TEST(one.code == 1);
        BOOST_TEST(one.says(object + ": "), one.err);
        BOOST_TEST(one.says("AWS_ACCESS_KEY_ID"), one.err);
        BOOST_TEST(!one.says("truncated"), one.err);
      }
    }
  }
}

// Whatever part cannot be fetched, also if only the check for trailing bytes needs it.
BOOST_FIXTURE_TEST_CASE(each_part_that_cannot_be_fetched_is_reported, stored_season) {
  auto match = short_match(true);
  match.match_seconds = 120;
  write_match(std::filesystem::path(season) / "long.butter", {}, match);
  put("long.butter");
  const std::string object = std::string(address) + "/long.butter";
  const std::string page = folder / "page.html";
  std::vector<std::vector<std::string>> verbs = reading_verbs;
  verbs.push_back({"report", "--force", "-o", page});
  for (const std::vector<std::string>& words : verbs) {
    std::vector<std::string> all = words;
    all.push_back(object);
    std::size_t parts = 0;
    s3.faults = [&parts](const std::string& method, const std::string&, std::uint64_t) {
      if (method == "GET") ++parts;
      return fault::none;
    };
    BOOST_TEST(run(all).code == 0, words[0]);
    BOOST_TEST_REQUIRE(parts > 2u);
    for (const std::size_t served : {parts - 1, parts - 2, parts / 2}) {
      refuse_parts(s3, "long.butter", served);
      const outcome one = run(all);
      BOOST_TEST_CONTEXT(words[0] << ' ' << words.back() << ", " << served << " of " << parts << " parts") {
        BOOST_TEST(one.code == 1);
        BOOST_TEST(one.says(object + ": "), one.err);
        BOOST_TEST(one.says("AWS_ACCESS_KEY_ID"), one.err);
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_report_of_objects_is_that_of_their_files, stored_season) {
  const std::string of_objects = folder / "objects.html";
  const std::string of_files = folder / "files.html";
  std::vector<std::string> objects = {"report", "-o", of_objects};
  std::vector<std::string> files = {"report", "-o", of_files};
  for (const char* const name : {"/a.butter", "/it's b.echoreplay", "/c.reel"}) {
    objects.push_back(address + std::string(name));
    files.push_back(season + name);
  }
  const outcome said = run(objects);
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(run(files).code == 0);
  BOOST_TEST((text_of_file(of_objects) == text_of_file(of_files)));
}

BOOST_FIXTURE_TEST_CASE(full_statistics_of_a_library_read_its_objects, stored_season) {
  const auto rows = [&](const std::string& place, const std::string& index) {
    BOOST_REQUIRE(run({"library", "scan", place, "--db", index}).code == 0);
    const outcome said = run({"library", "stats", "--full", "--csv", "--db", index});
    BOOST_TEST(said.code == 0, said.err);
    auto out = rows_of(said.out);
    std::ranges::sort(out);
    return out;
  };
  const auto of_objects = rows(address, folder / "objects.db");
  BOOST_TEST(!of_objects.empty());
  BOOST_TEST((of_objects == rows(season, folder / "files.db")));
  refuse_parts(s3, "c.reel", 0);
  const outcome refused = run({"library", "stats", "--full", "--csv", "--db", folder / "objects.db"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.says("c.reel: "), refused.err);
}

BOOST_FIXTURE_TEST_CASE(a_busy_store_is_asked_again, stored_season) {
  s3.faults = [](const std::string&, const std::string&, std::uint64_t number) {
    return number % 3 == 0 ? fault::status_503 : number % 3 == 1 ? fault::cut_in_answer : fault::none;
  };
  BOOST_TEST(query_rows("SELECT count(*) FROM ticks", {"s3://bucket/2026/a.butter"}) ==
             query_rows("SELECT count(*) FROM ticks", {season + "/a.butter"}));
}

BOOST_FIXTURE_TEST_CASE(an_interrupt_ends_the_wait_for_a_silent_store, stored_season) {
  s3.faults = [](const std::string& method, const std::string&, std::uint64_t) {
    return method == "GET" ? fault::silence : fault::none;
  };
  const std::string output = folder / "rows.parquet";
  const std::string object = "s3://bucket/2026/a.butter";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"query", "SELECT count(*) FROM ticks", object},
        std::vector<std::string>{"query", "SELECT count(*) FROM ticks", object, "-o", output},
        std::vector<std::string>{"query", "SELECT count(*) FROM ticks", address},
        std::vector<std::string>{"info", object}, std::vector<std::string>{"cat", object}}) {
    // 124: the interrupt after a second ended it. 137: only the kill did.
    BOOST_TEST(run_line("timeout --signal=INT --kill-after=120 1 " + program_line(words) +
                        " > /dev/null 2>&1 < /dev/null") == 124);
  }
  BOOST_TEST(!std::filesystem::exists(output));
  // A run that ends without its output or its index names it.
  const std::string err = folder / "err";
  const std::string asked = folder / "asked";
  const std::string index = folder / "library.db";
  s3.faults = [asked](const std::string& method, const std::string&, std::uint64_t) {
    if (method == "GET") write_file(asked, byte_span{});
    return method == "GET" ? fault::silence : fault::none;
  };
  for (const auto& [words, named] :
       {std::pair{std::vector<std::string>{"query", "SELECT count(*) FROM ticks", object, "-o", output},
                  output + ": interrupted"},
        std::pair{std::vector<std::string>{"library", "scan", "s3://bucket/2026", "--db", index},
                  index + ": interrupted"}}) {
    // However slowly the program starts: it is stopped when it waits for the store.
    std::filesystem::remove(asked);
    (void)run_line(program_line(words) + " > /dev/null 2> " + shell_word(err) +
                   " < /dev/null & while [ ! -e " + shell_word(asked) +
                   " ] && kill -0 $!; do sleep 0.05; done; kill -TERM $!; wait $!");
    BOOST_TEST(text_of_file(err).find(named) != std::string::npos, text_of_file(err));
  }
}

BOOST_FIXTURE_TEST_CASE(verbs_that_write_another_file_need_a_file, stored_season) {
  const std::string object = "s3://bucket/2026/a.butter";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"convert", object, folder / "out.echoreplay"},
        std::vector<std::string>{"clip", object, "--from", "0", "--to", "10", "-o", folder / "out.butter"},
        std::vector<std::string>{"recover", object, "-o", folder / "out.butter"},
        std::vector<std::string>{"anonymise", object, "-o", folder / "out.butter"},
        std::vector<std::string>{"recompress", object, "-o", folder / "out.butter"},
        std::vector<std::string>{"derive", object, "-o", folder / "out.reel"}}) {
    const outcome said = run(words);
    BOOST_TEST_CONTEXT(words[0]) {
      BOOST_TEST(said.code == 1);
      BOOST_TEST(said.says("download the object first"), said.err);
      BOOST_TEST(!std::filesystem::exists(words.back()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_library_of_a_store_joins_with_its_ticks) {
  const stored_season of;
  const std::string index = of.folder / "index.db";
  BOOST_REQUIRE(run({"library", "scan", address, "--db", index}).code == 0);
  const outcome said = run_query(
      "SELECT count(*) FROM library_games g JOIN recordings r USING (recording) WHERE g.ticks = r.ticks",
      {address}, {"--library", "--db", index, "--csv"});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(rows_of(said.out)[0][0] == "3");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
