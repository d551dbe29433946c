// Detection of formats by content.
#include "tickreel/files/format.hpp"

#include <algorithm>

#include "fixtures.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(format_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string_view detected(const std::filesystem::path& path) {
  const auto found = files::detect(path);
  return found ? (*found)->name : name(found.error().code);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_name_of_a_recording_has_no_extension_of_a_format) {
  for (const files::format& each : files::formats()) {
    const std::string extension(each.extension);
    BOOST_TEST(files::recording_name("folder.x/m 1.2" + extension) == "m 1.2", extension);
    BOOST_TEST(files::recording_name("m" + extension + ".reel") == "m", extension);
  }
  for (const char* other : {"m", "m.1", "m.butter.txt", ".butter"}) {
    BOOST_TEST(files::recording_name(other) == other);
    BOOST_TEST(files::recording_name(other + std::string(".reel")) == other);
  }
}

BOOST_AUTO_TEST_CASE(every_format_has_a_title_for_users) {
  for (const files::format& each : files::formats()) {
    BOOST_TEST(!each.title.empty(), each.name);
    BOOST_TEST(each.title != each.name);
  }
}

BOOST_AUTO_TEST_CASE(only_formats_of_echo_vr_are_its_outputs) {
  for (const files::format& each : files::formats()) {
    const bool is_output = std::ranges::count(files::echo_outputs(), each.name) != 0;
    BOOST_TEST((files::echo_output_of(each.name) == (is_output ? &each : nullptr)), each.name);
  }
  const scratch_folder folder;
  echo_vr::simulated_source source(short_match());
  for (const char* name : {"icrep", "csv", "nothing"}) {
    const auto done = files::convert(source, folder.path() / "m.butter", {.to = name});
    BOOST_TEST((!done && done.error().code == error_code::invalid_argument), name);
  }
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(the_name_is_ignored) {
  const scratch_folder folder;
  for (const char* extension : {"butter", "echoreplay", "reel"}) {
    const auto honest = folder.path() / (std::string("m.") + extension);
    write_match(honest);
    const auto wrong = folder.path() / (std::string(extension) + ".txt");
    std::filesystem::copy_file(honest, wrong);
    BOOST_TEST(detected(wrong) == extension);
  }
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  write_match(folder.path() / "plain.echoreplay", plain);
  std::filesystem::rename(folder.path() / "plain.echoreplay", folder.path() / "plain.butter");
  BOOST_TEST(detected(folder.path() / "plain.butter") == "echoreplay");
}

BOOST_AUTO_TEST_CASE(other_files_are_not_detected) {
  const scratch_folder folder;
  const auto path = folder.path() / "x.butter";
  for (const std::string& content :
       {std::string(), std::string("\x03"), std::string("hello, world"), std::string("{\"a\":1}"),
        std::string("PK\x03\x04 but no more"), std::string(4096, '\0'), std::string(4096, '\x01'),
        std::string("\x03\x2c\x01\x09", 4) + std::string(100, 'a'),
        std::string("2022/07/16 20:04:58.159 {}")}) {
    write_file(path, content);
    BOOST_TEST(detected(path) == "not_recognised", "of " << content.size() << " bytes");
  }
  BOOST_TEST(detected(folder.path() / "absent") == "not_found");
}

BOOST_AUTO_TEST_CASE(noise_is_rarely_detected_and_never_crashes) {
  auto random = seeded_random("formats");
  const scratch_folder folder;
  byte_vector noise(2000);
  std::size_t recognised = 0;
  for (int round = 0; round < 2000; ++round) {
    for (std::byte& each : noise) each = static_cast<std::byte>(random());
    if (round % 2 == 0) noise[0] = std::byte{3};
    if (files::detect(files::probe{noise, noise.size()}) != nullptr) ++recognised;
  }
  BOOST_TEST(recognised < 20u);
}

BOOST_AUTO_TEST_CASE(every_real_recording_is_detected) {
  const auto folder = shared_data("butter");
  if (folder.empty()) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".butter") BOOST_TEST(detected(entry.path()) == "butter", entry.path());
    if (extension == ".echoreplay") BOOST_TEST(detected(entry.path()) == "echoreplay", entry.path());
    if (extension == ".gz") BOOST_TEST(detected(entry.path()) == "not_recognised", entry.path());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
