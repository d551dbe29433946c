// says: tickreel: a described struct has at most 64 members
#include <tickreel/tickreel.hpp>

struct world {
  int m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0, m9 = 0, m10 = 0, m11 = 0,
      m12 = 0, m13 = 0, m14 = 0, m15 = 0, m16 = 0, m17 = 0, m18 = 0, m19 = 0, m20 = 0, m21 = 0, m22 = 0,
      m23 = 0, m24 = 0, m25 = 0, m26 = 0, m27 = 0, m28 = 0, m29 = 0, m30 = 0, m31 = 0, m32 = 0, m33 = 0,
      m34 = 0, m35 = 0, m36 = 0, m37 = 0, m38 = 0, m39 = 0, m40 = 0, m41 = 0, m42 = 0, m43 = 0, m44 = 0,
      m45 = 0, m46 = 0, m47 = 0, m48 = 0, m49 = 0, m50 = 0, m51 = 0, m52 = 0, m53 = 0, m54 = 0, m55 = 0,
      m56 = 0, m57 = 0, m58 = 0, m59 = 0, m60 = 0, m61 = 0, m62 = 0, m63 = 0, m64 = 0;
};
TICKREEL_DESCRIBE(world, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                  m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36,
                  m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54,
                  m55, m56, m57, m58, m59, m60, m61, m62, m63, m64);

auto out = tickreel::record<world>("match.reel");
