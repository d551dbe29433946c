// Heat maps of players by player, team and time, which can be saved as PNG or SVG.
import { createPicture } from '../stage/heatmap.js';
import { findPositions, Positions } from '../stage/find_positions.js';
import { kindOf } from '../stage/kind.js';
import { fill, make, saveFile, scroller, seldom } from './dom.js';
import { isDark, onTheme } from './kinds.js';
import { parseJson, shownText, parsePlace, timeText } from './text.js';
import { ZonePanel } from './zones.js';

const points = 40_000;
const maxLooks = 400;

// A replay contains where units were made, lost and hurt, in fixed point with 12 bits.
export function placesOf(info, events) {
  const players = (info.players ?? []).filter(({ number }) => number !== undefined);
  const place = new Map(players.map(({ number }, at) => [number, at]));
  const samples = events
    .filter(({ tick, owner, pos }) => tick > 1 && pos && place.has(owner))
    .slice(0, points)
    .map(({ tick, owner, pos }) => [tick, place.get(owner), pos.x / 4096, pos.y / 4096, 0]);
  return { players: players.map(({ name, team }) => ({ name, team: String(team) })), samples };
}

// For other recordings, the positions of their picture, at evenly spaced ticks.
export async function placesShown(recording) {
  const fields = await recording.fields();
  // From the middle: at the beginning some may be absent.
  const from = (state) => (state && findPositions(state, fields)[0]) ?? null;
  let source = from(await recording.state(Math.floor((recording.firstTick + recording.lastTick) / 2)));
  const names = new Map();
  const samples = [];
  const read = new Positions();
  const all = recording.lastTick - recording.firstTick + 1;
  let every = Math.max(1, Math.ceil(all / maxLooks));
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((v) => -v);
  for (let tick = recording.firstTick; tick <= recording.lastTick && samples.length < points; tick += every) {
    const [line] = await recording.lines(tick, 1);
    if (!line) break;
    const state = parseJson(line);
    source ??= from(state);
    if (!source) continue;
    const found = read.read(state, source);
    every = Math.max(every, Math.ceil((all * found.count) / points));
    for (let i = 0; i < found.count; ++i) {
      const name = String(found.names[i]);
      if (!names.has(name))
        names.set(name, { name, team: found.groups[i] === undefined ? '' : String(found.groups[i]) });
      const place = [found.x[i], found.y[i], found.z[i]];
      place.forEach((v, axis) => {
        low[axis] = Math.min(low[axis], v);
        high[axis] = Math.max(high[axis], v);
      });
      samples.push([state.tick, name, ...place]);
    }
    tick = Math.max(tick, state.tick);
  }
  const number = new Map([...names.keys()].map((name, at) => [name, at]));
  // The ground is the wider plane, as in the picture: x and y if y spans more than z.
  const upright = high[2] - low[2] > high[1] - low[1];
  for (const each of samples) {
    each[1] = number.get(each[1]);
    if (upright) [each[3], each[4]] = [each[4], each[3]];
  }
  return { players: [...names.values()], samples };
}

export class HeatPanel {
  #recording;
  #player;
  #data = null;
  #picture = null;
  #who = make('select', { 'aria-label': 'Whose positions' });
  #from = make('input', { 'aria-label': 'From', placeholder: 'beginning', size: '8', spellcheck: 'false' });
  #to = make('input', { 'aria-label': 'To', placeholder: 'end', size: '8', spellcheck: 'false' });
  #host = make('div', { class: 'heat-host' });
  #zones = new ZonePanel(() => this.#draw());
  #isOverTime = true;
  #note = make('p', { class: 'note', role: 'status' }, 'Looking for positions\u2026');
  #begun = false;
  #first = null;
  spoilerFree = false;

  constructor(recording, player) {
    this.#recording = recording;
    this.#player = player;
    const save = (kind) =>
      make('button', { type: 'button', onclick: () => this.#save(kind) }, `Save ${kind.toUpperCase()}`);
    const here = (input) =>
      make(
        'button',
        {
          type: 'button',
          class: 'small',
          title: 'The time of the cursor',
          onclick: () => {
            input.value = `${((player.timeMs - recording.firstTimeMs) / 1000).toFixed(2)}s`;
            this.#draw();
          },
        },
        'here',
      );
    this.element = scroller(
      'Heat map',
      'heat scrolls',
      make(
        'div',
        { class: 'row-of' },
        make('label', {}, 'Of ', this.#who),
        make('span', { class: 'pair' }, make('label', {}, 'from ', this.#from), here(this.#from)),
        make('span', { class: 'pair' }, make('label', {}, 'to ', this.#to), here(this.#to)),
      ),
      this.#note,
      this.#host,
      make('div', { class: 'row-of' }, save('png'), save('svg')),
      this.#zones.element,
    );
    for (const input of [this.#who, this.#from, this.#to]) input.addEventListener('change', () => this.#draw());
    onTheme(() => this.#draw(), player.gone);
    player.onchange(seldom(1000, () => this.spoilerFree && this.element.offsetParent !== null && this.#draw()));
  }

  refresh() {
    this.#draw();
  }

  async begin() {
    if (this.#begun) return this.#draw();
    this.#begun = true;
    try {
      this.#first = await this.#recording.state(this.#recording.firstTick);
      this.#data = await this.#recording.positions(points);
      if (this.#data.samples.length === 0) {
        // Of a replay, only places of events are known.
        this.#isOverTime = this.#recording.stage !== 'starcraft';
        this.#data = this.#isOverTime
          ? await placesShown(this.#recording)
          : placesOf(this.#recording.info, await this.#recording.events);
      }
      this.#zones.element.hidden = !this.#isOverTime || this.#data.samples.length === 0;
      this.#zones.offer(kindOf(this.#recording, this.#first) === 'arena');
    } catch (error) {
      this.#note.textContent = error.message;
      return;
    }
    this.#since = this.#data.players.map(() => Infinity);
    for (const [tick, who] of this.#data.samples) if (tick < this.#since[who]) this.#since[who] = tick;
    this.#draw();
  }
  #since = [];
  #offered = '';

  // Players seen by now: later ones are spoilers.
  #offer() {
    const { players } = this.#data;
    const now = this.spoilerFree ? this.#player.tick : Infinity;
    const there = players
      .map((player, at) => ({ ...player, at }))
      .filter(({ at }) => !this.spoilerFree || this.#since[at] <= now)
      .slice(0, 2000);
    const offered = JSON.stringify(there.map(({ at }) => at));
    if (offered === this.#offered) return;
    this.#offered = offered;
    const chosen = this.#who.value;
    const teams = [...new Set(there.map(({ team }) => team).filter(Boolean))];
    const choice = (value, text) => make('option', { value }, text);
    fill(
      this.#who,
      choice('all', 'everybody'),
      teams.map((team) => choice(`team:${team}`, `team ${shownText(team, 30)}`)),
      there.map(({ name, at }) => choice(`player:${at}`, shownText(name, 60))),
    );
    this.#who.value = chosen || 'all';
    if (!this.#who.value) this.#who.value = 'all';
  }

  #bound(input, otherwise) {
    const place = input.value.trim() === '' ? null : parsePlace(input.value);
    input.setCustomValidity(
      input.value.trim() !== '' && !place ? 'A tick (120), a time (1m30s) or a clock (8:30)' : '',
    );
    if (!place) return otherwise;
    if (place.tick !== undefined) return place.tick;
    return place.ms === undefined
      ? (this.#recording.tickAtClock(place.clock) ?? otherwise)
      : this.#recording.tickAt(this.#recording.firstTimeMs + place.ms);
  }

  #draw() {
    if (!this.#data) return;
    this.#offer();
    const [kind, chosen] = this.#who.value.split(/:(.*)/s);
    const { players, samples } = this.#data;
    const from = this.#bound(this.#from, -Infinity);
    let to = this.#bound(this.#to, Infinity);
    if (this.spoilerFree) to = Math.min(to, this.#player.tick);
    const within = samples.filter(
      ([tick, who]) =>
        tick >= from &&
        tick <= to &&
        (kind === 'all' || (kind === 'team' ? players[who]?.team === chosen : who === Number(chosen))),
    );
    this.#note.textContent =
      samples.length === 0
        ? 'There is nothing to draw: no tick of this recording contains a position.'
        : `${within.length} positions${from > -Infinity || to < Infinity ? this.#rangeText(from, to) : ''}`;
    if (within.length === 0) {
      this.#picture = null;
      fill(this.#host);
      this.#zones.show(players, [], [], () => 0);
      return;
    }
    // Arenas are drawn to the game's dimensions; elsewhere the ground is x and y.
    const arena = kindOf(this.#recording, this.#first) === 'arena';
    const made = (size) =>
      createPicture(
        'heatmap',
        { players, samples: within },
        {
          colours: isDark() ? 'dark' : 'light',
          title: this.#who.selectedOptions[0]?.textContent ?? '',
          zone: this.#zones.zone,
          ...(arena ? { ground: 'arena' } : { flat: true }),
          ...size,
        },
      );
    this.#picture = made;
    // At its displayed size, so that its text is as large as the text beside it.
    const dots = window.devicePixelRatio || 1;
    const wide = Math.min(900, this.#host.clientWidth || 900);
    const picture = made({
      width: wide * dots,
      text: 0.8 * parseFloat(getComputedStyle(this.element).fontSize) * dots,
    });
    const { canvas } = picture;
    canvas.style.width = `${wide}px`;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `Heat map of ${within.length} positions`);
    fill(this.#host, canvas);
    if (!this.#isOverTime) return;
    this.#zones.listen(canvas, picture);
    this.#zones.show(players, within, picture.axes, (tick) => this.#recording.timeOf(tick));
  }

  #save(kind) {
    if (!this.#picture) return;
    const name = `${this.#recording.name.replace(/[^\w.-]+/g, '_').slice(0, 80)}.heat.${kind}`;
    if (kind === 'svg') saveFile(name, new Blob([this.#picture({}).svg()], { type: 'image/svg+xml' }));
    else this.#picture({}).canvas.toBlob((blob) => blob && saveFile(name, blob), 'image/png');
  }

  #rangeText(from, to) {
    const { firstTick, lastTick, firstTimeMs } = this.#recording;
    const text = (tick) => timeText(this.#recording.timeOf(tick) - firstTimeMs);
    return ` from ${text(Math.max(from, firstTick))} to ${text(Math.min(to, lastTick))}`;
  }
}
