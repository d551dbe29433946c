// Takes rights away from verbs that only serve what they read.
#pragma once

#include <string>
#include <vector>

namespace tickreel::cli {

// See net::confine_to_reading(): only the folders of these files can be read from now on. Empty names are skipped.
void confine_to_folders_of(const std::vector<std::string>& files);

}  // namespace tickreel::cli
