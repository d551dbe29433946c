#include "matches.hpp"

#include <zip.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "shared_data.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::conformance {
namespace {

std::string unzip_first_entry(byte_span archive) {
  zip_error_t error{};
  zip_source_t* source = zip_source_buffer_create(archive.data(), archive.size(), 0, &error);
  const std::unique_ptr<zip_t, void (*)(zip_t*)> zip(zip_open_from_source(source, ZIP_RDONLY, &error),
                                                     zip_discard);
  if (!zip) throw std::runtime_error("not a zip archive");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(zip.get(), 0, 0), zip_fclose);
  if (!entry) throw std::runtime_error("an empty zip archive");
  std::string text;
  std::array<char, 65536> part{};
  zip_int64_t got = 0;
  while ((got = zip_fread(entry.get(), part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) throw std::runtime_error("a damaged zip entry");
  return text;
}

}  // namespace

match read_echoreplay(const std::filesystem::path& path) {
  const byte_vector file = test::read_file(path);
  const bool zipped = file.size() > 2 && as_text(file).starts_with("PK");
  const std::string text = zipped ? unzip_first_entry(file) : std::string(as_text(file));
  match ticks;
  echo::json_parser parser;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto read = echoreplay::parse_line(std::string_view(text).substr(begin, end - begin), parser,
                                             ticks.emplace_back());
    if (!read) throw std::runtime_error(path.string() + ": " + describe(read.error()));
    begin = end + 1;
  }
  return ticks;
}

match simulate(const echo_vr::simulation_options& options, std::size_t count, std::size_t stride) {
  echo_vr::match_simulator simulator(options);
  match ticks;
  echo::state tick;
  for (std::size_t i = 0; ticks.size() < count && simulator.next(tick); ++i) {
    if (i % stride == 0) ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace tickreel::conformance
