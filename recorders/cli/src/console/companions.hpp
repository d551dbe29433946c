// Options that mean nothing without another one, or beside it: told instead of passed over.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>

namespace tickreel::cli {

inline void only_with(CLI::App& app, const char* other, std::initializer_list<const char*> options) {
  for (const char* each : options) app.get_option(each)->needs(app.get_option(other));
}
inline void never_with(CLI::App& app, const char* other, std::initializer_list<const char*> options) {
  for (const char* each : options) app.get_option(each)->excludes(app.get_option(other));
}

}  // namespace tickreel::cli
