// Starts programs on Windows without a shell: the arguments arrive unchanged, and the error of a failed start is available.
#pragma once

#ifdef _WIN32

#include <windows.h>
// Macros of the headers that other files of a batch use as names.
#undef far
#undef near
#undef small

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace tickreel::test {

struct started_process {
  HANDLE process = nullptr;  // if null, `error` contains the reason
  DWORD error = 0;
};

// Retries for some seconds: a busy machine may lack resources for a process temporarily, and permanent errors fail each time.
// `how` names the standard handles, if any; `line` starts with the program.
inline started_process start_process(const std::wstring& program, const std::wstring& line,
                                     STARTUPINFOW how = {}) {
  started_process out;
  how.cb = sizeof how;
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (attempt > 0) {
      std::fprintf(stderr, "a process was refused with error %lu, once more\n", out.error);
      ::Sleep(250);
    }
    std::wstring writable = line;
    PROCESS_INFORMATION made = {};
    if (::CreateProcessW(program.c_str(), writable.data(), nullptr, nullptr,
                         (how.dwFlags & STARTF_USESTDHANDLES) != 0 ? TRUE : FALSE, 0, nullptr, nullptr, &how,
                         &made) != FALSE) {
      ::CloseHandle(made.hThread);
      out.process = made.hProcess;
      return out;
    }
    out.error = ::GetLastError();
  }
  return out;
}

inline std::wstring wide_text(const std::string& utf8) {
  const int length =
      ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()), nullptr, 0);
  std::wstring out(static_cast<std::size_t>(length), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()), out.data(), length);
  return out;
}

// Quotes one argument by the rules of the C runtime: backslashes are special only before a quote.
inline std::wstring line_word(const std::wstring& word) {
  std::wstring out = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t each : word) {
    if (each == L'"') out.append(backslashes + 1, L'\\');
    backslashes = each == L'\\' ? backslashes + 1 : 0;
    out += each;
  }
  return out.append(backslashes, L'\\') + L'"';
}

// The exit code; -1 if the program did not start, with the reason in `refused`. The three names are files; an empty input is at
// its end immediately.
inline int run_process(const std::string& program, const std::vector<std::string>& words,
                       const std::string& input, const std::string& out, const std::string& err,
                       std::string& refused) {
  // Some programs read a path that begins with a slash as an option.
  const std::wstring path = std::filesystem::absolute(wide_text(program)).make_preferred().wstring();
  std::wstring line = line_word(path);
  for (const std::string& each : words) line += L' ' + line_word(wide_text(each));

  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  const auto opened = [&](const std::string& name, DWORD access, DWORD disposition) {
    return ::CreateFileW(wide_text(name).c_str(), access,
                         FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited, disposition,
                         FILE_ATTRIBUTE_NORMAL, nullptr);
  };
  STARTUPINFOW how = {};
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = opened(input.empty() ? "NUL" : input, GENERIC_READ, OPEN_EXISTING);
  how.hStdOutput = opened(out, GENERIC_WRITE, CREATE_ALWAYS);
  how.hStdError = opened(err, GENERIC_WRITE, CREATE_ALWAYS);
  const started_process child = start_process(path, line, how);
  for (const HANDLE each : {how.hStdInput, how.hStdOutput, how.hStdError}) ::CloseHandle(each);
  if (child.process == nullptr) {
    refused = program + ": could not be started: error " + std::to_string(child.error);
    return -1;
  }
  ::WaitForSingleObject(child.process, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(child.process, &code);
  ::CloseHandle(child.process);
  return static_cast<int>(code);
}

}  // namespace tickreel::test

#endif
