// Colours that are distinguishable for the colour-blind (after Okabe and Ito), for light and dark pages.
// Nothing depends on colour alone: teams have names, stunned and possessing players a mark.

const dark = {
  name: "dark",
  background: "#11161d",
  wall: "#22303e",
  line: "#4a5b6c",
  faint: "#2a3744",
  text: "#e8edf2",
  quiet: "#9fb0c0",
  plate: "rgba(10,14,19,0.78)",
  neutral: "#8fa0af",
  disc: "#f7d34a",
  stunned: "#f0e442",
  blue: "#56b4e9",
  orange: "#e69f00",
  spectators: "#9aa7b3",
  groups: ["#56b4e9", "#e69f00", "#2cc295", "#f0e442", "#dd92bb", "#ff7a45", "#b9a7ff", "#c9d3dc"],
};

const light = {
  name: "light",
  background: "#eef1f4",
  wall: "#e0e6ec",
  line: "#8796a5",
  faint: "#cbd5de",
  text: "#17202a",
  quiet: "#4d5c6b",
  plate: "rgba(255,255,255,0.82)",
  neutral: "#6b7a88",
  disc: "#6b5200",
  stunned: "#7a5c00",
  blue: "#0072b2",
  orange: "#c24e00",
  spectators: "#5d6a76",
  groups: ["#0072b2", "#c24e00", "#00785a", "#7a5c00", "#a0437a", "#8c1d04", "#5b45b0", "#4a5763"],
};

// `wanted` is "light", "dark", or any other value for the system's preference.
export function coloursFor(wanted) {
  if (wanted === "light") return light;
  if (wanted === "dark") return dark;
  const asked = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  return asked?.matches ? dark : light;
}

export function teamColour(colours, team) {
  if (team === 0) return colours.blue;
  if (team === 1) return colours.orange;
  return colours.spectators;
}

// One colour per group for the lifetime of a stage, in order of first occurrence.
export class GroupColours {
  #known = new Map();
  constructor(colours) {
    this.colours = colours;
  }
  of(group) {
    if (group === null || group === undefined || group === "") return this.colours.neutral;
    let at = this.#known.get(group);
    if (at === undefined) {
      // A malicious recording may have a group for each of a million entities.
      if (this.#known.size >= 4096) return this.colours.neutral;
      at = this.#known.size;
      this.#known.set(group, at);
    }
    return this.colours.groups[at % this.colours.groups.length];
  }
  names() {
    return [...this.#known.keys()];
  }
}

// From slow to fast, or from rare to frequent: brightness increases monotonically, so that it is readable
// without hue.
const ramp = [
  [68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];

// Writes red, green and blue, each 0 to 1, for `share` (0 to 1) into `out` at `at`. The end of the ramp that
// is close to the page's background is not used.
export function rampInto(share, colours, out, at) {
  const clean = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  mix((colours.name === "dark" ? 0.25 + 0.75 * clean : 0.88 * clean) * (ramp.length - 1), out, at);
}

function mix(place, out, at) {
  const low = Math.min(ramp.length - 2, Math.floor(place));
  const part = place - low;
  for (let i = 0; i < 3; ++i) out[at + i] = (ramp[low][i] + (ramp[low + 1][i] - ramp[low][i]) * part) / 255;
}

const rgb = [0, 0, 0];
const hex = () => `#${rgb.map((v) => Math.round(v * 255).toString(16).padStart(2, "0")).join("")}`;

export function rampText(share, colours) {
  rampInto(share, colours, rgb, 0);
  return hex();
}

// For areas: rare values are close to the page's background, so on a light page frequent values are dark.
export function heatText(share, colours) {
  const clean = Math.min(1, Math.max(0, share));
  mix((colours.name === "dark" ? 0.08 + 0.92 * clean : 0.97 * (1 - clean)) * (ramp.length - 1), rgb, 0);
  return hex();
}
