// Draws the timeline: scale, score and possession, events, gaps, keyframes and notes, into one picture. The cost
// depends on its columns of pixels, not on the amount of data.
import { eachColumn, firstAbove, GapIndex } from './density.js';
import { shapePath, teamColours } from './kinds.js';
import { pinOf } from './sentences.js';
import { shownText, timeText } from './text.js';

// Narrower gaps are shown only in the strip of gaps.
const wideGap = 4;
const gapStrip = 6;
const keyframeStrip = 5;
const maxPins = 400;

function stepsOf(max) {
  for (const step of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]) if (max / step <= 10) return step;
  return 14_400;
}

// What the lanes show of an overview, as times: converted once, not for every picture. `count` lanes are needed.
export function contentOf(overview, recording) {
  const timeOf = (tick) => recording.timeOf(tick);
  const score = (overview.score ?? []).map(([tick, blue, orange]) => [timeOf(tick), blue, orange]);
  const changes = overview.possession ?? [];
  const { keyframes = [] } = overview;
  // Where every tick is one, marks would be a comb without a meaning.
  const isComb = keyframes.length * 2 > recording.lastTick - recording.firstTick;
  return {
    gaps: new GapIndex(overview.gaps ?? []),
    score,
    possession: {
      from: Float64Array.from(changes, ([tick]) => timeOf(tick)),
      who: changes.map(([, who]) => who),
    },
    keyframes: Float64Array.from(isComb ? [] : keyframes, timeOf),
    count: 1 + Number(score.length > 0) + Number(changes.length > 0),
  };
}

// Returns the marks of events, for the pointer: {x, y, event, more}. `paint` says where and in which colours to draw,
// `lanes` what; the scale is `scale` pixels high.
export function drawLanes(paint, scale, lanes) {
  const { high } = paint;
  drawScale(lanes, paint, scale);
  if (lanes.zoomed) drawOverview(lanes, paint, scale);
  let top = scale;
  const bottom = high - keyframeStrip - gapStrip - 4;
  const lane = (bottom - scale) / (lanes.count + Number(lanes.hasFights));
  if (lanes.score.length) {
    drawScore(lanes, paint, top + 2, lane - 4);
    top += lane;
  }
  if (lanes.possession.who.length) {
    drawPossession(lanes, paint, top + lane * 0.25, lane * 0.5);
    top += lane;
  }
  const labels = [];
  const marks = [];
  if (lanes.hasFights) {
    drawFights(lanes, paint, top + lane / 2, lane / 2, { marks, labels });
    top += lane;
  }
  drawGaps(lanes, paint, scale, bottom);
  drawEvents(lanes, paint, top, lane, { marks, labels });
  drawPins(paint, labels, scale);
  drawKeyframes(lanes, paint, high - keyframeStrip - 1, keyframeStrip);
  drawNotes(lanes, paint, scale);
  drawDifference(lanes, paint, 0, high);
  return marks;
}

function drawScale(lanes, { context, wide, colour, font, from, to }, high) {
  const { firstTimeMs } = lanes.recording;
  const begin = (from - firstTimeMs) / 1000;
  const seconds = (to - from) / 1000;
  const step = Math.max(stepsOf((seconds * 600) / wide), 0.1) / (seconds > 0 && seconds < 2 ? 2 : 1);
  context.font = font;
  context.fillStyle = colour('--soft');
  context.strokeStyle = colour('--line');
  context.textBaseline = 'top';
  for (let at = Math.ceil(begin / step) * step; at <= begin + seconds; at += step) {
    const x = Math.round((seconds > 0 ? (at - begin) / seconds : 0) * wide) + 0.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, high - 2);
    context.stroke();
    const text = timeText(at * 1000, step < 1 ? 1 : 0);
    if (x + context.measureText(text).width + 4 < wide) context.fillText(text, x + 3, 1);
  }
}

// Shows which part of the whole is visible.
function drawOverview(lanes, { context, wide, colour, from, to }, bottom) {
  const { firstTimeMs } = lanes.recording;
  const all = Math.max(1, (lanes.end ?? lanes.recording.lastTimeMs) - firstTimeMs);
  context.fillStyle = colour('--line');
  context.fillRect(0, bottom - 4, wide, 3);
  context.fillStyle = colour('--accent');
  context.fillRect(((from - firstTimeMs) / all) * wide, bottom - 4, Math.max(4, ((to - from) / all) * wide), 3);
}

function drawScore(lanes, { context, wide, until, colour, font, from, to }, top, high) {
  const seen = lanes.score.filter(([ms]) => ms <= until);
  const most = Math.max(1, ...seen.map(([, blue, orange]) => Math.max(blue, orange)));
  const colours = teamColours();
  for (const { team, at, dashes } of [
    { team: 'blue', at: 1, dashes: [] },
    { team: 'orange', at: 2, dashes: [5, 3] },
  ]) {
    context.strokeStyle = colours[team];
    context.lineWidth = 2;
    context.setLineDash(dashes);
    context.beginPath();
    let y = top + high - 1;
    let begun = false;
    for (const row of seen) {
      const next = top + 1 + (1 - row[at] / most) * (high - 2);
      if (row[0] <= from) {
        y = next;
        continue;
      }
      if (row[0] > to) break;
      if (!begun) context.moveTo(0, y);
      begun = true;
      const x = lanes.share(row[0]) * wide;
      context.lineTo(x, y);
      y = next;
      context.lineTo(x, y);
    }
    if (!begun) context.moveTo(0, y);
    context.lineTo(lanes.share(Math.min(until, to)) * wide, y);
    context.stroke();
  }
  context.setLineDash([]);
  context.lineWidth = 1;
  context.font = font;
  context.fillStyle = colour('--soft');
  context.textBaseline = 'top';
  context.fillText('score', 4, top);
}

function drawPossession(lanes, { context, wide, from, to, columns }, top, high) {
  const { from: changes, who } = lanes.possession;
  const colours = teamColours();
  const column = (to - from) / columns;
  for (let at = Math.max(0, firstAbove(changes, from) - 1); at < changes.length && changes[at] <= to;) {
    const begin = Math.max(from, changes[at]);
    const end = Math.min(to, at + 1 < changes.length ? changes[at + 1] : to);
    const colour = colours[who[at]];
    if (colour && end > begin) {
      context.fillStyle = colour;
      const x = lanes.share(begin) * wide;
      // The teams' halves also differ in height.
      context.fillRect(
        x,
        who[at] === 'blue' ? top : top + high / 2,
        Math.max(1, lanes.share(end) * wide - x),
        high / 2,
      );
    }
    // Of several changes in one column one is drawn.
    at = end - begin < column ? Math.max(at + 1, firstAbove(changes, begin + column, at) - 1) : at + 1;
  }
}

// Blocks, higher where more was lost; those that meet on the screen are one.
function drawFights({ fights }, { context, wide, columns, colour, from, to }, top, high, { marks, labels }) {
  const runs = fights.runs(from, to, columns).map((run) => ({
    ...run,
    lost: fights.list.slice(run.first, run.first + run.count).reduce((sum, { count }) => sum + count, 0),
  }));
  const most = Math.max(...runs.map(({ lost }) => lost));
  context.fillStyle = colour('--disc');
  for (const { from: begin, to: end, lost, count, first } of runs) {
    const x = (begin / columns) * wide;
    const broad = Math.max(3, ((end - begin) / columns) * wide);
    const tall = Math.max(3, high * Math.sqrt(lost / most));
    context.fillRect(x, top + high - tall, broad, tall);
    marks.push({ x: x + broad / 2, y: top + high - tall / 2, event: fights.list[first], more: count });
    const text = `${count > 1 ? `${count} fights` : 'fight'}: ${lost} lost`;
    labels.push({ x, y: top + high - tall, text, team: null, worth: lost });
  }
}

// Few events of a kind are drawn as marks, many as a band that is darker where they are denser.
function drawEvents(
  lanes,
  { context, wide, from, to, until, columns, colour, markSize },
  top,
  high,
  { marks, labels },
) {
  if (!lanes.kinds) return;
  const kinds = lanes.kinds.list.filter((kind) => kind.shown);
  const rows = Math.max(1, Math.min(kinds.length, Math.floor(high / (markSize * 2))));
  const tall = high / rows;
  const spots = Math.max(1, Math.floor(columns / (markSize * 2)));
  context.strokeStyle = colour('--paper');
  kinds.forEach((kind, number) => {
    const y = top + ((number % rows) + 0.5) * tall;
    const tint = lanes.kinds.colour(kind);
    context.fillStyle = tint;
    let used = 0;
    eachColumn(kind.times, from, to, spots, () => ++used);
    const first = firstAbove(kind.times, from - 1e-6);
    const many = firstAbove(kind.times, to, first) - first;
    if (many > spots && used > spots * 0.4) {
      const most = many / used;
      eachColumn(kind.times, from, to, columns, (at, begin, end) => {
        context.globalAlpha = Math.min(1, 0.35 + (0.45 * (end - begin)) / Math.max(1, (most * spots) / columns));
        context.fillRect((at / columns) * wide, y - markSize, wide / columns, markSize * 2);
      });
      context.globalAlpha = 1;
      eachColumn(kind.times, from, to, spots, (at, begin, end) =>
        marks.push({ x: ((at + 0.5) / spots) * wide, y, event: kind.events[begin], more: end - begin }),
      );
      return;
    }
    // A thousand marks at one place look like one.
    eachColumn(kind.times, from, to, columns, (at, begin, end) => {
      const event = kind.events[begin];
      const x = Math.min(wide - markSize - 1, Math.max(markSize + 1, lanes.share(event.time_ms) * wide));
      context.fillStyle = tint;
      const path = shapePath(kind.shape, x, y, markSize);
      context.fill(path);
      context.stroke(path);
      marks.push({ x, y, event, more: end - begin });
    });
  });
  lanes.pins.forEach(
    ({ times, events, kind }) =>
      kind.shown &&
      eachColumn(times, from, to, spots, (at, begin) => {
        if (labels.length < maxPins && times[begin] <= until)
          labels.push({ x: lanes.share(times[begin]) * wide, y: top, worth: 0, ...pinOf(events[begin], lanes.nameOf) });
      }),
  );
}

// Decisive events have a label if there is room, the largest fights first.
function drawPins({ context, wide, colour, font }, pins, top) {
  const colours = teamColours();
  context.font = font;
  context.textBaseline = 'top';
  pins.sort((a, b) => b.worth - a.worth || a.x - b.x);
  const taken = [];
  for (const { x, y, team } of pins) {
    context.strokeStyle = colours[team] ?? colour('--soft');
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, top + 2);
    context.lineTo(Math.round(x) + 0.5, y);
    context.stroke();
  }
  for (const { x, text } of pins) {
    const shown = shownText(text, 40);
    const broad = context.measureText(shown).width;
    const at = x + 4 + broad > wide ? x - 4 - broad : x + 4;
    if (at < 0 || taken.some(([from, to]) => at < to + 8 && from < at + broad + 8)) continue;
    taken.push([at, at + broad]);
    context.fillStyle = colour('--raised');
    context.fillRect(at - 2, top, broad + 4, parseFloat(font) * 1.25);
    context.fillStyle = colour('--ink');
    context.fillText(shown, at, top + 1);
  }
}

// A strip shows the fraction of missing time; wide gaps are also hatched over the lanes.
function drawGaps(lanes, { context, wide, columns, colour, from, to }, top, bottom) {
  const bad = colour('--bad');
  const runs = lanes.gaps.runs(from, to, columns);
  const hatched = new Path2D();
  const clip = new Path2D();
  let any = false;
  context.fillStyle = bad;
  for (const run of runs) {
    const x = (run.from / columns) * wide;
    const broad = ((run.to - run.from) / columns) * wide;
    context.globalAlpha = 0.4 + 0.6 * run.share;
    context.fillRect(x, bottom + 2, Math.max(1.5, broad), gapStrip);
    if (broad < wideGap || run.share < 0.7) continue;
    any = true;
    clip.rect(x, top, broad, bottom - top);
  }
  context.globalAlpha = 1;
  if (!any) return;
  for (let at = -(bottom - top); at < wide; at += 6) {
    hatched.moveTo(at, bottom);
    hatched.lineTo(at + (bottom - top), top);
  }
  context.save();
  context.clip(clip);
  context.strokeStyle = bad;
  context.lineWidth = 1.5;
  context.stroke(hatched);
  context.restore();
  context.strokeStyle = bad;
  context.stroke(clip);
}

function drawNotes(lanes, { context, wide, colour, from, to, until, markSize }, bottom) {
  context.fillStyle = colour('--disc');
  for (const tick of lanes.notes) {
    const ms = lanes.recording.timeOf(tick);
    if (ms < from || ms > to || ms > until) continue;
    context.fillRect(lanes.share(ms) * wide - markSize / 2, bottom - markSize * 2, markSize, markSize * 2);
  }
}

// The first difference of two recordings.
function drawDifference(lanes, { context, wide, colour, font }, top, bottom) {
  if (lanes.difference === null) return;
  const x = Math.round(lanes.share(lanes.recording.timeOf(lanes.difference)) * wide) + 0.5;
  context.strokeStyle = context.fillStyle = colour('--ink');
  context.setLineDash([2, 2]);
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, bottom);
  context.stroke();
  context.setLineDash([]);
  context.font = font;
  const text = 'first difference';
  const broad = context.measureText(text).width;
  const at = x + broad + 6 > wide ? x - broad - 4 : x + 4;
  // Drawn above everything else.
  context.fillStyle = colour('--raised');
  context.fillRect(at - 2, top + 1, broad + 4, 1.2 * parseFloat(font));
  context.fillStyle = colour('--ink');
  context.fillText(text, at, top + 2);
}

function drawKeyframes(lanes, { context, wide, columns, colour, from, to }, top, high) {
  context.fillStyle = colour('--soft');
  const spots = Math.max(1, Math.floor(columns / 3));
  eachColumn(lanes.keyframes, from, to, spots, (at) => context.fillRect(Math.round((at / spots) * wide), top, 1, high));
}
