// An independent S3 server with the bucket "bucket". TICKREEL_S3RVER is its folder.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "preconditions.hpp"

extern char** environ;

namespace tickreel::test {

class s3rver {
 public:
  // With `tls`, a certificate for 127.0.0.1, over HTTPS.
  explicit s3rver(const std::filesystem::path& folder, const std::string& tls = "") {
    int ends[2] = {-1, -1};
    BOOST_REQUIRE(::pipe(ends) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    // With the output of a test that crashed, it would keep ctest waiting.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::vector<std::string> words = {"node",      program(), "-d", folder.string(),      "-a",
                                      "127.0.0.1", "-p",      "0",  "--configure-bucket", "bucket"};
    if (!tls.empty()) words.insert(words.end(), {"--cert", tls + ".pem", "--key", tls + ".key"});
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    BOOST_REQUIRE(::posix_spawnp(&process_, "node", &actions, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
    // "S3rver listening on 127.0.0.1:4568"
    const std::string mark = "listening on ";
    std::string said;
    char letter = 0;
    while (::read(output_, &letter, 1) == 1) {
      said += letter;
      if (letter == '\n' && said.find(mark) != std::string::npos) break;
    }
    const std::size_t at = said.find(mark);
    BOOST_REQUIRE(at != std::string::npos);
    endpoint_ = (tls.empty() ? "http://" : "https://") + said.substr(at + mark.size());
    endpoint_.pop_back();
  }
  s3rver(const s3rver&) = delete;
  s3rver& operator=(const s3rver&) = delete;
  ~s3rver() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::close(output_);
  }
  // Sets the environment variables of its clients.
  void set_environment() const {
    ::setenv("AWS_ENDPOINT_URL", endpoint_.c_str(), 1);
    ::setenv("AWS_ACCESS_KEY_ID", "S3RVER", 1);
    ::setenv("AWS_SECRET_ACCESS_KEY", "S3RVER", 1);
    for (const char* each : {"AWS_SESSION_TOKEN", "TICKREEL_S3_STYLE"}) ::unsetenv(each);
  }

  static std::string program() { return TICKREEL_S3RVER "/node_modules/s3rver/bin/s3rver.js"; }

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::string endpoint_;
};

inline const auto with_s3rver = needed(
    [] {
      return std::filesystem::exists(s3rver::program()) ? nullptr
                                                        : "no s3rver; scripts/bootstrap --fleet installs it";
    },
    "TICKREEL_REQUIRE_FLEET");

}  // namespace tickreel::test
