// Compares the model with the output of the format's reference program.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "butter_model.hpp"
#include "frame_compare.hpp"
#include "model_primitives.hpp"
#include "shared_data.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_model_tests)
BOOST_AUTO_TEST_SUITE(model_golden_test)

namespace {

namespace fs = std::filesystem;
namespace model = butter_model;

std::string read_gzip_text(const fs::path& path) {
  std::string text;
  gzFile file = gzopen(path.string().c_str(), "rb");
  BOOST_REQUIRE(file != nullptr);
  std::array<char, 65536> part{};
  int got = 0;
  while ((got = gzread(file, part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(got));
  gzclose(file);
  BOOST_REQUIRE_EQUAL(got, 0);
  return text;
}

std::vector<model::frame> read_decoded(const fs::path& path) {
  model::frame_json_reader reader;
  std::vector<model::frame> frames;
  std::istringstream lines(read_gzip_text(path));
  for (std::string line; std::getline(lines, line);) frames.push_back(reader.read(line));
  return frames;
}

// NAME.COMPRESSION.butter -> NAME
std::string golden_name(const fs::path& path) {
  const std::string file = path.filename().string();
  return file.substr(0, file.find('.'));
}

std::vector<fs::path> golden_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".butter") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_every_golden_file_as_the_program_did) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  std::map<std::string, std::vector<model::frame>> decoded;
  std::size_t files = 0;
  std::size_t frames = 0;
  for (const fs::path& path : golden_files(folder)) {
    const std::string name = golden_name(path);
    const fs::path decoded_path = folder / (name + ".decoded.json.gz");
    if (!fs::exists(decoded_path)) continue;
    if (!decoded.contains(name)) decoded[name] = read_decoded(decoded_path);
    const std::vector<model::frame>& wanted = decoded[name];
    BOOST_TEST_CONTEXT(path.filename()) {
      const auto got = model::decode_all(test::read_file(path), {.zstd_switched_off = false});
      BOOST_REQUIRE_EQUAL(got.size(), wanted.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        const std::vector<std::string> found = model::differences(got[i], wanted[i]);
        if (found.empty()) continue;
        BOOST_ERROR("frame " << i << ": " << found.size() << " fields differ, first " << found.front());
        break;
      }
      frames += got.size();
    }
    ++files;
  }
  BOOST_TEST_MESSAGE(files << " files, " << frames << " frames");
  BOOST_TEST(files > 0);
}

BOOST_AUTO_TEST_CASE(throws_where_the_program_threw) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  // A player with bones joins inside the chunk.
  const byte_vector joined = test::read_file(folder / "arena-bones-join.none.butter");
  BOOST_CHECK_EXCEPTION(
      model::decode_all(joined), model::decoder_exception,
      [](const model::decoder_exception& e) { return e.kind() == model::failure::out_of_range; });
  // Every zstd file of version 3, and no other.
  for (const fs::path& path : golden_files(folder)) {
    if (path.string().find(".zstd_") == std::string::npos) continue;
    const byte_vector file = test::read_file(path);
    BOOST_TEST_CONTEXT(path.filename()) {
      if (file.at(0) == std::byte{3}) {
        BOOST_CHECK_EXCEPTION(
            model::decode_all(file), model::decoder_exception,
            [](const model::decoder_exception& e) { return e.kind() == model::failure::zstd_switched_off; });
      } else {
        BOOST_TEST(!model::decode_all(file).empty());
      }
    }
  }
}

// Lines of primitives.txt: a kind, then numbers in hexadecimal.
BOOST_AUTO_TEST_CASE(primitives_are_the_programs) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  const byte_vector file = test::read_file(folder / "primitives.txt");
  std::istringstream lines{std::string(as_text(file))};
  std::map<std::string, std::size_t> counts;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind.empty() || kind[0] == '#') continue;
    std::vector<std::string> columns;
    for (std::string word; words >> word;) columns.push_back(word);
    const auto bits = [&](std::size_t i) {
      return static_cast<std::uint32_t>(std::stoul(columns.at(i), nullptr, 16));
    };
    const auto number = [&](std::size_t i) { return std::bit_cast<float>(bits(i)); };
    const auto bytes = [&](std::size_t i) {
      byte_vector result;
      for (std::size_t at = 0; at < columns.at(i).size(); at += 2) {
        result.push_back(static_cast<std::byte>(std::stoul(columns[i].substr(at, 2), nullptr, 16)));
      }
      return result;
    };
    const auto check = [&](float got, std::size_t i) {
      const bool same =
          std::bit_cast<std::uint32_t>(got) == bits(i) || (std::isnan(got) && std::isnan(number(i)));
      BOOST_TEST(same, line << ": got " << got << ", not " << number(i));
    };
    const auto check_vec3 = [&](const model::vec3& got, std::size_t i) {
      check(got.x, i);
      check(got.y, i + 1);
      check(got.z, i + 2);
    };
    ++counts[kind];
    if (kind == "half") {
      check(model::half_to_float(static_cast<std::uint16_t>(bits(1))), 2);
    } else if (kind == "s3") {
      const model::quat got = model::unpack_s3(bits(4));
      check_vec3({got.x, got.y, got.z}, 5);
      check(got.w, 8);
    } else if (kind == "look") {
      const model::axes got = model::axes_of({number(6), number(7), number(8), number(9)});
      check_vec3(got.forward, 10);
      check_vec3(got.left, 13);
      check_vec3(got.up, 16);
    } else if (kind == "fix") {
      const byte_vector stored = bytes(1);
      model::byte_source in(stored);
      check(model::fixed_point_to_float(model::undo_zigzag(in.varint())), 2);
      BOOST_TEST(in.at_end());
    } else if (kind == "varint") {
      const byte_vector stored = bytes(1);
      model::byte_source in(stored);
      BOOST_TEST(model::undo_zigzag(in.varint()) == std::stoll(columns.at(2)), line);
      BOOST_TEST(in.at_end());
    } else {
      BOOST_ERROR("unknown line: " << line);
    }
  }
  BOOST_TEST(counts.size() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
