// The round length (1, 2 or 5 times a power of ten) of which about `parts` fit into `length`.
export function roundStep(length, parts) {
  const raw = Math.max(1e-9, length / parts);
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}
