// Plays two seconds with a recording component, and again with one that replays: both actors take the same places.
#include "TickreelRecorderComponent.h"

int LoggedErrors = 0;

static FVector place(int frame) {
  return {frame * 2.5, 100.0 - frame, 0.125 * frame * frame};
}

template <class Each>
static void play(UTickreelRecorderComponent& component, AActor& actor, Each each) {
  component.Owner = &actor;
  check(component.PrimaryComponentTick.bCanEverTick);
  component.BeginPlay();
  for (int frame = 0; frame < 120; ++frame) {
    each(frame, false);
    component.TickComponent(1.0f / 60, LEVELTICK_All, &component.PrimaryComponentTick);
    each(frame, true);
  }
  component.EndPlay(EEndPlayReason::Quit);
}

int main() {
  AActor ball;
  UTickreelRecorderComponent recorder;
  recorder.FileName = TEXT("zoë.reel");
  play(recorder, ball, [&](int frame, bool ticked) {
    if (!ticked) ball.SetActorLocationAndRotation(place(frame), FQuat(0, 0, 0.6, 0.8));
  });
  check(LoggedErrors == 0);

  AActor ghost;
  UTickreelRecorderComponent replay;
  replay.FileName = recorder.FileName;
  replay.Mode = ETickreelMode::Replay;
  int differing = 0;
  play(replay, ghost, [&](int frame, bool ticked) {
    const FVector wanted = place(frame), shown = ghost.GetActorTransform().GetLocation();
    const FQuat turned = ghost.GetActorTransform().GetRotation();
    if (ticked)
      differing += wanted.X != shown.X || wanted.Y != shown.Y || wanted.Z != shown.Z || turned.Z != 0.6;
  });
  check(LoggedErrors == 0);
  check(differing == 0);

  // The file exists: the component reports it and the game continues.
  AActor second;
  UTickreelRecorderComponent refused;
  refused.FileName = recorder.FileName;
  play(refused, second, [](int, bool) {});
  check(LoggedErrors == 1);
  // Without a name it is the actor's, and the time.
  UTickreelRecorderComponent unnamed;
  play(unnamed, second, [](int, bool) {});
  check(LoggedErrors == 1 && std::filesystem::exists("Saved/Tickreel/BP_Ball_C_1-2026.11.24-17.30.00.reel"));
  return 0;
}
