// The version of Tickreel that a program is compiled with. docs/compatibility.md defines what stays
// compatible.
#pragma once

#include <string_view>

// For the preprocessor; a test compares them with project(VERSION) in CMakeLists.txt.
#define TICKREEL_VERSION_MAJOR 0
#define TICKREEL_VERSION_MINOR 3
#define TICKREEL_VERSION_PATCH 0

namespace tickreel {

inline constexpr int version_major = TICKREEL_VERSION_MAJOR;
inline constexpr int version_minor = TICKREEL_VERSION_MINOR;
inline constexpr int version_patch = TICKREEL_VERSION_PATCH;
// "MAJOR.MINOR.PATCH"
inline constexpr std::string_view version_text = "0.3.0";

}  // namespace tickreel
