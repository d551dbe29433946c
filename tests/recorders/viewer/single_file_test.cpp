// One page that contains everything.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "odd_name.hpp"
#include "served_page.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/text/base64.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(single_file_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string text_of(const std::string& path) {
  const byte_vector bytes = read_file(path);
  return std::string(as_text(bytes));
}

std::string base64_of(std::string_view text) {
  std::string out;
  text::append_base64(as_bytes(text), out);
  return out;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.rfind(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = text.find(end, from + begin.size());
  return text.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(base64) {
  // RFC 4648, section 10.
  BOOST_TEST(base64_of("") == "");
  BOOST_TEST(base64_of("f") == "Zg==");
  BOOST_TEST(base64_of("fo") == "Zm8=");
  BOOST_TEST(base64_of("foo") == "Zm9v");
  BOOST_TEST(base64_of("foobar") == "Zm9vYmFy");
}

// The page has three readers; a file contains only that of its recording.
BOOST_AUTO_TEST_CASE(contains_the_reader_that_it_needs) {
  const scratch_folder folder;
  const viewer::page page = stand_in_page(folder);
  const auto contains = [&](const char* name, const std::string& bytes, std::string_view reader) {
    const std::string given = folder / name;
    write_text(given, bytes);
    const std::string page_name = given + ".html";
    BOOST_REQUIRE(viewer::write_single_file(page, given, page_name).has_value());
    BOOST_TEST((text_of(page_name).find("id=\"reader\">" + base64_of(reader)) != std::string::npos));
  };
  contains("match.icrep", "ICRP" + std::string(100, '\0'), {"\0asm\1\0\0\0others", 14});
  contains("match.mcap", "\x89MCAP0\r\n" + std::string(100, '\0'), {"\0asm\1\0\0\0captures", 16});
}

BOOST_AUTO_TEST_CASE(contains_page_reader_and_recording) {
  const scratch_folder folder;
  const viewer::page page = stand_in_page(folder);
  // Longer than a piece, and not a multiple of anything.
  std::string recording;
  for (int at = 0; recording.size() < 1'000'003; ++at) recording += std::to_string(at) + "</script>";
  const std::string name = folder / odd_name("a\"><img src=x>.butter");
  write_text(name, recording);
  const auto bytes = viewer::write_single_file(page, name, folder / "one.html");
  BOOST_REQUIRE(bytes.has_value());
  const std::string html = text_of(folder / "one.html");
  BOOST_TEST(html.size() == *bytes);
  BOOST_TEST((html.find(base64_of(recording)) != std::string::npos));
  BOOST_TEST(html.find("id=\"reader\">" + base64_of(std::string_view("\0asm\1\0\0\0", 8))) !=
             std::string::npos);
  BOOST_TEST(html.find("id=\"worker\">" + base64_of("postMessage(1);")) != std::string::npos);
  BOOST_TEST(html.find("<img") == std::string::npos);
  BOOST_TEST(html.find("href=\"app.css\"") == std::string::npos);
  BOOST_TEST(html.find("src=\"app.js\"") == std::string::npos);
  BOOST_TEST(html.find("script-src 'self'") == std::string::npos);
  // The policy lists the existing parts, and no text ends the script.
  const std::string script = between(html, "<script>", "</script>");
  BOOST_TEST(script.find("document.title") == 0u);
  BOOST_TEST(script.find("<\\/script><\\!--") != std::string::npos);
  const auto digest = icrep::sha256(as_bytes(script));
  std::string hash;
  text::append_base64({digest.data(), digest.size()}, hash);
  BOOST_TEST(html.find("script-src 'sha256-" + hash + "' 'wasm-unsafe-eval'") != std::string::npos);
  // Data precede the script that reads them.
  BOOST_TEST(html.find("id=\"recording\"") < html.find("document.title"));
}

BOOST_AUTO_TEST_CASE(contains_a_map_if_there_is_one) {
  const scratch_folder folder;
  const viewer::page page = stand_in_page(folder);
  write_text(folder / "r", "12345");
  const viewer::page_map map{"\"><img>.png", "1 2 3 4", "it's \"another\"", "pixels"};
  BOOST_REQUIRE(
      viewer::write_single_file(page, folder / "r", folder / "one.html", {.map = &map}).has_value());
  const std::string html = text_of(folder / "one.html");
  BOOST_TEST(html.find("id=\"map\" data-name=\"&quot;&gt;&lt;img&gt;.png\" data-edges=\"1 2 3 4\"") !=
             std::string::npos);
  BOOST_TEST(html.find("\">" + base64_of("pixels") + "</script>") != std::string::npos);
  BOOST_TEST(html.find("<img") == std::string::npos);
  BOOST_TEST(html.find("id=\"map\"") < html.find("document.title"));
  BOOST_REQUIRE(viewer::write_single_file(page, folder / "r", folder / "two.html").has_value());
  BOOST_TEST(text_of(folder / "two.html").find("id=\"map\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(rejects_oversized_recordings_and_leaves_nothing) {
  const scratch_folder folder;
  const viewer::page page = stand_in_page(folder);
  write_text(folder / "r", "12345");
  const auto large = viewer::write_single_file(page, folder / "r", folder / "one.html", {.max_bytes = 4});
  BOOST_REQUIRE(!large.has_value());
  BOOST_TEST((large.error().code == error_code::over_limit));
  BOOST_TEST(!viewer::write_single_file(page, folder / "none", folder / "one.html").has_value());
  BOOST_TEST(!std::filesystem::exists(folder / "one.html"));
  write_text(folder / "one.html", "mine");
  const auto there = viewer::write_single_file(page, folder / "r", folder / "one.html");
  BOOST_REQUIRE(!there.has_value());
  BOOST_TEST((there.error().code == error_code::already_exists));
  BOOST_TEST(text_of(folder / "one.html") == "mine");
  BOOST_TEST(
      viewer::write_single_file(page, folder / "r", folder / "one.html", {.overwrite = true}).has_value());
}

BOOST_AUTO_TEST_CASE(a_page_of_another_version_is_rejected) {
  const scratch_folder folder;
  (void)stand_in_page(folder);
  write_text(folder / "r", "12345");
  write_text(folder / "index.html", "<html></html>");
  const auto page = viewer::page_in(folder.path());
  BOOST_REQUIRE(page.has_value());
  BOOST_TEST(!viewer::write_single_file(*page, folder / "r", folder / "one.html").has_value());
  std::filesystem::remove(folder / "worker.js");
  BOOST_TEST(!viewer::page_in(folder.path()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
