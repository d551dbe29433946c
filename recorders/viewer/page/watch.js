// Over the picture: score, clock, players, and one sentence about the latest event.
import { firstAbove } from './density.js';
import { fill, make, seldom } from './dom.js';
import { partsOf } from './sentences.js';
import { teamName } from './story.js';
import { numberText, shownText, timeText, wordsOf } from './text.js';

const captionMs = 4000;
const goalMs = 6000;
// Events that get a sentence, by importance; all others are only in the list.
const importance = {
  goal: 10,
  match_ended: 9,
  round_ended: 8,
  fight: 8,
  save: 7,
  game_user_leave: 7,
  player_leave: 7,
  steal: 6,
  interception: 6,
  match_started: 5,
  round_started: 5,
  pause_started: 5,
  pause_ended: 5,
  block: 4,
  joust: 4,
  player_left: 4,
  stun: 3,
  shot: 3,
  chat: 3,
  player_joined: 2,
  upgrade_completed: 2,
  ticks_missing: 2,
  construction_started: 1,
  throw: 1,
};
const whenOf = ({ shown_ms: shown, time_ms: time }) => shown ?? time;
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const sides = ['blue', 'orange'];
const bigNumber = (value) => Math.round(value).toLocaleString('en');

// Sets a text only if it has changed: unchanged text causes no layout.
const say = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

// Of the recent ones of `events`, at `ticks`, the most important, of equals the latest; null if there is none.
export function captionAt(events, ticks, { tick, timeMs: now }) {
  let chosen = null;
  for (
    let at = firstAbove(ticks, tick) - 1, looked = 0;
    at >= 0 && looked < 40 && whenOf(events[at]) >= now - goalMs;
    --at, ++looked
  ) {
    const each = events[at];
    if (each.type !== 'goal' && whenOf(each) < now - captionMs) continue;
    if (importance[each.type] > (importance[chosen?.type] ?? 0)) chosen = each;
  }
  return chosen;
}

export class Watch {
  #recording;
  #player;
  #score = make('div', { class: 'scoreboard', role: 'group', 'aria-label': 'Score', hidden: true });
  #columns = sides.map((side) =>
    make('div', { class: `cards ${side}`, role: 'group', 'aria-label': `Players, ${side}` }),
  );
  #caption = make('p', { class: 'caption', hidden: true });
  #cards = [];
  #known = '';
  #captioned = [];
  #ticks = new Float64Array(0);
  #snapshots = new Map();
  #shownEvent = null;
  #form = null;
  nameOf = () => undefined;
  curves = null; // of StarCraft II, when they have been read
  /** @type {(name: string | null) => void} */
  onfollow;
  /** @type {(name: string | null) => void} */
  onhighlight;

  constructor(recording, player, { onfollow, onhighlight }) {
    this.#recording = recording;
    this.#player = player;
    Object.assign(this, { onfollow, onhighlight });
    this.element = make('div', { class: 'watch' }, this.#score, this.#columns, this.#caption);
  }

  // The caption names a fight when it is over.
  show(events, nameOf, fights = []) {
    this.nameOf = nameOf;
    const over = fights.map((fight) => ({ ...fight, tick: fight.until_tick, shown_ms: fight.until_ms }));
    this.#captioned = events
      .filter(({ type }) => Object.hasOwn(importance, type))
      .concat(over)
      .sort((one, other) => one.tick - other.tick);
    this.#ticks = Float64Array.from(this.#captioned, ({ tick }) => tick);
    for (const { type, tick, player, stats } of events) {
      if (type !== 'player_stat_snapshot') continue;
      if (!this.#snapshots.has(player)) this.#snapshots.set(player, { ticks: [], stats: [] });
      const list = this.#snapshots.get(player);
      if (list.ticks.at(-1) === tick) continue;
      list.ticks.push(tick);
      list.stats.push(stats);
    }
    this.#shownEvent = null;
    this.#drawCaption();
  }

  // Limits the update rate of numbers, which could not be read otherwise.
  #drawSlowly = seldom(200, (state, followed) => {
    this.#drawCards(state, followed);
    this.#drawScore(state);
  });

  draw(state, followed) {
    this.#drawSlowly(state, followed);
    this.#drawCaption();
  }

  // A board is rebuilt only if its structure changes; otherwise only its texts change.
  #board(form, parts) {
    if (this.#form?.form === form) return this.#form.fields;
    const fields = {};
    const made = [parts((name, attributes = {}, tag = 'span') => (fields[name] = make(tag, attributes)))].flat();
    fill(this.#score, made);
    this.#form = { form, fields };
    return fields;
  }

  #drawScore(state) {
    const session = state?.session;
    let shown = true;
    if (isNumber(session?.blue_points) && isNumber(session?.orange_points)) this.#echoScore(session);
    else if (this.#snapshots.size > 0) this.#starcraftScore();
    else shown = this.#declaredScore(state);
    this.#score.hidden = !shown;
  }

  #echoScore(session) {
    const field = this.#board('echo', (part) => [
      make('div', { class: 'team blue' }, part('blueName', { class: 'name' }), part('blue', { class: 'points' }, 'b')),
      make('div', { class: 'middle' }, part('clock', { class: 'game-clock' }, 'b'), part('round', {}, 'small')),
      make(
        'div',
        { class: 'team orange' },
        part('orange', { class: 'points' }, 'b'),
        part('orangeName', { class: 'name' }),
      ),
      make(
        'div',
        { class: 'held', title: 'Possession of the disc per team' },
        part('heldBlue', { class: 'blue' }, 'i'),
        part('heldOrange', { class: 'orange' }, 'i'),
      ),
    ]);
    const teams = session.teams ?? [];
    say(field.blueName, teamName(teams[0], 'Blue'));
    say(field.orangeName, teamName(teams[1], 'Orange'));
    say(field.blue, numberText(session.blue_points));
    say(field.orange, numberText(session.orange_points));
    say(field.clock, isNumber(session.game_clock) ? timeText(session.game_clock * 1000) : '');
    const playing = session.game_status === 'playing' || !session.game_status;
    const rounds = (session.blue_round_score ?? 0) + (session.orange_round_score ?? 0);
    const round =
      session.total_round_count > 1
        ? `round ${Math.min(session.total_round_count, rounds + 1)} of ${session.total_round_count}`
        : '';
    const paused = session.pause?.paused_state;
    say(
      field.round,
      paused && paused !== 'unpaused' && paused !== 'none'
        ? 'paused'
        : playing
          ? round
          : /not.found/i.test(session.game_status)
            ? ''
            : shownText(wordsOf(session.game_status), 30),
    );
    const held = teams.slice(0, 2).map((team) => team?.stats?.possession_time ?? 0);
    const all = Math.max(1e-9, (held[0] || 0) + (held[1] || 0));
    ['heldBlue', 'heldOrange'].forEach((name, at) => (field[name].style.width = `${(100 * (held[at] || 0)) / all}%`));
  }

  #starcraftScore() {
    const players = (this.#recording.info.players ?? [])
      .filter(({ number }) => this.#snapshots.has(number))
      .slice(0, 8);
    const keys = this.curves ? ['supply', 'workers', 'income', 'army', 'apm'] : ['supply', 'army', 'bank', 'apm'];
    const field = this.#board(`starcraft ${keys.length} ${players.map(({ number }) => number)}`, (part) => {
      const sides = players.map(({ number, name, race }, at) =>
        make(
          'div',
          { class: `economy ${at % 2 ? 'orange' : 'blue'}` },
          make('b', { class: 'name' }, shownText(name, 40)),
          make('small', {}, shownText(race ?? '', 12)),
          ...keys.map((key) =>
            make('span', { class: 'number-of' }, part(`${key}${number}`, {}, 'b'), make('small', {}, key)),
          ),
        ),
      );
      sides.splice(1, 0, make('div', { class: 'middle' }, part('clock', { class: 'game-clock' }, 'b')));
      return sides;
    });
    say(field.clock, timeText(this.#player.timeMs - this.#recording.firstTimeMs));
    for (const { number } of players) {
      const { ticks, stats } = this.#snapshots.get(number);
      const now = stats[firstAbove(ticks, this.#player.tick) - 1];
      const set = (key, text) => keys.includes(key) && say(field[`${key}${number}`], now ? text() : '\u2013');
      const of = (title) => () => {
        const values = this.curves.curves.find((each) => each.title === title)?.players;
        const value = values?.find((each) => each.number === number)?.values[
          firstAbove(this.curves.ticks, this.#player.tick) - 1
        ];
        return isNumber(value) ? bigNumber(value) : '\u2013';
      };
      set('workers', of('Workers'));
      set('income', of('Income a minute'));
      set(
        'supply',
        () => `${Math.round((now.power_used ?? 0) / 4096)}/${Math.min(200, Math.round((now.power_made ?? 0) / 4096))}`,
      );
      set('army', () => bigNumber(now.army_value ?? 0));
      set('bank', () => bigNumber(now.credits ?? 0));
      set('apm', () => bigNumber((now.apm_x100 ?? 0) / 100));
    }
  }

  // Fields of a described game that are named score, points, clock or time left.
  #declaredScore(state) {
    const found = [];
    const look = (object, depth) => {
      for (const [key, value] of Object.entries(object ?? {}).slice(0, 64)) {
        if (isNumber(value) && /(^|_)(score|points|goals|clock|time_left|round)($|_)/i.test(key))
          found.push([key, value]);
        else if (depth > 0 && value && typeof value === 'object' && !Array.isArray(value)) look(value, depth - 1);
      }
    };
    if (state && !state.session && !Array.isArray(state.position)) look(state, 1);
    const list = found.slice(0, 4);
    if (list.length === 0) return false;
    const field = this.#board(`declared ${list.map(([key]) => key)}`, (part) =>
      list.map(([key], at) =>
        make(
          'span',
          { class: 'number-of' },
          part(`value${at}`, {}, 'b'),
          make('small', {}, shownText(wordsOf(key), 20)),
        ),
      ),
    );
    list.forEach(([key, value], at) =>
      say(field[`value${at}`], /clock|time/i.test(key) ? timeText(value * 1000) : numberText(+value.toPrecision(6))),
    );
    return true;
  }

  // Of StarCraft II: what two players are building, and their armies.
  // Without spoilers there are no shares: they give away when, and whether, a building will be finished.
  drawForces(all, spoilerFree) {
    if (all.length !== 2) return;
    const words = (type) => shownText(type.replace(/([a-z])([A-Z0-9])/g, '$1 $2').replace(/ Research$/, ''), 40);
    const row = (type, text) =>
      make('span', { class: 'force' }, make('span', { class: 'what' }, words(type)), make('b', {}, text));
    const part = (title, list) => (list.length ? [make('small', {}, title), list] : []);
    all.forEach(({ name, cards: kinds, army = [], lost = [], building: built = [], upgrades = [] }, at) => {
      const building = new Map();
      for (const [type, share] of built) {
        const text = share === null || spoilerFree ? '' : `${Math.round(share * 100)} %`;
        if (building.has(type)) ++building.get(type).count;
        else building.set(type, { count: 1, text });
      }
      const lists = {
        building: [
          'building',
          [...building].map(([type, { count, text }]) => [count > 1 ? `${type} \u00d7${count}` : type, text]),
        ],
        army: ['army', army],
        lost: ['lost', lost],
        upgrades: ['upgrades', upgrades.map((each) => [each, '\u2713'])],
      };
      const wanted = kinds.split(' ').map((kind) => lists[kind] ?? ['', []]);
      const key = JSON.stringify(wanted);
      if (this.#forces[at] === key) return;
      this.#forces[at] = key;
      const cards = wanted
        .map(([title, list]) =>
          part(
            `${shownText(name, 40)}: ${title}`,
            list.slice(0, kinds.includes(' ') ? 6 : 12).map(([type, text]) => row(type, String(text))),
          ),
        )
        .filter((each) => each.length);
      fill(
        this.#columns[at],
        cards.map((each) => make('div', { class: `card forces ${sides[at]}` }, each.flat())),
      );
    });
  }
  #forces = [];

  #drawCards(state, followed) {
    const teams = (state?.session?.teams ?? [])
      .slice(0, 2)
      .map((team) => (Array.isArray(team?.players) ? team.players.slice(0, 8) : []));
    const key = JSON.stringify(teams.map((players) => players.map((player) => player?.name)));
    if (key !== this.#known) {
      this.#known = key;
      this.#cards = teams.map((players, at) =>
        players.map((player) => this.#card(String(player?.name ?? ''), sides[at])),
      );
      this.#columns.forEach((column, at) =>
        fill(
          column,
          (this.#cards[at] ?? []).map(({ element }) => element),
        ),
      );
    }
    teams.forEach((players, at) =>
      players.forEach((player, place) => this.#update(this.#cards[at][place], player, followed)),
    );
  }

  #card(name, side) {
    const part = (tag, attributes) => make(tag, attributes);
    const card = {
      name,
      ping: part('small', { class: 'ping' }),
      numbers: make('span', { class: 'numbers-of' }, make('span'), make('span'), make('span')),
      bar: part('i', { class: 'bar' }),
    };
    card.element = make(
      'button',
      {
        type: 'button',
        class: `card ${side}`,
        title: `Follow ${shownText(name, 40)}`,
        'aria-pressed': 'false',
        onclick: () => this.onfollow(name),
        onpointerenter: () => this.onhighlight(name),
        onpointerleave: () => this.onhighlight(null),
        onfocus: () => this.onhighlight(name),
        onblur: () => this.onhighlight(null),
      },
      make('b', {}, shownText(name, 40)),
      card.ping,
      card.numbers,
      card.bar,
    );
    return card;
  }

  #update({ element, name, ping, numbers, bar }, player, followed) {
    const stats = player.stats ?? {};
    say(ping, player.stunned ? 'stunned' : isNumber(player.ping) ? `${Math.round(player.ping)} ms` : '');
    [
      ['goals', stats.goals],
      ['saves', stats.saves],
      ['stuns', stats.stuns],
    ].forEach(([what, value], at) => say(numbers.children[at], isNumber(value) ? `${what} ${numberText(value)}` : ''));
    const speed =
      Array.isArray(player.velocity) && player.velocity.every(isNumber) ? Math.hypot(...player.velocity) : 0;
    const wide = `${Math.min(100, Math.round((speed / 20) * 20) * 5)}%`;
    if (bar.style.width !== wide) bar.style.width = wide;
    element.classList.toggle('stunned', Boolean(player.stunned));
    element.classList.toggle('carries', Boolean(player.possession));
    const pressed = String(followed === name);
    if (element.getAttribute('aria-pressed') !== pressed) element.setAttribute('aria-pressed', pressed);
  }

  #drawCaption() {
    const event = captionAt(this.#captioned, this.#ticks, this.#player);
    if (event === this.#shownEvent) return;
    this.#shownEvent = event;
    const parts = event && partsOf(event, this.nameOf);
    this.#caption.hidden = !parts;
    if (!parts) return;
    this.#caption.className = `caption ${sides.includes(parts.team) ? parts.team : ''}`;
    fill(this.#caption, parts.who ? make('b', {}, parts.who) : null, parts.who ? ' ' : null, parts.text);
  }
}
