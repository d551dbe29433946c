// The known measures of Echo VR's arena in metres: origin where the disc appears, y up, +z toward orange's goal; about
// 80 m long, 30 m wide and 20 m high, goals at |z| = 36, launch tunnels that reach to |z| = 78. How the walls are
// bevelled and how wide the tunnels are is nobody's measure but this picture's.

export const arena = {
  halfWidth: 15.5,
  halfHeight: 10.5,
  halfLength: 40,
  corner: 3,
  goalZ: 36,
  goalRadius: 1.9,
  threePointZ: 16,
  tunnelEnd: 78,
  tunnelHalfWidth: 4,
  tunnelHalfHeight: 3,
};
