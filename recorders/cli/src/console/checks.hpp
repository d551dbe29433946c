// What options and arguments must look like, told as wrong usage before anything is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "system_console.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::cli {

// For an option that holds an unsigned number: the library would take -1 for the highest one.
inline CLI::Validator whole_number() {
  const auto check = [](const std::string& text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, code] = std::from_chars(text.data(), end, value);
    return code == std::errc{} && stopped == end ? std::string() : text + " is not a number from 0 on";
  };
  return {check, ""};
}

// For an option that holds a number: "nan" and "inf" are taken for some by the library, and stand in no
// range.
inline CLI::Validator finite_number() {
  const auto check = [](const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && std::isfinite(value) ? std::string()
                                                                          : text + " is no finite number";
  };
  return {check, ""};
}

// For an option that holds seconds or the like.
inline CLI::Validator not_negative() {
  const auto check = [](const std::string& text) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value))
      return text + " is no finite number";
    return value >= 0 ? std::string() : text + " is less than 0";
  };
  return {check, ""};
}

// Why nothing can be written there: what is written appears whole or not at all, which no stream does.
inline std::string wrong_place_to_write(const std::string& text) {
  if (text.empty()) return "the name of the file is empty";
  if (text == "-") {
    return "- would be the standard output, and only files are written, whole or not at all: name one, such "
           "as ./-";
  }
  if (is_standard_stream(filesystem_path(text))) {
    return text + " is one of the program's own streams: name another file";
  }
  return {};
}

// For the name of a folder that is made where it is missing.
inline CLI::Validator folder_to_write() {
  return {[](const std::string& text) { return wrong_place_to_write(text); }, ""};
}

// For the name of a file that is written: nothing there yet, or a file. Even --force must not put a file in
// the place of a device such as /dev/null.
inline CLI::Validator file_to_write() {
  const auto check = [](const std::string& text) -> std::string {
    const std::filesystem::path path = filesystem_path(text);
    if (std::string wrong = wrong_place_to_write(text); !wrong.empty()) return wrong;
    std::error_code problem;
    const std::filesystem::file_status there = std::filesystem::status(path, problem);
    if (std::filesystem::is_directory(there)) return text + " is a folder; name a file in it";
    if (!path.has_filename()) return text + " names a folder; name a file in it";
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
      return text + " is no file but a device or a pipe";
    }
    return {};
  };
  return {check, ""};
}

}  // namespace tickreel::cli
