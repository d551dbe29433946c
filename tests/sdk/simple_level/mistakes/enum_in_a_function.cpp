// says: tickreel: TICKREEL_DESCRIBE_ENUM must be at namespace level, not in a function
#include <tickreel/tickreel.hpp>

int main() {
  enum class mood { calm = 100 };
  TICKREEL_DESCRIBE_ENUM(mood, calm);
  return 0;
}
