// The model against what the format's own program decoded.
#define BOOST_TEST_MODULE butter_model
#include <zlib.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <sstream>

#include "butter_model.hpp"
#include "frame_compare.hpp"
#include "model_primitives.hpp"
#include "shared_data.hpp"

namespace tickreel {
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

}  // namespace tickreel
