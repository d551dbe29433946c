// Records the transform of its actor once per frame into a reel in Saved/Tickreel, or replays such a reel.
#pragma once

#include "CoreMinimal.h"
#include "Components/ActorComponent.h"
#include "Templates/PimplPtr.h"

#include "TickreelRecorderComponent.generated.h"

UENUM(BlueprintType)
enum class ETickreelMode : uint8 { Record, Replay };

UCLASS(ClassGroup = (Tickreel), meta = (BlueprintSpawnableComponent))
class TICKREEL_API UTickreelRecorderComponent : public UActorComponent {
  GENERATED_BODY()

 public:
  UTickreelRecorderComponent();

  UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tickreel")
  ETickreelMode Mode = ETickreelMode::Record;

  // In Saved/Tickreel. Empty: the name of the actor and the time. A recording never overwrites a file.
  UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tickreel")
  FString FileName;

  virtual void BeginPlay() override;
  virtual void EndPlay(const EEndPlayReason::Type Reason) override;
  virtual void TickComponent(float DeltaTime, ELevelTick TickType,
                             FActorComponentTickFunction* ThisTickFunction) override;

 private:
  // Keeps tickreel.hpp out of this header.
  struct FState;
  TPimplPtr<FState> State;
};
