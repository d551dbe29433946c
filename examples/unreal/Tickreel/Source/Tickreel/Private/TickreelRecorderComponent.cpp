#include "TickreelRecorderComponent.h"

#include "GameFramework/Actor.h"
#include "HAL/FileManager.h"
#include "Misc/DateTime.h"
#include "Misc/Paths.h"

THIRD_PARTY_INCLUDES_START
#include "tickreel.hpp"

#include <array>
#include <chrono>
#include <optional>
THIRD_PARTY_INCLUDES_END

DEFINE_LOG_CATEGORY_STATIC(LogTickreel, Log, All);

struct FTickreelSample {
  std::array<double, 3> location{};
  std::array<double, 4> rotation{0, 0, 0, 1};
};
TICKREEL_DESCRIBE(FTickreelSample, location, rotation);
TICKREEL_DECLARE(FTickreelSample, (location, unit_name("cm")), (rotation, rotation));

struct UTickreelRecorderComponent::FState {
  std::optional<tickreel::recording<FTickreelSample>> Out;
  std::optional<tickreel::replay_of<FTickreelSample>> In;
  // The next tick to show.
  std::optional<tickreel::replayed<FTickreelSample>> Next;
  // Game time since BeginPlay(), and frames.
  double Seconds = 0;
  uint64 Frames = 0;

  void Advance(const FString& Path);
};

static void LogFailure(const FString& Path, const tickreel::error& Failure) {
  UE_LOG(LogTickreel, Error, TEXT("%s: %s"), *Path, UTF8_TO_TCHAR(tickreel::describe(Failure).c_str()));
}

void UTickreelRecorderComponent::FState::Advance(const FString& Path) {
  auto Following = In->next();
  if (!Following) LogFailure(Path, Following.error());
  Next = Following ? *Following : std::nullopt;
}

UTickreelRecorderComponent::UTickreelRecorderComponent() {
  PrimaryComponentTick.bCanEverTick = true;
  // After physics has moved the actor.
  PrimaryComponentTick.TickGroup = TG_PostPhysics;
}

void UTickreelRecorderComponent::BeginPlay() {
  Super::BeginPlay();
  check(GetOwner() != nullptr);
  State = MakePimpl<FState>();
  const FString Folder = FPaths::ConvertRelativePathToFull(FPaths::ProjectSavedDir() / TEXT("Tickreel"));
  const FString Name = FileName.IsEmpty()
                           ? GetOwner()->GetName() + TEXT("-") + FDateTime::Now().ToString() + TEXT(".reel")
                           : FileName;
  const FString Path = Folder / Name;
  if (Mode == ETickreelMode::Record) {
    IFileManager::Get().MakeDirectory(*Folder, true);
    auto Opened = tickreel::record<FTickreelSample>(TCHAR_TO_UTF8(*Path));
    if (Opened) {
      State->Out.emplace(std::move(*Opened));
    } else {
      LogFailure(Path, Opened.error());
    }
  } else {
    auto Opened = tickreel::replay<FTickreelSample>(TCHAR_TO_UTF8(*Path));
    if (Opened) {
      State->In.emplace(std::move(*Opened));
      State->Advance(Path);
    } else {
      LogFailure(Path, Opened.error());
    }
  }
}

void UTickreelRecorderComponent::TickComponent(float DeltaTime, ELevelTick TickType,
                                               FActorComponentTickFunction* ThisTickFunction) {
  Super::TickComponent(DeltaTime, TickType, ThisTickFunction);
  if (!State) return;
  if (State->Out) {
    const FTransform& Now = GetOwner()->GetActorTransform();
    const FVector At = Now.GetLocation();
    const FQuat Turned = Now.GetRotation();
    // Copies into a ring and returns; a full ring drops the tick, which the reel counts.
    State->Out->push({State->Frames++, static_cast<int64>(State->Seconds * 1e6)},
                     {{At.X, At.Y, At.Z}, {Turned.X, Turned.Y, Turned.Z, Turned.W}});
  }
  // The last tick that is not after this time.
  std::optional<FTickreelSample> Shown;
  while (State->Next && static_cast<double>(State->Next->time_us) <= State->Seconds * 1e6) {
    Shown = State->Next->state;
    State->Advance(FileName);
  }
  if (Shown) {
    GetOwner()->SetActorLocationAndRotation(
        FVector(Shown->location[0], Shown->location[1], Shown->location[2]),
        FQuat(Shown->rotation[0], Shown->rotation[1], Shown->rotation[2], Shown->rotation[3]));
  }
  State->Seconds += DeltaTime;
}

void UTickreelRecorderComponent::EndPlay(const EEndPlayReason::Type Reason) {
  if (State && State->Out) {
    const auto Report = State->Out->close();
    if (!Report) {
      LogFailure(FileName, Report.error());
    } else {
      UE_LOG(LogTickreel, Log, TEXT("%llu ticks, %llu dropped"),
             static_cast<uint64>(Report->counters.written), static_cast<uint64>(Report->counters.dropped));
    }
  }
  State.Reset();
  Super::EndPlay(Reason);
}
