#include "shard.hpp"

#include <fmt/format.h>

#include <charconv>

#include "console.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::cli {

namespace {

bool read(const std::string& text, std::uint64_t& number, std::uint64_t& count) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, number);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return false;
  const auto second = std::from_chars(first.ptr + 1, end, count);
  return second.ec == std::errc() && second.ptr == end && number >= 1 && number <= count;
}

}  // namespace

void shard::add_to(command& app) {
  const auto take = [this](const std::string& text) {
    return read(text, number_, count_) ? std::string() : text + " is not a shard such as 3/16";
  };
  app.add_option("--shard", given_,
                 "Process only part I of N, chosen by file names: for several machines in parallel")
      .check({.run = take, .offers = completion::nothing})
      .named("I/N");
}

bool shard::takes(const std::string& file) const {
  const file_path name = filesystem_path(file).filename();
  return xxh3_64(as_bytes(name.utf8())) % count_ == number_ - 1;
}

bool shard::keep_own(std::vector<std::string>& files) const {
  if (count_ == 1) return true;
  const std::size_t all = files.size();
  std::erase_if(files, [this](const std::string& each) { return !takes(each); });
  if (!files.empty()) return true;
  report_note(fmt::format("shard {}/{}", number_, count_), fmt::format("none of {}", counted(all, "file")));
  return false;
}

}  // namespace tickreel::cli
