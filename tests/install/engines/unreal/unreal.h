// The declarations of Unreal Engine 5 that the sample uses, with its macros that collide with ordinary names. tests/install/amalgamated
// makes the engine's headers, which include this file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>

// The standard headers of tickreel.hpp and tickreel.cpp, which the test lists: they do not compile after min and max are macros.
#include "standard_headers.h"

using uint8 = std::uint8_t;
using uint64 = unsigned long long;
using int64 = long long;
using ANSICHAR = char;
using TCHAR = char16_t;

#define TEXT(text) u##text
#define check(condition) ((condition) ? (void)0 : std::abort())
#define checkf(condition, ...) check(condition)
#define verify(condition) check(condition)
#define ensure(condition) (!!(condition))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define PI (3.1415926535897932f)
#define FORCEINLINE inline __attribute__((always_inline))
#define INDEX_NONE (-1)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define TICKREEL_API __attribute__((visibility("default")))
#define UENUM(...)
#define UCLASS(...)
#define UPROPERTY(...)
#define GENERATED_BODY() \
 private:                \
  using Super = UActorComponent;
#define THIRD_PARTY_INCLUDES_START
#define THIRD_PARTY_INCLUDES_END
#define IMPLEMENT_MODULE(type, name) type name##_module;
struct FDefaultModuleImpl {};

inline std::string utf8_of(const TCHAR* text) { return std::filesystem::path(text).string(); }
inline std::u16string utf16_of(const char* text) { return std::filesystem::path(text).u16string(); }

struct FTCHARToUTF8 {
  explicit FTCHARToUTF8(const TCHAR* text) : Text(utf8_of(text)) {}
  const ANSICHAR* Get() const { return Text.c_str(); }
  std::string Text;
};
struct FUTF8ToTCHAR {
  explicit FUTF8ToTCHAR(const char* text) : Text(utf16_of(text)) {}
  const TCHAR* Get() const { return Text.c_str(); }
  std::u16string Text;
};
#define TCHAR_TO_UTF8(text) (ANSICHAR*)FTCHARToUTF8((const TCHAR*)text).Get()
#define UTF8_TO_TCHAR(text) (TCHAR*)FUTF8ToTCHAR((const ANSICHAR*)text).Get()

class FString {
 public:
  FString() = default;
  FString(const TCHAR* text) : Text(text) {}
  const TCHAR* operator*() const { return Text.c_str(); }
  bool IsEmpty() const { return Text.empty(); }
  friend FString operator+(const FString& a, const FString& b) { return FString((a.Text + b.Text).c_str()); }
  friend FString operator/(const FString& a, const FString& b) { return FString((a.Text + u'/' + b.Text).c_str()); }

 private:
  std::u16string Text;
};

// Prints the format, and the arguments in brackets.
extern int LoggedErrors;
inline void print_argument(const TCHAR* text) { std::printf(" [%s]", utf8_of(text).c_str()); }
inline void print_argument(uint64 number) { std::printf(" [%llu]", number); }
enum class ELogLevel { Error, Log };
template <std::size_t Size, class... Arguments>
void log(ELogLevel level, const TCHAR (&format)[Size], Arguments... arguments) {
  if (level == ELogLevel::Error) ++LoggedErrors;
  std::printf("%s", utf8_of(format).c_str());
  (print_argument(arguments), ...);
  std::puts("");
}
#define DEFINE_LOG_CATEGORY_STATIC(name, ...) static struct F##name {} name
#define UE_LOG(category, level, format, ...) (void)category, log(ELogLevel::level, format, __VA_ARGS__)

struct FVector {
  FVector() = default;
  FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
  double X = 0, Y = 0, Z = 0;
};
struct FQuat {
  FQuat() = default;
  FQuat(double x, double y, double z, double w) : X(x), Y(y), Z(z), W(w) {}
  double X = 0, Y = 0, Z = 0, W = 1;
};
class FTransform {
 public:
  FVector GetLocation() const { return Location; }
  FQuat GetRotation() const { return Rotation; }
  FVector Location;
  FQuat Rotation;
};

class AActor {
 public:
  const FTransform& GetActorTransform() const { return Transform; }
  bool SetActorLocationAndRotation(FVector location, const FQuat& rotation) {
    Transform.Location = location;
    Transform.Rotation = rotation;
    return true;
  }
  FString GetName() const { return TEXT("BP_Ball_C_1"); }

 private:
  FTransform Transform;
};

enum ETickingGroup : int { TG_PrePhysics, TG_PostPhysics };
enum ELevelTick : int { LEVELTICK_All = 2 };
namespace EEndPlayReason {
enum Type : int { Destroyed, LevelTransition, EndPlayInEditor, RemovedFromWorld, Quit };
}
struct FActorComponentTickFunction {
  ETickingGroup TickGroup = TG_PrePhysics;
  uint8 bCanEverTick : 1 = false;
};
class UActorComponent {
 public:
  virtual ~UActorComponent() = default;
  virtual void BeginPlay() {}
  virtual void EndPlay(const EEndPlayReason::Type) {}
  virtual void TickComponent(float, ELevelTick, FActorComponentTickFunction*) {}
  AActor* GetOwner() const { return Owner; }
  FActorComponentTickFunction PrimaryComponentTick;
  AActor* Owner = nullptr;
};

template <class T>
class TPimplPtr {
 public:
  TPimplPtr() = default;
  explicit TPimplPtr(std::shared_ptr<T> made) : Held(std::move(made)) {}
  explicit operator bool() const { return Held != nullptr; }
  T* operator->() const { return Held.get(); }
  void Reset() { Held.reset(); }

 private:
  std::shared_ptr<T> Held;
};
template <class T>
TPimplPtr<T> MakePimpl() {
  return TPimplPtr<T>(std::make_shared<T>());
}

struct FDateTime {
  static FDateTime Now() { return {}; }
  FString ToString() const { return TEXT("2026.11.24-17.30.00"); }
};
struct FPaths {
  static FString ProjectSavedDir() { return TEXT("Saved"); }
  static FString ConvertRelativePathToFull(const FString& path) { return path; }
};
struct IFileManager {
  static IFileManager& Get() {
    static IFileManager only;
    return only;
  }
  bool MakeDirectory(const TCHAR* path, bool) { return std::filesystem::create_directories(path); }
};
