// The arguments, the streams and the signals of the program on Windows.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "stop_signal.hpp"
#include "system_console.hpp"
#include "windows_api.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr const wchar_t* child_variable = L"TICKREEL_TEST_WORDS";

// Started as a child, it prints its arguments and nothing else.
struct child_says_its_words {
  child_says_its_words() {
    if (::GetEnvironmentVariableW(child_variable, nullptr, 0) == 0) return;
    const cli::system_console console;
    for (const std::string& each : cli::words_of(0, nullptr)) {
      (void)std::fwrite(each.data(), 1, each.size(), stdout);
      (void)std::fputc('\n', stdout);
    }
    (void)std::fflush(stdout);
    std::_Exit(0);
  }
};
// Before other code reads the arguments.
const child_says_its_words at_the_start;

// The output of a child that was started in `folder` with this command line.
std::string said_by(std::wstring line, const std::filesystem::path& folder) {
  const std::filesystem::path out = folder / "said.txt";
  SECURITY_ATTRIBUTES inherited = {};
  inherited.nLength = sizeof inherited;
  inherited.bInheritHandle = TRUE;
  const HANDLE file =
      ::CreateFileW(out.c_str(), GENERIC_WRITE, 0, &inherited, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  BOOST_REQUIRE(file != INVALID_HANDLE_VALUE);
  STARTUPINFOW how = {};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdOutput = file;
  how.hStdError = file;
  how.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
  wchar_t program[1024] = {};
  ::GetModuleFileNameW(nullptr, program, 1023);
  ::SetEnvironmentVariableW(child_variable, L"1");
  PROCESS_INFORMATION made = {};
  const BOOL started =
      ::CreateProcessW(program, line.data(), nullptr, nullptr, TRUE, 0, nullptr, folder.c_str(), &how, &made);
  ::SetEnvironmentVariableW(child_variable, nullptr);
  BOOST_REQUIRE(started);
  ::WaitForSingleObject(made.hProcess, INFINITE);
  ::CloseHandle(made.hProcess);
  ::CloseHandle(made.hThread);
  ::CloseHandle(file);
  const byte_vector bytes = read_file(out);
  return std::string(as_text(bytes));
}

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(are_utf8_and_lines_end_as_on_other_systems) {
  const scratch_folder folder;
  BOOST_TEST(
      said_by(L"tickreel info \"J\u00FCrgen \u8A66\u5408\\spiel \u00E9.butter\" /x --out=a\\b",
              folder.path()) ==
      "tickreel\ninfo\nJ\xC3\xBCrgen \xE8\xA9\xA6\xE5\x90\x88\\spiel \xC3\xA9.butter\n/x\n--out=a\\b\n");
}

BOOST_AUTO_TEST_CASE(patterns_expand_to_matching_files) {
  const scratch_folder folder;
  for (const char8_t* const each : {u8"b.butter", u8"\u00FC.butter", u8"a.butter", u8"c.rec"}) {
    write_file(folder.path() / each, as_bytes("x"));
  }
  std::filesystem::create_directory(folder.path() / "folder.butter");
  BOOST_TEST(said_by(L"t *.butter *.none --name=* ?.rec", folder.path()) ==
             "t\na.butter\nb.butter\n\xC3\xBC.butter\n*.none\n--name=*\nc.rec\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(clock)

int asked = 0;
int given_back = 0;
unsigned answer = 0;

const cli::fine_clock::calls counted = {[](unsigned milliseconds) noexcept {
                                          asked += static_cast<int>(milliseconds);
                                          return answer;
                                        },
                                        [](unsigned milliseconds) noexcept {
                                          given_back += static_cast<int>(milliseconds);
                                          return 0u;
                                        }};

BOOST_AUTO_TEST_CASE(timer_resolution_is_requested_and_released) {
  {
    const cli::fine_clock while_recording(counted);
    BOOST_TEST(asked == 1);
    BOOST_TEST(given_back == 0);
  }
  BOOST_TEST(given_back == 1);
  answer = 97;  // TIMERR_NOCANDO
  { const cli::fine_clock refused(counted); }
  BOOST_TEST(asked == 2);
  BOOST_TEST(given_back == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(signals)

// To the program itself, like a key in its window.
bool pressed(DWORD key) {
  const int before = cli::stop_requests();
  if (!::GenerateConsoleCtrlEvent(key, 0)) return false;
  for (int wait = 0; wait < 3000 && cli::stop_requests() == before; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return cli::stop_requests() == before + 1;
}

BOOST_AUTO_TEST_CASE(are_counted_until_the_limit) {
  // Wine has one only on a terminal, and sends no keys there.
  if (::GetConsoleCP() == 0) {
    std::cout << "LEFT OUT: no console\n";
    return;
  }
  cli::catch_stop_signals(3);
  BOOST_TEST(!cli::stop_requested());
  BOOST_TEST(pressed(CTRL_C_EVENT));
  BOOST_TEST(pressed(CTRL_BREAK_EVENT));
  // Requested twice, each is still counted once.
  cli::catch_stop_signals(9);
  BOOST_TEST(pressed(CTRL_BREAK_EVENT));
  BOOST_TEST(cli::stop_requests() == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
