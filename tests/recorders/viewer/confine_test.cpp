// What a confined process can still do.
#include "landlock.hpp"

#ifdef __linux__
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "scratch_folder.hpp"
#include "tickreel/net/confine.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(confine_test)

namespace {

using namespace tickreel::test;

// In a process of its own, because rights do not come back. Returns the number of the first wrong answer.
int confined(const std::string& inside, const std::string& outside) {
  const auto opens = [](const std::string& path, int how) {
    const int number = ::open(path.c_str(), how | O_CLOEXEC, 0600);
    if (number >= 0) ::close(number);
    return number >= 0;
  };
  const int before = ::open((outside + "/file").c_str(), O_RDONLY | O_CLOEXEC);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (!tickreel::net::confine_to_reading({inside})) return 1;
  if (!opens(inside + "/file", O_RDONLY)) return 2;
  if (opens(outside + "/file", O_RDONLY) || errno != EACCES) return 3;
  if (opens(inside + "/file", O_WRONLY) || errno != EACCES) return 4;
  if (opens(inside + "/new", O_WRONLY | O_CREAT)) return 5;
  if (::unlink((inside + "/file").c_str()) == 0) return 6;
  if (::rename((inside + "/file").c_str(), (inside + "/other").c_str()) == 0) return 7;
  char byte = 0;
  if (::read(before, &byte, 1) != 1) return 8;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  if (connected || (landlock_version() >= 4 && errno != EACCES)) return 9;
  if (landlock_version() >= 6 && (::kill(::getppid(), 0) == 0 || errno != EPERM)) return 10;
  char* const arguments[] = {nullptr};
  if (::execv("/bin/true", arguments) == 0 || errno != EACCES) return 11;
  return 0;
}

int in_own_process(const std::string& inside, const std::string& outside) {
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) ::_exit(confined(inside, outside));
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_the_folder_can_be_read, *with_landlock) {
  const scratch_folder inside;
  const scratch_folder outside;
  for (const auto* each : {&inside, &outside}) std::ofstream(*each / "file") << "x";
  BOOST_TEST(in_own_process(inside.path().string(), outside.path().string()) == 0);
  BOOST_TEST(std::filesystem::exists(inside / "file"));
}

// A folder that cannot be opened leaves everything as it was.
BOOST_AUTO_TEST_CASE(a_missing_folder_changes_nothing, *with_landlock) {
  const scratch_folder folder;
  std::ofstream(folder / "file") << "x";
  BOOST_TEST(in_own_process(folder / "none", folder.path().string()) == 1);
  BOOST_TEST(!tickreel::net::confine_to_reading({folder / "none"}));
  BOOST_TEST(std::ifstream(folder / "file").good());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
#endif
