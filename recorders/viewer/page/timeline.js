// The whole recording as lanes: score and possession, events, gaps and keyframes; and the cursor over them.
import { make, seldom } from './dom.js';
import { eventText, onTheme, shapePath, teamColours } from './kinds.js';
import { timeText, wordsOf } from './text.js';

function stepsOf(max) {
  for (const step of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]) if (max / step <= 10) return step;
  return 14_400;
}

export class Timeline {
  #recording;
  #player;
  #canvas;
  #hand;
  #handAt = '';
  #wide = 0;
  #tip;
  #overview = null;
  #events = [];
  #kinds = null;
  #nameOf = () => undefined;
  #marks = [];
  #drawn = 0;
  spoilerFree = false;
  difference = null;

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    this.#canvas = make('canvas', { class: 'lanes' });
    this.#hand = make('div', { class: 'hand' });
    this.#tip = make('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
    this.element = make('div', {
      class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'Timeline', 'aria-valuemin': '0',
    }, this.#canvas, this.#hand, this.#tip);
    this.element.addEventListener('pointerdown', (event) => this.#press(event));
    this.element.addEventListener('pointermove', (event) => this.#point(event));
    this.element.addEventListener('pointerleave', () => (this.#tip.hidden = true));
    new ResizeObserver(() => {
      this.redraw();
      this.#follow();
    }).observe(this.element);
    onTheme(() => this.redraw(), player.gone);
    player.onchange(() => this.#follow());
    this.#follow();
  }

  show({ overview, events, kinds, nameOf }) {
    if (overview) this.#overview = overview;
    this.#events = events ?? this.#events;
    this.#kinds = kinds ?? this.#kinds;
    this.#nameOf = nameOf ?? this.#nameOf;
    const lanes = 1 + (this.#overview?.score?.length > 0) + (this.#overview?.possession?.length > 0);
    this.element.style.setProperty('--lanes', String(lanes));
    this.redraw();
    this.#follow();
  }

  #share(ms) {
    const { firstTimeMs } = this.#recording;
    return this.#player.duration > 0 ? Math.min(1, Math.max(0, (ms - firstTimeMs) / this.#player.duration)) : 0;
  }

  #timeAt(clientX) {
    const box = this.element.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / Math.max(1, box.width)));
    return this.#recording.firstTimeMs + share * this.#player.duration;
  }

  #press(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    const near = this.#near(event);
    if (near) this.#player.seekTick(near.event.tick);
    else this.#player.seekTime(this.#timeAt(event.clientX));
    const drag = (moved) => this.#player.seekTime(this.#timeAt(moved.clientX));
    this.element.addEventListener('pointermove', drag);
    const end = () => this.element.removeEventListener('pointermove', drag);
    this.element.addEventListener('lostpointercapture', end, { once: true });
  }

  #near({ clientX, clientY }) {
    const box = this.element.getBoundingClientRect();
    let best = null;
    let away = 9;
    for (const mark of this.#marks) {
      const distance = Math.hypot(mark.x - (clientX - box.left), mark.y - (clientY - box.top));
      if (distance < away) [best, away] = [mark, distance];
    }
    return best;
  }

  #point(event) {
    const near = this.#near(event);
    const ms = near ? near.event.time_ms : this.#timeAt(event.clientX);
    const gap = near ? null : this.#shownGaps().find(({ tick, time_ms: from, until_ms: until }) => tick !== undefined && from <= ms && ms <= Math.max(until, from));
    const clock = this.#recording.clockOf(this.#recording.tickAt(ms));
    const words = [timeText(ms - this.#recording.firstTimeMs, 1)];
    if (clock !== null) words.push(`clock ${timeText(clock * 1000, 0)}`);
    if (near) words.push(wordsOf(near.event.type), eventText(near.event, this.#nameOf));
    if (gap) words.push(gap.sentence ?? 'ticks are missing here');
    this.#tip.textContent = words.filter(Boolean).join(' \u00b7 ');
    this.#tip.hidden = false;
    const box = this.element.getBoundingClientRect();
    const half = this.#tip.offsetWidth / 2;
    const x = Math.min(box.width - half, Math.max(half, event.clientX - box.left));
    this.#tip.style.transform = `translate(${x - half}px, -100%)`;
  }

  // Of two ends of what is seen: everything, or what the cursor has passed.
  #seenUntil() {
    return this.spoilerFree ? this.#player.timeMs : Infinity;
  }

  #shownGaps() {
    return (this.#overview?.gaps ?? []).filter((gap) => gap.time_ms <= this.#seenUntil());
  }

  #follow() {
    const player = this.#player;
    // By whole dots of the screen: what has not moved is not drawn again.
    const dots = window.devicePixelRatio || 1;
    const at = `translateX(${Math.round(this.#share(player.timeMs) * this.#wide * dots) / dots}px)`;
    if (at !== this.#handAt) this.#hand.style.transform = this.#handAt = at;
    this.#tellPlace();
    // What was hidden comes as the cursor goes.
    if (this.spoilerFree && performance.now() - this.#drawn > 100) this.redraw();
  }

  // For who hears the page instead of seeing it.
  #tellPlace = seldom(250, () => {
    const { timeMs, duration } = this.#player;
    const gone = timeMs - this.#recording.firstTimeMs;
    this.element.setAttribute('aria-valuemax', String(Math.round(duration / 1000)));
    this.element.setAttribute('aria-valuenow', String(Math.round(gone / 1000)));
    this.element.setAttribute('aria-valuetext', `${timeText(gone, 1)} of ${timeText(duration, 1)}`);
  });

  redraw() {
    this.#drawn = performance.now();
    const wide = (this.#wide = this.element.clientWidth);
    const high = this.element.clientHeight;
    if (wide === 0 || high === 0) return;
    const dots = Math.min(2, window.devicePixelRatio || 1);
    this.#canvas.width = Math.round(wide * dots);
    this.#canvas.height = Math.round(high * dots);
    const context = this.#canvas.getContext('2d');
    context.scale(dots, dots);
    const style = getComputedStyle(this.element);
    const colour = (name) => style.getPropertyValue(name).trim();
    const font = `${parseFloat(style.fontSize) * 0.8}px ${style.fontFamily}`;
    const markSize = parseFloat(style.fontSize) * 0.32;
    const paint = { context, wide, high, colour, font, markSize, until: this.#seenUntil() };
    this.#marks = [];
    const scale = parseFloat(style.fontSize) * 1.3;
    this.#drawScale(paint, scale);
    let top = scale;
    const lane = (high - scale - 8) / (1 + (this.#overview?.score?.length > 0) + (this.#overview?.possession?.length > 0));
    if (this.#overview?.score?.length) {
      this.#drawScore(paint, top + 2, lane - 4);
      top += lane;
    }
    if (this.#overview?.possession?.length) {
      this.#drawPossession(paint, top + lane * 0.25, lane * 0.5);
      top += lane;
    }
    this.#drawGaps(paint, scale, high - 8);
    this.#drawEvents(paint, top, lane);
    this.#drawKeyframes(paint, high - 6, 5);
    this.#drawDifference(paint, 0, high);
    if (this.spoilerFree) {
      const x = this.#share(paint.until) * wide;
      context.fillStyle = colour('--veil');
      context.fillRect(x, scale, wide - x, high - scale);
    }
  }

  #drawScale({ context, wide, colour, font }, high) {
    const seconds = this.#player.duration / 1000;
    const step = Math.max(stepsOf((seconds * 600) / wide), seconds > 0 && seconds < 2 ? 0.5 : 0.1);
    context.font = font;
    context.fillStyle = colour('--soft');
    context.strokeStyle = colour('--line');
    context.textBaseline = 'top';
    for (let at = 0; at <= seconds; at += step) {
      const x = Math.round((seconds > 0 ? at / seconds : 0) * wide) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, high - 2);
      context.stroke();
      const text = timeText(at * 1000, step < 1 ? 1 : 0);
      if (x + context.measureText(text).width + 4 < wide) context.fillText(text, x + 3, 1);
    }
  }

  #drawScore({ context, wide, until, colour, font }, top, high) {
    const rows = this.#overview.score.map(([tick, blue, orange]) => [this.#recording.timeOf(tick), blue, orange]).filter(([ms]) => ms <= until);
    const most = Math.max(1, ...rows.map(([, blue, orange]) => Math.max(blue, orange)));
    const colours = teamColours();
    [['blue', 1, []], ['orange', 2, [5, 3]]].forEach(([team, at, dashes]) => {
      context.strokeStyle = colours[team];
      context.lineWidth = 2;
      context.setLineDash(dashes);
      context.beginPath();
      let y = top + high - 1;
      context.moveTo(0, y);
      for (const row of rows) {
        const x = this.#share(row[0]) * wide;
        context.lineTo(x, y);
        y = top + 1 + (1 - row[at] / most) * (high - 2);
        context.lineTo(x, y);
      }
      context.lineTo(this.#share(Math.min(until, this.#recording.lastTimeMs)) * wide, y);
      context.stroke();
    });
    context.setLineDash([]);
    context.lineWidth = 1;
    context.font = font;
    context.fillStyle = colour('--soft');
    context.fillText('score', 4, top);
  }

  #drawPossession({ context, wide, until }, top, high) {
    const rows = this.#overview.possession;
    const colours = teamColours();
    const end = Math.min(until, this.#recording.lastTimeMs);
    rows.forEach(([tick, who], at) => {
      const from = this.#recording.timeOf(tick);
      const to = Math.min(end, at + 1 < rows.length ? this.#recording.timeOf(rows[at + 1][0]) : end);
      const colour = colours[who];
      if (!colour || to <= from) return;
      context.fillStyle = colour;
      const x = this.#share(from) * wide;
      // The teams' halves differ in height, too.
      context.fillRect(x, who === 'blue' ? top : top + high / 2, Math.max(1, this.#share(to) * wide - x), high / 2);
    });
  }

  #drawEvents({ context, wide, until, colour, markSize }, top, high) {
    if (!this.#kinds) return;
    const kinds = this.#kinds.list.filter((kind) => kind.shown);
    const row = new Map(kinds.map((kind, at) => [kind.type, at]));
    const steps = Math.max(1, Math.min(kinds.length, Math.floor(high / (markSize * 2))));
    context.strokeStyle = colour('--paper');
    const last = new Map();
    for (const event of this.#events) {
      if (event.time_ms > until || !row.has(event.type)) continue;
      const kind = this.#kinds.byType.get(event.type);
      const x = Math.min(wide - markSize - 1, Math.max(markSize + 1, this.#share(event.time_ms) * wide));
      // A thousand marks on one spot look like one.
      if (x - (last.get(event.type) ?? -9) < 1) continue;
      last.set(event.type, x);
      const y = top + ((row.get(event.type) % steps) + 0.5) * (high / steps);
      context.fillStyle = this.#kinds.colour(kind);
      const path = shapePath(kind.shape, x, y, markSize);
      context.fill(path);
      context.stroke(path);
      this.#marks.push({ x, y, event });
    }
  }

  #drawGaps({ context, wide, colour }, top, bottom) {
    for (const { time_ms: from, until_ms: until } of this.#shownGaps()) {
      const x = this.#share(from) * wide;
      const broad = Math.max(3, (this.#share(until) * wide) - x);
      context.save();
      context.beginPath();
      context.rect(x, top, broad, bottom - top);
      context.clip();
      context.strokeStyle = colour('--bad');
      context.lineWidth = 1.5;
      context.beginPath();
      for (let at = x - (bottom - top); at < x + broad; at += 6) {
        context.moveTo(at, bottom);
        context.lineTo(at + (bottom - top), top);
      }
      context.stroke();
      context.restore();
      context.strokeStyle = colour('--bad');
      context.strokeRect(x + 0.5, top + 0.5, broad - 1, bottom - top - 1);
    }
  }

  // Where two recordings part.
  #drawDifference({ context, wide, colour, font }, top, bottom) {
    if (this.difference === null) return;
    const x = Math.round(this.#share(this.#recording.timeOf(this.difference)) * wide) + 0.5;
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
    // Over whatever is drawn there.
    context.fillStyle = colour('--raised');
    context.fillRect(at - 2, top + 1, broad + 4, 1.2 * parseFloat(font));
    context.fillStyle = colour('--ink');
    context.fillText(text, at, top + 2);
  }

  #drawKeyframes({ context, wide, colour }, top, high) {
    context.fillStyle = colour('--soft');
    let before = -9;
    for (const tick of this.#overview?.keyframes ?? []) {
      const x = Math.round(this.#share(this.#recording.timeOf(tick)) * wide);
      if (x - before < 3) continue;
      before = x;
      context.fillRect(x, top, 1, high);
    }
  }
}
