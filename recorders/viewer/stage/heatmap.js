// Heat maps of positions, seen from above: as a picture (canvas) and as SVG text for saving.
//
//   createPicture("heatmap", data, options) -> { svg(), canvas, notes, axes, placeAt(x, y) }
//
// axes: which of x, y, z are across and up; placeAt: the place on the ground at a pixel of the picture
//
// data: positions() of a recording: { players: [{name, team}], samples: [[tick, player, x, y, z], ...] }
// options: colours, width (pixels), text (its height; default: by the width), bins (along the longer side), title,
//          players (names), team ("blue"), from, to (ticks, both included), view ("top": x and z, or "side": z and y),
//          blur (bins to each side over which a visit is spread; 2),
//          zone ({left, right, low, high} on the ground, outlined),
//          ground ("arena", "plane"; default: the data's extent), flat: true if y is on the ground (x and y)

import { coloursFor, heatText } from './colours.js';
import { arena } from './echo_measures.js';
import { escapeXml, tidyName } from './text.js';

const maxBins = 400;
const maxSamples = 2_000_000;
const maxBlur = 8;
const shades = 24; // number of colours: neighbours of the same colour become one rectangle

export function createPicture(kind, data, options = {}) {
  if (kind !== 'heatmap') throw new Error(`There is no picture of the kind ${tidyName(kind)}.`);
  const colours = coloursFor(options.colours?.name ?? options.colours);
  const heat = binPositions(data, options);
  const layout = lay(heat, options);
  let canvas = null;
  return {
    notes: heat.notes,
    axes: axes(options),
    placeAt: (x, y) => placeAt(heat, layout, x, y),
    svg: () => svgOf(heat, layout, colours, options),
    get canvas() {
      return (canvas ??= canvasOf(heat, layout, colours, options));
    },
  };
}

// The selected samples, their positions, and the number of visits of each bin.
export function binPositions(data, options = {}) {
  const players = Array.isArray(data?.players) ? data.players : [];
  const samples = Array.isArray(data?.samples) ? data.samples : [];
  const names = options.players ? new Set(options.players) : null;
  const wanted = players.map((p) => (!names || names.has(p?.name)) && (!options.team || p?.team === options.team));
  const from = options.from ?? -Infinity;
  const to = options.to ?? Infinity;
  const [across, up] = axes(options);
  const taken = [];
  let unreadable = 0;
  const bounds = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (let i = 0; i < Math.min(samples.length, maxSamples); ++i) {
    const s = samples[i];
    if (!Array.isArray(s) || !(s[0] >= from && s[0] <= to)) continue;
    if (players.length > 0 ? !wanted[s[1]] : names || options.team) continue;
    const x = s[2 + across];
    const y = s[2 + up];
    if (!(Math.abs(x) < 1e7 && Math.abs(y) < 1e7)) {
      ++unreadable;
      continue;
    }
    taken.push(x, y);
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.low = Math.min(bounds.low, y);
    bounds.high = Math.max(bounds.high, y);
  }
  const frame = frameOf(bounds, options, taken.length > 0);
  return {
    ...count(taken, frame, options),
    frame,
    samples: taken.length / 2,
    notes: tell(taken.length / 2, unreadable, samples.length),
  };
}

function tell(taken, unreadable, all) {
  const notes = [];
  if (taken === 0) notes.push('No position matches the selection.');
  if (unreadable > 0) notes.push(`${unreadable} positions are not numbers and were skipped.`);
  if (all > maxSamples) notes.push(`Only the first ${maxSamples} of ${all} positions were counted.`);
  return notes;
}

// Which of x, y, z is horizontal and which vertical.
/** @param {{view?: string, flat?: boolean}} options */
function axes({ view, flat }) {
  if (flat) return [0, 1];
  return view === 'side' ? [2, 1] : [2, 0];
}

/** @param {any} bounds @param {{ground?: string, view?: string, flat?: boolean}} options @param {boolean} any */
function frameOf(bounds, { ground, view, flat }, any) {
  if (ground === 'arena' && !flat) {
    const side = view === 'side' ? arena.halfHeight : arena.halfWidth;
    return { left: -arena.halfLength, right: arena.halfLength, low: -side, high: side };
  }
  if (!any) return { left: 0, right: 1, low: 0, high: 1 };
  const margin = Math.max(1e-3, (bounds.right - bounds.left) * 0.03, (bounds.high - bounds.low) * 0.03);
  return {
    left: bounds.left - margin,
    right: bounds.right + margin,
    low: bounds.low - margin,
    high: bounds.high + margin,
  };
}

function count(taken, { left, right, low, high }, options) {
  const asked = Math.round(options.bins ?? 120);
  const bins = Math.max(2, Math.min(maxBins, Number.isFinite(asked) ? asked : 120));
  const size = Math.max(right - left, high - low) / bins;
  const columns = Math.max(1, Math.ceil((right - left) / size - 1e-9));
  const rows = Math.max(1, Math.ceil((high - low) / size - 1e-9));
  const counts = new Uint32Array(columns * rows);
  let outside = 0;
  let most = 0;
  for (let i = 0; i < taken.length; i += 2) {
    const c = Math.floor((taken[i] - left) / size);
    const r = Math.floor((taken[i + 1] - low) / size);
    if (c < 0 || c >= columns || r < 0 || r >= rows) {
      ++outside;
      continue;
    }
    most = Math.max(most, ++counts[r * columns + c]);
  }
  return { counts, columns, rows, most, outside, heat: spread(counts, columns, rows, options.blur ?? 2) };
}

// A visit also counts for its neighbours: single ticks would be scattered dots. Three passes of a running
// mean, each along rows and columns, approximate a Gaussian.
function spread(counts, columns, rows, blur) {
  const reach = Math.max(0, Math.min(maxBlur, Math.round(Number.isFinite(blur) ? blur : 2)));
  let from = Float32Array.from(counts);
  let to = new Float32Array(counts.length);
  for (let pass = 0; pass < (reach > 0 ? 3 : 0); ++pass) {
    for (const [lines, length, next, step] of [
      [rows, columns, columns, 1],
      [columns, rows, 1, columns],
    ]) {
      for (let line = 0; line < lines; ++line) mean(from, to, line * next, length, step, reach);
      [from, to] = [to, from];
    }
  }
  return from;
}

function mean(from, to, start, length, step, reach) {
  let sum = 0;
  for (let i = -reach; i < length; ++i) {
    if (i + reach < length) sum += from[start + (i + reach) * step];
    if (i - reach - 1 >= 0) sum -= from[start + (i - reach - 1) * step];
    if (i >= 0) to[start + i * step] = Math.max(0, sum) / (2 * reach + 1);
  }
}

const strokes = { line: 1, text: 2 };

// Pixels: the ground with a title above it and a legend below.
function lay({ columns, rows }, options) {
  const asked = Math.round(options.width ?? 900);
  const width = Math.max(120, Math.min(8192, Number.isFinite(asked) ? asked : 900));
  const text = Math.round(options.text ?? Math.max(12, width / 70));
  const margin = text;
  const scale = Math.min((width - 2 * margin) / columns, (width * 1.5) / rows);
  const top = margin + text * 2;
  return {
    width,
    height: Math.ceil(top + rows * scale + text * 4.5 + margin),
    text,
    margin,
    scale,
    top,
    left: (width - columns * scale) / 2,
  };
}

// A few places have long visits and most have short ones: the square root shows both.
const shadeOf = (n, most) => Math.round(Math.sqrt(n / most) * shades);

// Calls `paint(column, row, length, shade)` for each run of equal bins, from the top row.
function eachRun({ heat, columns, rows }, paint) {
  let most = 1e-9;
  for (const value of heat) most = Math.max(most, value);
  for (let r = rows - 1; r >= 0; --r) {
    for (let c = 0; c < columns;) {
      const shade = shadeOf(heat[r * columns + c], most);
      let end = c + 1;
      while (end < columns && shadeOf(heat[r * columns + end], most) === shade) ++end;
      if (shade > 0) paint(c, rows - 1 - r, end - c, shade);
      c = end;
    }
  }
}

function words(heat, options) {
  const title = tidyName(options.title ?? 'Where players were', 80);
  const outside = heat.outside > 0 ? `, ${heat.outside} outside the picture` : '';
  return { title, legend: `${heat.samples} positions${outside}`, often: `often (${heat.most})` };
}

function placeAt({ frame, columns, rows }, { left, top, scale }, x, y) {
  const share = (value) => Math.min(1, Math.max(0, value));
  return [
    frame.left + share((x - left) / (columns * scale)) * (frame.right - frame.left),
    frame.high - share((y - top) / (rows * scale)) * (frame.high - frame.low),
  ];
}

// The zone, the goals of the arena and its middle line, in pixels: [x, y, x, y, what].
function marks(heat, { left, top, scale }, options) {
  const { frame, columns, rows } = heat;
  const x = (v) => left + ((v - frame.left) / (frame.right - frame.left)) * columns * scale;
  const y = (v) => top + (1 - (v - frame.low) / (frame.high - frame.low)) * rows * scale;
  const out = [];
  if (options.zone) {
    const { left: l, right: r, low, high } = options.zone;
    const corners = [
      [l, low],
      [r, low],
      [r, high],
      [l, high],
    ];
    corners.forEach(([x1, y1], i) => {
      const [x2, y2] = corners[(i + 1) % 4];
      out.push([x(x1), y(y1), x(x2), y(y2), 'text']);
    });
  }
  if (options.ground !== 'arena' || options.flat) return out;
  const { goalZ: z, goalRadius: r } = arena;
  return [
    ...out,
    [x(0), y(frame.low), x(0), y(frame.high), 'line'],
    [x(-z), y(-r), x(-z), y(r), 'blue'],
    [x(z), y(-r), x(z), y(r), 'orange'],
  ];
}

function svgOf(heat, layout, colours, options) {
  const { width, height, text, left, top, scale, margin } = layout;
  const { title, legend, often } = words(heat, options);
  const n = (v) => String(Math.round(v * 100) / 100);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
      `${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${colours.background}"/>`,
    `<text x="${n(margin)}" y="${n(margin + text)}" font-size="${n(text * 1.2)}" font-weight="600" ` +
      `fill="${colours.text}">${escapeXml(title)}</text>`,
    `<rect x="${n(left)}" y="${n(top)}" width="${n(heat.columns * scale)}" height="${n(heat.rows * scale)}" ` +
      `fill="${colours.wall}" stroke="${colours.line}"/>`,
    `<g shape-rendering="crispEdges">`,
  ];
  eachRun(heat, (c, r, length, shade) => {
    out.push(
      `<rect x="${n(left + c * scale)}" y="${n(top + r * scale)}" width="${n(length * scale)}" ` +
        `height="${n(scale)}" fill="${heatText(shade / shades, colours)}"/>`,
    );
  });
  out.push('</g>');
  for (const [x1, y1, x2, y2, what] of marks(heat, layout, options)) {
    out.push(
      `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${colours[what]}" ` +
        `stroke-width="${strokes[what] ?? 5}"/>`,
    );
  }
  const y = top + heat.rows * scale + text * 1.8;
  const say = (what, x, line) =>
    out.push(
      `<text x="${n(x)}" y="${n(line)}" font-size="${n(text)}" fill="${colours.quiet}">${escapeXml(what)}</text>`,
    );
  say(legend, margin, y);
  const bar = margin + 4 * text;
  const below = y + text * 1.6;
  say('seldom', margin, below);
  for (let i = 0; i < 12; ++i) {
    out.push(
      `<rect x="${n(bar + i * text)}" y="${n(below - text)}" width="${n(text)}" height="${n(text)}" ` +
        `fill="${heatText((i + 1) / 12, colours)}"/>`,
    );
  }
  say(often, bar + 12.5 * text, below);
  out.push('</svg>');
  return out.join('\n');
}

function canvasOf(heat, layout, colours, options) {
  const { width, height, text, left, top, scale, margin } = layout;
  const { title, legend, often } = words(heat, options);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', title);
  const pen = canvas.getContext('2d');
  const box = (x, y, w, h, fill) => {
    pen.fillStyle = fill;
    pen.fillRect(x, y, w, h);
  };
  const write = (what, x, y, fill, font) => {
    pen.fillStyle = fill;
    pen.font = `${font} system-ui, sans-serif`;
    pen.fillText(what, x, y);
  };
  box(0, 0, width, height, colours.background);
  write(title, margin, margin + text, colours.text, `600 ${text * 1.2}px`);
  box(left, top, heat.columns * scale, heat.rows * scale, colours.wall);
  // Edges on whole pixels: no seams between neighbours.
  eachRun(heat, (c, r, length, shade) => {
    const [x1, x2] = [c, c + length].map((v) => Math.round(left + v * scale));
    const [y1, y2] = [r, r + 1].map((v) => Math.round(top + v * scale));
    box(x1, y1, x2 - x1, y2 - y1, heatText(shade / shades, colours));
  });
  for (const [x1, y1, x2, y2, what] of marks(heat, layout, options)) {
    pen.strokeStyle = colours[what];
    pen.lineWidth = strokes[what] ?? 5;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }
  const y = top + heat.rows * scale + text * 1.8;
  const bar = margin + 4 * text;
  const below = y + text * 1.6;
  write(legend, margin, y, colours.quiet, `${text}px`);
  write('seldom', margin, below, colours.quiet, `${text}px`);
  for (let i = 0; i < 12; ++i) box(bar + i * text, below - text, text + 0.5, text, heatText((i + 1) / 12, colours));
  write(often, bar + 12.5 * text, below, colours.quiet, `${text}px`);
  return canvas;
}
