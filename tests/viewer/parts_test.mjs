// The parts of the page that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from './seed.mjs';
import { findFirstDifference, firstDifference, nearAsButter } from '../../recorders/viewer/page/compare.js';
import { eachColumn, GapIndex } from '../../recorders/viewer/page/density.js';
import { readCurves } from '../../recorders/viewer/page/economy.js';
import { LineCache } from '../../recorders/viewer/page/line_cache.js';
import { LiveState } from '../../recorders/viewer/page/live.js';
import { Player } from '../../recorders/viewer/page/player.js';
import {
  momentText,
  parseJson,
  parseMoment,
  parsePlace,
  shellWord,
  shownText,
  timeText,
} from '../../recorders/viewer/page/text.js';

test('places equal those of the program', () => {
  const places = {
    120: { tick: 120 },
    'tick:7': { tick: 7 },
    '12.5s': { ms: 12_500 },
    '1m30s': { ms: 90_000 },
    '2h': { ms: 7_200_000 },
    '250ms': { ms: 250 },
    '8:30': { clock: 510 },
    '08:30': { clock: 510 },
    'clock:08:30': { clock: 510 },
    '1:02:03': { ms: 3_723_000 },
    'clock:510.5': { clock: 510.5 },
    ' 9:59.90 ': { clock: 599.9 },
  };
  for (const [text, place] of Object.entries(places)) assert.deepEqual(parsePlace(text), place, text);
  for (const text of ['', 'x', '-1', '8.30', '1e9', '8:60', 'm', '1s1', '9'.repeat(20), '<b>'])
    assert.equal(parsePlace(text), null, text);
});

test('integers of 64 bits keep their digits', () => {
  const read = parseJson(
    '{"a":18446744073709551615,"b":9007199254740991,"c":"1234567890123456789,","d":[-9223372036854775808],' +
      '"e":1.2345678901234567,"f":"\\"12345678901234567"}',
  );
  assert.deepEqual(read, {
    a: '18446744073709551615',
    b: 9007199254740991,
    c: '1234567890123456789,',
    d: ['-9223372036854775808'],
    e: 1.2345678901234567,
    f: '"12345678901234567',
  });
  // A text of the maximum length cannot end the page's script.
  const long = 'x1234567890123456789'.repeat(100_000);
  assert.equal(parseJson(JSON.stringify({ long })).long, long);
});

test('a link restores the moment', () => {
  const seed = testSeed();
  let state = seed;
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const letters = 'aZ0 &=#%+<>"\u00e9\u6f22\u{1f600}';
  for (let round = 0; round < 500; ++round) {
    const name = Array.from({ length: 1 + random(12) }, () => [...letters][random([...letters].length)]).join('');
    const moment = {
      tick: random(1e6),
      speed: [0.1, 0.5, 2, 16][random(4)],
      follow: name,
      view: random(2) ? 'top' : null,
      spoilerFree: random(2) === 1,
      hideLength: false,
      range: [null, { first: random(50), last: 50 + random(1e6) }][random(2)],
      panel: [null, true, false, 15 + random(56)][random(4)],
      tab: [null, 'charts', 'values'][random(3)],
    };
    moment.hideLength = moment.spoilerFree && random(2) === 1;
    assert.deepEqual(parseMoment(momentText(moment)), moment);
  }
  for (const hash of ['', '#', '#t=-1', '#t=1e5&speed=99', '#speed=NaN', '#%', '#t=99999999999999999999']) {
    assert.deepEqual([parseMoment(hash).tick, parseMoment(hash).speed], [null, null], hash);
  }
});

test('names are shown unchanged, and are safe to paste', () => {
  assert.equal(shellWord('match.butter'), 'match.butter');
  assert.equal(shellWord("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
  assert.equal(shellWord('-o'), "'./-o'");
  assert.equal(shownText('a\u202eb\u0007c'), 'a\u00b7b\u00b7c');
  assert.equal(shownText('x'.repeat(1000), 10).length, 11);
  assert.equal(timeText(3_723_450, 2), '1:02:03.45');
  assert.equal(timeText(59_999), '1:00');
});

// Lines as a reader returns them: of every third tick, as if ticks were lost.
function reader(count) {
  const asked = [];
  const line = (tick) => JSON.stringify({ tick, time_ms: tick * 10, text: 'x'.repeat(1000) });
  const up = (tick) => Math.ceil(tick / 3) * 3;
  return {
    asked,
    range: async (from, most) => {
      asked.push(['range', from, most]);
      const lines = [];
      for (let tick = up(from); tick < count && lines.length < most; tick += 3) lines.push(line(tick));
      return lines;
    },
    one: async (tick) => {
      asked.push(['one', tick]);
      return up(tick) < count ? line(up(tick)) : '';
    },
  };
}

test('any tick equals that of the reader, by playback or seek', async () => {
  for (const ahead of [false, true]) {
    const { range, one } = reader(3000);
    const cache = new LineCache(range, one);
    cache.ahead = ahead;
    for (let tick = 0; tick < 2998; ++tick) assert.equal((await cache.state(tick)).tick, Math.ceil(tick / 3) * 3);
    for (const tick of [2000, 5, 1999, 6, 2997]) assert.equal((await cache.state(tick)).tick, Math.ceil(tick / 3) * 3);
    assert.equal(await cache.state(2998), null);
  }
});

test('playback requests many ticks together, and none twice', async () => {
  const { range, one, asked } = reader(3000);
  const cache = new LineCache(range, one);
  cache.ahead = true;
  for (let tick = 0; tick < 2998; ++tick) await cache.state(tick);
  assert.ok(asked.length < 40, `${asked.length} questions`);
  const before = asked.length;
  for (let tick = 2900; tick < 2990; ++tick) await cache.state(tick);
  assert.equal(asked.length, before);
});

test('the first difference is reported with tick and path', async () => {
  assert.equal(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), null);
  assert.deepEqual(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }), {
    path: 'a[1].b',
    first: 2,
    second: 3,
  });
  assert.deepEqual(firstDifference({ a: 1 }, {}), { path: 'a', first: 1, second: undefined });
  const recording = (ticks, change) => ({
    firstTick: ticks[0],
    lines: async (from, count) =>
      ticks
        .filter((tick) => tick >= from)
        .slice(0, count)
        .map((tick) => JSON.stringify({ tick, value: change(tick) })),
  });
  const all = Array.from({ length: 200 }, (_, at) => at);
  const same = recording(all, () => 1);
  assert.deepEqual(await findFirstDifference(same, same, () => false), { same: 200 });
  assert.deepEqual(
    await findFirstDifference(
      same,
      recording(all, (tick) => (tick >= 77 ? 2 : 1)),
      () => false,
    ),
    { tick: 77, path: 'value', first: 1, second: 2 },
  );
  // A tick that one of them lost is not a difference.
  assert.deepEqual(
    await findFirstDifference(
      same,
      recording(
        all.filter((tick) => tick % 2),
        () => 1,
      ),
      () => false,
    ),
    { same: 100 },
  );
  assert.equal(await findFirstDifference(same, same, () => true), null);
});

// The same result by comparing everything.
test('a list of times is drawn with at most one mark per column, and nothing is lost', () => {
  const seed = testSeed();
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 200; ++round) {
    const times = Float64Array.from({ length: Math.floor(random() * 400) }, () => Math.floor(random() * 1000)).sort();
    const columns = 1 + Math.floor(random() * 60);
    const from = Math.floor(random() * 500);
    const to = from + 1 + Math.floor(random() * 500);
    let seen = 0;
    let last = -1;
    eachColumn(times, from, to, columns, (column, begin, end) => {
      assert.ok(column > last && column < columns && end > begin);
      for (let i = begin; i < end; ++i) {
        const at = ((times[i] - from) / (to - from)) * columns;
        assert.ok(
          at >= column - 1e-6 && at <= column + 1 + 1e-6,
          `${times[i]} of ${from} to ${to} in column ${column} of ${columns}`,
        );
      }
      last = column;
      seen += end - begin;
    });
    assert.equal(seen, times.filter((ms) => ms >= from && ms <= to).length);
    const gaps = [];
    for (let ms = 0; ms < 1000;) {
      const begin = ms + Math.floor(random() * 60);
      ms = begin + 1 + Math.floor(random() * 20);
      gaps.push({ time_ms: begin, until_ms: ms });
    }
    const index = new GapIndex(gaps);
    const runs = index.runs(from, to, columns);
    runs.forEach((run, at) =>
      assert.ok(
        run.to > run.from &&
          run.share >= 0 &&
          run.share <= 1 &&
          run.to <= columns &&
          (at === 0 || run.from >= runs[at - 1].to),
        JSON.stringify(runs),
      ),
    );
    for (const { time_ms: begin, until_ms: end } of gaps) {
      if (end <= from || begin >= to) continue;
      const column = ((Math.max(begin, from) + Math.min(end, to) - 2 * from) / 2 / (to - from)) * columns;
      assert.ok(
        runs.some((run) => column >= run.from - 1e-6 && column <= run.to + 1e-6),
        `${begin} to ${end}`,
      );
    }
    for (const gap of gaps) assert.ok(index.at(gap.time_ms));
    assert.equal(index.at(-1), null);
  }
});

test('the cost of a million marks is bounded by the columns', () => {
  const many = 1_000_000;
  const columns = 1000;
  let read = 0;
  const counted = (array) => new Proxy(array, { get: (of, key) => (key === 'length' ? of.length : (++read, of[key])) });
  let calls = 0;
  eachColumn(counted(Float64Array.from({ length: many }, (_, at) => at)), 0, many - 1, columns, () => ++calls);
  assert.equal(calls, columns);
  assert.ok(read < columns * 100, `${read} of them were looked at`);
  const index = new GapIndex(Array.from({ length: many }, (_, at) => ({ time_ms: at * 10, until_ms: at * 10 + 3 })));
  read = 0;
  Object.assign(index, { from: counted(index.from), until: counted(index.until), before: counted(index.before) });
  const runs = index.runs(0, many * 10, columns);
  assert.ok(runs.length <= columns && runs.reduce((sum, { count }) => sum + count, 0) === many);
  assert.ok(Math.abs(runs.reduce((sum, { share, from, to }) => sum + share * (to - from), 0) / columns - 0.3) < 0.01);
  assert.ok(read < columns * 200, `${read} of them were looked at`);
});

test('compared with another format a .butter differs only beyond its rounding', () => {
  const tick = (x, more = {}) => ({
    session: {
      disc: { position: [x, 0, 0] },
      blue_points: 2,
      err_description: '',
      teams: [{ players: [{ stunned: false, ...more }] }],
    },
  });
  assert.equal(firstDifference(tick(1), tick(1.0004), '', nearAsButter), null);
  // In half precision, 33 metres away.
  assert.equal(firstDifference(tick(32.990002), tick(33), '', nearAsButter), null);
  assert.equal(firstDifference(tick(1), tick(1.01), '', nearAsButter).path, 'session.disc.position[0]');
  assert.equal(firstDifference(tick(1), tick(1.0004)).path, 'session.disc.position[0]');
  assert.equal(
    firstDifference(tick(1), tick(1, { stunned: true }), '', nearAsButter).path,
    'session.teams[0].players[0].stunned',
  );
  assert.equal(firstDifference(tick(1, { stunned: 0 }), tick(1), '', nearAsButter), null);
  assert.equal(firstDifference({ ...tick(1), bones: null }, tick(1), '', nearAsButter), null);
});

test('live state and time since the last data are known', () => {
  let now = 0;
  const state = new LiveState(() => now);
  assert.equal(state.state, 'live');
  for (; now < 7000; now += 150) state.answered();
  assert.deepEqual([state.state, Math.round(state.forMs / 1000)], ['stalled', 7]);
  state.came();
  assert.equal(state.state, 'live');
  now += 3000;
  assert.deepEqual([state.state, state.forMs], ['gone', 3000]);
  state.connected = true;
  assert.equal(state.state, 'live');
  now += 4000;
  assert.deepEqual([state.state, state.forMs], ['stalled', 7000]);
  state.end();
  assert.deepEqual([state.state, state.forMs], ['ended', undefined]);
});

test('curves are the values of the snapshots, with income per minute of game time in every version', async () => {
  const ticks = [160, 320, 480];
  const stats = (tick, player) => ({
    minerals_used_current_army: tick,
    vespene_used_current_army: 10 * player,
    minerals_collection_rate: 1400 - tick,
    vespene_collection_rate: 140,
    food_used: 4096 * 12.5,
    workers_active_count: player,
  });
  const recording = (version) => ({
    info: {
      version,
      players: [
        { name: 'A', number: 1 },
        { name: 'B', number: 2 },
        { name: 'C', team: 'spectator', number: 3 },
      ],
    },
    timeOf: (tick) => tick,
    // A snapshot of one player is missing in the middle.
    lines: async (tick) => [
      JSON.stringify({
        tick,
        time_ms: tick * 40,
        events: [
          { type: 'unit_born' },
          ...(tick === 320 ? [1] : [1, 2]).map((player) => ({
            type: 'player_stats',
            player_id: player,
            stats: stats(tick, player),
          })),
        ],
      }),
    ],
  });
  const events = ticks.flatMap((tick) =>
    [1, 2].map((player) => ({ tick, type: 'player_stat_snapshot', player, stats: { apm_x100: 100 * tick } })),
  );
  for (const [version, divisor] of [
    ['5.0.0.80949', 1.4],
    ['3.2.0.1', 1.4],
    ['3.1.4.1', 1],
    ['2.0.8.25604', 1],
    ['0.10.0.1', 1],
    [undefined, 1],
  ]) {
    const { times, curves } = await readCurves(recording(version), events);
    const of = Object.fromEntries(curves.map(({ title, players }) => [title, players.map(({ values }) => values)]));
    assert.deepEqual(times, [6400, 12800, 19200]);
    assert.deepEqual(of['Army value'], [
      [170, 330, 490],
      [180, null, 500],
    ]);
    assert.deepEqual(
      of['Income a minute'][0],
      ticks.map((tick) => (1540 - tick) / divisor),
    );
    assert.deepEqual(
      [of.Supply[0], of.Workers[1]],
      [
        [12.5, 12.5, 12.5],
        [2, null, 2],
      ],
    );
    assert.deepEqual(of['Actions a minute'][0], ticks);
  }
});

// The page at sixty pictures per second, and pieces of a reel as they arrive: each at `when`, with the contents up to
// `until`.
function watched(pieces, lengthMs) {
  let now = 0;
  let frame = null;
  const grown = [];
  const recording = {
    firstTimeMs: 0,
    lastTimeMs: 0,
    firstTick: 0,
    live: true,
    whole: true,
    on: (_, listener) => grown.push(listener),
    playing: () => {},
    tickAt: (ms) => Math.floor(ms / 16),
    timeOf: (tick) => tick * 16,
  };
  const real = performance.now;
  performance.now = () => now;
  globalThis.requestAnimationFrame = (then) => ((frame = then), 1);
  globalThis.cancelAnimationFrame = () => (frame = null);
  const lagMs = [];
  let still = 0;
  try {
    const player = new Player(recording);
    let at = 0;
    for (; now < lengthMs; now += 1000 / 60) {
      for (; at < pieces.length && pieces[at].when <= now; ++at) {
        recording.lastTimeMs = pieces[at].until;
        for (const listener of grown) listener();
        if (at === 0) player.goLive();
      }
      const before = player.timeMs;
      frame?.(now);
      if (now < lengthMs / 2) continue;
      lagMs.push(now - player.timeMs);
      if (player.timeMs === before) ++still;
    }
    player.dispose();
  } finally {
    performance.now = real;
  }
  lagMs.sort((a, b) => a - b);
  return { p95: lagMs[Math.floor(lagMs.length * 0.95)], most: lagMs.at(-1), still: still / lagMs.length };
}

test('a live picture follows the end as closely as pieces arrive, and does not stop between them', () => {
  const seed = testSeed();
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (const [interval, jitter] of [
    [250, 0],
    [250, 80],
    [500, 100],
    [1000, 50],
  ]) {
    const pieces = [];
    for (let until = interval; until < 60_000; until += interval)
      pieces.push({ until, when: until + 100 + random() * jitter });
    pieces.sort((a, b) => a.when - b.when);
    const { p95, still } = watched(pieces, 60_000);
    // The optimum: a piece is as old as it is long when the next arrives.
    const best = interval + 100 + jitter;
    assert.ok(p95 <= best + 160, `${interval} ms: ${p95} ms lagMs`);
    assert.ok(still < 0.1, `${interval} ms: ${still} of the time it stands still`);
  }
});

test('a live picture that lagged far returns to the end', () => {
  const pieces = [
    { until: 1000, when: 100 },
    { until: 9000, when: 200 },
    { until: 9500, when: 9600 },
  ];
  assert.ok(watched(pieces, 10_000).most < 9000);
});
