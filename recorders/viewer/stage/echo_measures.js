// The known dimensions of Echo VR's arena in metres: origin where the disc appears, y up, +z toward orange's
// goal; about 80 m long, 30 m wide and 20 m high, goals at |z| = 36, launch tunnels up to |z| = 78. The
// bevels of the walls and the width of the tunnels are estimates.

export const arena = {
  halfWidth: 15.5, halfHeight: 10.5, halfLength: 40, corner: 3,
  goalZ: 36, goalRadius: 1.9, threePointZ: 16, tunnelEnd: 78, tunnelHalfWidth: 4, tunnelHalfHeight: 3,
};
