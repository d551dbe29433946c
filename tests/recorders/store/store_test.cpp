// Both stores have the same contract.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "random.hpp"
#include "stores.hpp"
#include "tickreel/io/file.hpp"

BOOST_AUTO_TEST_SUITE(recorders_store_tests)
BOOST_AUTO_TEST_SUITE(store_test)

BOOST_AUTO_TEST_SUITE(every_store)

BOOST_AUTO_TEST_CASE(round_trips_objects) {
  stores all;
  all.each([](object_store& each) {
    for (const std::size_t bytes : {0u, 1u, 999u, 1000u, 1001u, 5000u, 5001u}) {
      const std::string content = noise(bytes, bytes);
      const auto made = put(each, "a/match.reel", content, {.read_back = true});
      BOOST_REQUIRE_MESSAGE(made.has_value(), why(made));
      BOOST_TEST(made->bytes == bytes);
      BOOST_TEST(made->sha256.size() == 64u);
      BOOST_TEST((whole(each, "a/match.reel") == content));
      BOOST_TEST(each.head("a/match.reel").value().value().bytes == bytes);
    }
    std::string some(10, '\0');
    const auto into = std::as_writable_bytes(std::span(some));
    BOOST_TEST(each.read("a/match.reel", 4996, into).value() == 5u);
    BOOST_TEST(some.substr(0, 5) == noise(5001, 5001).substr(4996));
    BOOST_TEST(each.read("a/match.reel", 5001, into).value() == 0u);
    BOOST_TEST(each.read("a/match.reel", 9999, into).value() == 0u);
    BOOST_TEST((each.read("a/none", 0, into).error().code == error_code::not_found));
    BOOST_TEST(!each.head("a/none").value().has_value());
    BOOST_TEST(!each.head("a").value().has_value());
    BOOST_TEST(each.remove("a/match.reel").has_value());
    BOOST_TEST(each.remove("a/match.reel").has_value());
    BOOST_TEST(!each.head("a/match.reel").value().has_value());
    BOOST_TEST(each.probe().has_value());
  });
}

BOOST_AUTO_TEST_CASE(accepts_odd_names) {
  stores all;
  all.each([](object_store& each) {
    const std::vector<std::string> odd = {
        "a b",        "a%20b",          "a+b", "a&b=c?d#e;f", "\xC3\xA4\xE2\x82\xAC", "x/.y/z..",
        "quote\"'<>", "tilde~$@:,*!()", "%",   "..."};
    for (const std::string& key : odd) {
      const auto made = put(each, key, key, {.read_back = true});
      BOOST_TEST(made.has_value(), key + ": " + why(made));
    }
    auto sorted = odd;
    std::sort(sorted.begin(), sorted.end());
    BOOST_TEST(keys(each) == sorted, boost::test_tools::per_element());
    for (const std::string& key : odd) BOOST_TEST(whole(each, key) == key);
    for (const std::string& key : {std::string(), std::string(1025, 'a')}) {
      BOOST_TEST(!put(each, key, "x").has_value());
    }
  });
}

BOOST_AUTO_TEST_CASE(lists_by_prefix_in_order) {
  stores all;
  all.s3.page_size = 2;
  all.each([](object_store& each) {
    const std::vector<std::string> in_order = {"a/b/1", "a/b/2", "a/b0", "a/c", "a0", "b"};
    for (const std::string& key : in_order) BOOST_TEST(put(each, key, key).has_value());
    BOOST_TEST(keys(each) == in_order, boost::test_tools::per_element());
    BOOST_TEST((keys(each, "a/b") == std::vector<std::string>{"a/b/1", "a/b/2", "a/b0"}));
    BOOST_TEST((keys(each, "a/b/") == std::vector<std::string>{"a/b/1", "a/b/2"}));
    BOOST_TEST((keys(each, "b") == std::vector<std::string>{"b"}));
    BOOST_TEST(keys(each, "c/../a").empty());
    int seen = 0;
    BOOST_TEST(each.list("", [&](const object&) { return ++seen < 3; }).has_value());
    BOOST_TEST(seen == 3);
  });
}

BOOST_AUTO_TEST_CASE(stops_when_cancelled) {
  stores all;
  auto options = quick();
  bool stop = false;
  options.cancelled = [&] { return stop; };
  all.each(
      [&](object_store& each) {
        stop = false;
        BOOST_TEST(put(each, "old", "old").has_value());
        stop = true;
        BOOST_TEST((put(each, "old", noise(5000)).error().code == error_code::interrupted));
        stop = false;
        BOOST_TEST(whole(each, "old") == "old");
        BOOST_TEST(keys(each).size() == 1u);
      },
      options);
  BOOST_TEST(all.s3.uploads().empty());
}

BOOST_AUTO_TEST_CASE(sends_a_file_in_parts_with_bounded_memory) {
  stores all;
  const std::string content = noise(900'000);
  const std::string file = all.folder / "reel";
  std::ofstream(file, std::ios::binary) << content;
  auto options = quick();
  options.part_bytes = 1;  // still at most 10,000 parts
  all.each(
      [&](object_store& each) {
        const auto made = each.put("reel", byte_source::open(file).value());
        BOOST_REQUIRE_MESSAGE(made.has_value(), why(made));
        BOOST_TEST((whole(each, "reel") == content));
        BOOST_TEST(each.transferred().requests <= 10'003u);
      },
      options);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_folder)

BOOST_AUTO_TEST_CASE(keys_cannot_escape_the_store) {
  const test::scratch_folder folder;
  const auto opened = store::open(folder / "in");
  for (const char* key :
       {"../out", "a/../../out", "/etc", "a//b", "a/", ".", "a/./b", "x.0123abcd.part", "x.tickreel-lock"}) {
    BOOST_TEST((put(**opened, key, "x").error().code == error_code::invalid_argument), key);
  }
  BOOST_TEST(!put(**opened, std::string("a\0b", 3), "x").has_value());
  BOOST_TEST(!std::filesystem::exists(folder / "out"));
}

BOOST_AUTO_TEST_CASE(forgets_leftovers_of_dead_processes_and_not_of_running_ones) {
  const test::scratch_folder folder;
  const auto opened = store::open(folder.path().string());
  std::ofstream(folder / "match") << "whole";
  auto living = published_file::create(folder / "match", true);
  std::ofstream(folder / "match.0123abcd.part") << "half";
  std::ofstream(folder / "match.tail.0123abcd.part") << "half";
  BOOST_TEST(keys(**opened).size() == 1u);
  BOOST_TEST((*opened)->discard_unfinished("match").value() == 1u);
  BOOST_TEST(std::filesystem::exists(living->temporary_path().utf8()));
  BOOST_TEST(std::filesystem::exists(folder / "match.tail.0123abcd.part"));
  BOOST_TEST(!std::filesystem::exists(folder / "match.0123abcd.part"));
  BOOST_TEST((*opened)->discard_unfinished("no/such/folder").value() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_bucket)

BOOST_AUTO_TEST_CASE(is_addressed_by_path_or_by_host) {
  test::fake_s3 s3;
  s3.token = "a-token==";
  s3.set_environment();
  BOOST_TEST(put(**store::open("s3://bucket/p", quick()), "x y", "1").has_value());
  ::setenv("TICKREEL_S3_STYLE", "host", 1);
  ::setenv("AWS_ENDPOINT_URL", s3.endpoint("localhost").c_str(), 1);
  const auto by_host = store::open("s3://bucket", quick());
  BOOST_REQUIRE(by_host.has_value());
  BOOST_TEST(whole(**by_host, "p/x y") == "1");
  BOOST_TEST((*by_host)->url_of("p/x y") == "s3://bucket/p/x y");
  BOOST_TEST(keys(**by_host).size() == 1u);
  BOOST_TEST(s3.bad_signatures() == 0u);
}

BOOST_AUTO_TEST_CASE(reports_the_reason_of_a_rejection) {
  test::fake_s3 s3;
  s3.set_environment();
  const auto error_now = [](const char* where) {
    const auto opened = store::open(where, quick());
    return opened ? (*opened)->probe().error() : opened.error();
  };
  BOOST_TEST(describe(error_now("s3://other")).find("no such bucket") != std::string::npos);
  ::setenv("AWS_SECRET_ACCESS_KEY", "a-wrong-secret", 1);
  const std::string text = describe(error_now("s3://bucket"));
  BOOST_TEST(text.find("the secret key is wrong") != std::string::npos);
  BOOST_TEST(text.find("a-wrong-secret") == std::string::npos);
  ::setenv("AWS_ACCESS_KEY_ID", "somebody", 1);
  BOOST_TEST(describe(error_now("s3://bucket")).find("access key") != std::string::npos);
  ::unsetenv("AWS_ACCESS_KEY_ID");
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", "/no/such/file", 1);
  BOOST_TEST(describe(error_now("s3://bucket")).find("no credentials") != std::string::npos);
  const test::scratch_folder folder;
  std::ofstream(folder / "c")
      << "[default]\naws_access_key_id=AKIDTEST\naws_secret_access_key=a/secret+key\n";
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", (folder / "c").c_str(), 1);
  BOOST_TEST((*store::open("s3://bucket", quick()))->probe().has_value());
  for (const char* wrong : {"127.0.0.1:1", "http://user:pw@host", "http://host/path", "ftp://host"}) {
    ::setenv("AWS_ENDPOINT_URL", wrong, 1);
    BOOST_TEST((error_now("s3://bucket").code == error_code::invalid_argument), wrong);
  }
  ::setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1", 1);
  BOOST_TEST((error_now("s3://bucket").code == error_code::connection_refused));
}

BOOST_AUTO_TEST_CASE(is_retried_when_it_fails) {
  for (const fault each : {fault::status_500, fault::status_503, fault::silence, fault::cut_in_request,
                           fault::cut_in_answer, fault::lost_answer, fault::late_failure}) {
    BOOST_TEST_CONTEXT("fault " << static_cast<int>(each)) {
      test::fake_s3 s3;
      s3.set_environment();
      auto options = quick();
      // Long enough for an answer on a busy machine; accidental timeouts are retried, too.
      options.limits.stalled = std::chrono::milliseconds(each == fault::silence ? 1500 : 30'000);
      // Every other request, so that each is tried twice. Errors inside successful responses occur only where S3 has them, at the
      // end of an upload; finished parts may be repeated.
      s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t number) {
        if (each == fault::late_failure) {
          return method == "POST" && number % 2 == 1 ? each : fault::none;
        }
        if (each == fault::silence) return number == 1 || number == 4 ? each : fault::none;
        if (each == fault::cut_in_answer && method != "GET") return fault::none;
        (void)target;
        return number % 2 == 0 ? each : fault::none;
      };
      const auto opened = store::open("s3://bucket", options);
      const std::string content = noise(3500);
      for (const char* key : {"one", "two"}) {
        const auto made = put(**opened, key, content);
        BOOST_REQUIRE_MESSAGE(made.has_value(), why(made));
        BOOST_TEST((whole(**opened, key) == content));
      }
      BOOST_TEST((*opened)->transferred().retries > 0u);
      BOOST_TEST(keys(**opened).size() == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(is_given_up_in_the_end_and_nothing_remains) {
  test::fake_s3 s3;
  s3.set_environment();
  s3.faults = [](const std::string&, const std::string& target, std::uint64_t) {
    return target.find("partNumber=3") != std::string::npos ? fault::status_503 : fault::none;
  };
  const auto opened = store::open("s3://bucket", quick());
  const auto made = put(**opened, "key", noise(5000));
  BOOST_TEST((made.error().code == error_code::bad_answer));
  BOOST_TEST((*opened)->transferred().retries == 3u);
  BOOST_TEST(s3.objects().empty());
  BOOST_TEST(s3.uploads().empty());
}

BOOST_AUTO_TEST_CASE(detects_stored_bytes_that_differ) {
  test::fake_s3 s3;
  s3.set_environment();
  s3.faults = [](const std::string& method, const std::string&, std::uint64_t) {
    return method == "PUT" ? fault::changed_content : fault::none;
  };
  const auto opened = store::open("s3://bucket", quick());
  const auto made = put(**opened, "key", noise(500), {.read_back = true});
  BOOST_TEST((made.error().code == error_code::checksum_mismatch));
}

BOOST_AUTO_TEST_CASE(forgets_unfinished_uploads) {
  test::fake_s3 s3;
  s3.set_environment();
  bool killed = true;
  s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t) {
    // As after a kill: neither finished nor aborted.
    const bool later = target.find("partNumber=2") != std::string::npos || method == "DELETE";
    return killed && later ? fault::cut_in_request : fault::none;
  };
  const auto opened = store::open("s3://bucket/in", quick());
  for (const char* key : {"key", "key2"}) BOOST_TEST(!put(**opened, key, noise(5000)).has_value());
  BOOST_TEST(s3.uploads().size() == 2u);
  killed = false;
  BOOST_TEST((*opened)->discard_unfinished("key").value() == 1u);
  BOOST_TEST(s3.uploads().size() == 1u);
  BOOST_TEST(s3.uploads()[0].key == "in/key2");
  s3.unfinished_are_listed = false;
  BOOST_TEST((*opened)->discard_unfinished("key2").value() == 0u);
}

BOOST_AUTO_TEST_CASE(holds_objects_complete_or_not_at_all) {
  auto random = test::seeded_random("faults of a store");
  constexpr fault kinds[] = {fault::none,          fault::none,       fault::none,
                             fault::status_500,    fault::status_503, fault::cut_in_request,
                             fault::cut_in_answer, fault::lost_answer};
  for (int round = 0; round < 60; ++round) {
    test::fake_s3 s3;
    s3.set_environment();
    s3.faults = [&](const std::string&, const std::string&, std::uint64_t) {
      return kinds[random() % std::size(kinds)];
    };
    const auto opened = store::open("s3://bucket", quick());
    const std::string old = noise(random() % 4000, 1);
    const std::string now = noise(random() % 4000, 2);
    s3.put("key", old);
    const auto made = put(**opened, "key", now);
    const auto there = s3.objects();
    BOOST_TEST(there.size() == 1u);
    const std::string& content = there.at("key").content;
    BOOST_TEST((content == now || (!made && content == old)));
    BOOST_TEST(s3.bad_signatures() == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
