// Highlights, selected by the rules in docs/viewer.md, and played one after the other.
import { fill, fillRows, make, scroller, seldom } from './dom.js';
import { findFights } from './fights.js';
import { videoType } from './picture.js';
import { lostText, sentenceOf } from './sentences.js';
import { shownText, timeText } from './text.js';

const beforeMs = 5000;
const afterMs = 3000;
const apartMs = 8000; // between two highlights of the reel
const reelLength = 12;
const maxListed = 500;
const stunsMs = 6000; // between two stuns of one fight
const fewestStuns = 3;
const fewestLosses = 12;
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

// The score of each; 0 for events that are not highlights.
function worth(event) {
  switch (event.type) {
    case 'goal':
      return (
        10 +
        (isNumber(event.points) ? event.points : 1) +
        (isNumber(event.distance_m) ? Math.min(4, event.distance_m / 8) : 0) +
        (event.bounced || event.from_behind ? 2 : 0) +
        (event.assist ? 1 : 0)
      );
    case 'save':
      return 6;
    case 'steal':
      return 4;
    case 'interception':
      return 3;
    default:
      return 0;
  }
}

// Stuns that follow each other, like the fights of StarCraft II.
function stunFights(events) {
  const out = [];
  for (const { type, tick, time_ms: ms } of events) {
    if (type !== 'stun') continue;
    if (!out.length || ms - out.at(-1).until_ms > stunsMs) out.push({ tick, time_ms: ms, until_ms: ms, count: 0 });
    out.at(-1).until_ms = ms;
    ++out.at(-1).count;
  }
  return out;
}

// Returns [{tick, from, to, group, title, score}] in order of time: goals, saves and similar events, and
// fights.
export function findHighlights(events, nameOf) {
  const out = [];
  for (const event of events) {
    const score = worth(event);
    if (score === 0) continue;
    const group = event.type === 'goal' ? 'goal' : event.type === 'save' ? 'save' : 'turn';
    out.push({
      tick: event.tick,
      from: event.time_ms - beforeMs,
      to: event.time_ms + afterMs,
      group,
      title: sentenceOf(event, nameOf) ?? event.type,
      score,
    });
  }
  const add = (list, fewest, what) => {
    for (const { tick, time_ms: from, until_ms: until, count, sides = [] } of list)
      if (count >= fewest)
        out.push({
          tick,
          from: from - beforeMs,
          to: until + afterMs,
          until,
          group: 'fight',
          title: `Fight: ${count} ${what}${lostText(sides, nameOf)}`,
          score: 2 + Math.min(8, (2 * count) / fewest),
        });
  };
  add(stunFights(events), fewestStuns, 'stuns');
  add(findFights(events), fewestLosses, 'units lost');
  return out.sort((a, b) => a.from - b.from || b.score - a.score);
}

// The best ones that do not overlap, in order of time.
export function bestOf(list, most = reelLength) {
  const chosen = [];
  for (const each of [...list].sort((a, b) => b.score - a.score || a.from - b.from)) {
    if (chosen.length >= most) break;
    if (
      chosen.every(
        (other) => each.to <= other.from || other.to <= each.from || Math.abs(each.from - other.from) >= apartMs,
      )
    )
      chosen.push(each);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

const titles = { goal: 'Goals', save: 'Saves', fight: 'Fights', turn: 'Steals and interceptions' };

export class HighlightPanel {
  #recording;
  #player;
  #all = [];
  #queue = [];
  #playing = null;
  #from = 0;
  #kind = make('select', { 'aria-label': 'Kind of highlights', onchange: () => this.refresh() });
  #reel = make('button', {
    type: 'button',
    class: 'reel',
    onclick: () => (this.#playing ? this.stop() : this.play(bestOf(this.#all))),
  });
  #save = make(
    'button',
    {
      type: 'button',
      title: 'Play the best ones and save them as a video',
      onclick: () => this.onvideo(bestOf(this.#all)),
    },
    'Save video',
  );
  /** @type {(parts: {from: number, to: number}[]) => void} */
  onvideo = () => {};
  #list = make('ol', { class: 'plain' });
  #note = make('p', { class: 'note', role: 'status' }, 'Looking for highlights\u2026');
  #events = 0;
  spoilerFree = false;

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    this.element = make(
      'div',
      { class: 'highlights' },
      make('div', { class: 'row-of' }, this.#kind, this.#reel, this.#save),
      this.#note,
      scroller('Highlights', 'scrolls', this.#list),
    );
    player.onchange(() => this.#follow());
    player.onchange(seldom(500, () => this.spoilerFree && this.element.offsetParent !== null && this.refresh()));
  }

  show(events, nameOf) {
    this.#all = findHighlights(events, nameOf);
    this.#events = events.length;
    const groups = Object.keys(titles).filter((group) => this.#all.some((each) => each.group === group));
    const chosen = this.#kind.value;
    fill(
      this.#kind,
      make('option', { value: '' }, 'All'),
      groups.map((group) => make('option', { value: group }, titles[group])),
    );
    this.#kind.value = groups.includes(chosen) ? chosen : '';
    this.refresh();
  }

  refresh() {
    const now = this.#player.timeMs;
    const shown = this.#all.filter(
      (each) =>
        (!this.#kind.value || each.group === this.#kind.value) && (!this.spoilerFree || each.to - afterMs <= now),
    );
    const all = this.#recording;
    this.#kind.hidden = this.spoilerFree || this.#all.length === 0;
    this.#reel.hidden = this.spoilerFree || this.#all.length === 0;
    this.#save.hidden = this.#reel.hidden || !videoType();
    this.#reel.textContent = this.#playing ? 'Stop' : `Play the best ${Math.min(reelLength, bestOf(this.#all).length)}`;
    this.#note.hidden = shown.length > 0;
    this.#note.textContent = this.spoilerFree
      ? 'Nothing yet.'
      : `No highlight was found among ${this.#events} events: no goal, save, steal, interception or fight.`;
    fillRows(
      this.#list,
      shown.slice(0, maxListed).map((each) =>
        make(
          'li',
          {},
          make(
            'button',
            {
              type: 'button',
              class: each === this.#playing ? 'now' : null,
              title: 'Play it with five seconds before',
              onclick: () => this.play([each]),
            },
            make(
              'span',
              { class: 'when' },
              [each.from + beforeMs, each.until]
                .filter(isNumber)
                .map((ms) => timeText(ms - all.firstTimeMs))
                .join('\u2013'),
            ),
            make('span', { class: 'what' }, shownText(each.title, 120)),
          ),
        ),
      ),
      shown.length > maxListed ? make('li', { class: 'note' }, `and ${shown.length - maxListed} more`) : null,
    );
  }

  // One after the other, each from a few seconds before.
  play(list) {
    this.#queue = [...list];
    this.#next();
  }

  stop() {
    this.#queue = [];
    this.#playing = null;
    this.#player.pause();
    this.refresh();
  }

  #next() {
    this.#playing = this.#queue.shift() ?? null;
    if (!this.#playing) return this.stop();
    const chosen = this.#playing;
    this.#playing = null; // while it seeks there, it has not left
    this.#player.seekTime(chosen.from);
    this.#from = this.#player.timeMs;
    this.#player.play();
    this.#playing = chosen;
    this.refresh();
  }

  #follow() {
    if (!this.#playing) return;
    const { timeMs, playing } = this.#player;
    const end = Math.min(this.#playing.to, this.#recording.lastTimeMs);
    // The user moved the cursor, or stopped it.
    const left = timeMs < this.#from - 50 || timeMs > end + 1500 || (!playing && timeMs < end - 50);
    if (left) {
      this.#queue = [];
      this.#playing = null;
      this.refresh();
    } else if (timeMs >= end - 1) {
      queueMicrotask(() => this.#next());
    }
  }
}
