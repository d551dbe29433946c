// What of the page needs no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirstDifference, firstDifference } from '../../recorders/viewer/page/compare.js';
import { incomeOf } from '../../recorders/viewer/page/income.js';
import { Kinds, teamColours } from '../../recorders/viewer/page/kinds.js';
import { LineCache } from '../../recorders/viewer/page/line_cache.js';
import { Player } from '../../recorders/viewer/page/player.js';
import { momentText, parseJson, parseMoment, parsePlace, shellWord, shownText, timeText } from '../../recorders/viewer/page/text.js';

test('places are those of the program', () => {
  const places = {
    '120': { tick: 120 }, 'tick:7': { tick: 7 }, '12.5s': { ms: 12_500 }, '1m30s': { ms: 90_000 }, '2h': { ms: 7_200_000 }, '250ms': { ms: 250 },
    '8:30': { clock: 510 }, '08:30': { clock: 510 }, 'clock:08:30': { clock: 510 }, '1:02:03': { ms: 3_723_000 }, 'clock:510.5': { clock: 510.5 }, ' 9:59.90 ': { clock: 599.9 },
  };
  for (const [text, place] of Object.entries(places)) assert.deepEqual(parsePlace(text), place, text);
  for (const text of ['', 'x', '-1', '8.30', '1e9', '8:60', 'm', '1s1', '9'.repeat(20), '<b>']) assert.equal(parsePlace(text), null, text);
});

test('integers of 64 bits keep their digits', () => {
  const read = parseJson('{"a":18446744073709551615,"b":9007199254740991,"c":"1234567890123456789,","d":[-9223372036854775808],"e":1.2345678901234567,"f":"\\"12345678901234567"}');
  assert.deepEqual(read, { a: '18446744073709551615', b: 9007199254740991, c: '1234567890123456789,', d: ['-9223372036854775808'], e: 1.2345678901234567, f: '"12345678901234567' });
  // A text as long as a file may have it is no way to end the page.
  const long = 'x1234567890123456789'.repeat(100_000);
  assert.equal(parseJson(JSON.stringify({ long })).long, long);
});

test('a link brings one back to the moment', () => {
  const seed = Number(process.env.TICKREEL_TEST_SEED ?? Date.now() % 1e6);
  console.log(`seed ${seed}`);
  let state = seed;
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const letters = 'aZ0 &=#%+<>"\u00e9\u6f22\u{1f600}';
  for (let round = 0; round < 500; ++round) {
    const name = Array.from({ length: 1 + random(12) }, () => [...letters][random([...letters].length)]).join('');
    const moment = { tick: random(1e6), speed: [0.1, 0.5, 2, 16][random(4)], follow: name, view: random(2) ? 'top' : null, spoilerFree: random(2) === 1 };
    assert.deepEqual(parseMoment(momentText(moment)), moment);
  }
  for (const hash of ['', '#', '#t=-1', '#t=1e5&speed=99', '#speed=NaN', '#%', '#t=99999999999999999999']) {
    assert.deepEqual([parseMoment(hash).tick, parseMoment(hash).speed], [null, null], hash);
  }
});

test('names are shown as they are, and safe to paste', () => {
  assert.equal(shellWord('match.butter'), 'match.butter');
  assert.equal(shellWord("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
  assert.equal(shellWord('-o'), "'./-o'");
  assert.equal(shownText('a\u202eb\u0007c'), 'a\u00b7b\u00b7c');
  assert.equal(shownText('x'.repeat(1000), 10).length, 11);
  assert.equal(timeText(3_723_450, 2), '1:02:03.45');
  assert.equal(timeText(59_999), '1:00');
});

// Lines as a reader gives them: of every third tick, as where ticks were lost.
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

test('any tick is the one of the reader, played or sought', async () => {
  for (const ahead of [false, true]) {
    const { range, one } = reader(3000);
    const cache = new LineCache(range, one);
    cache.ahead = ahead;
    for (let tick = 0; tick < 2998; ++tick) assert.equal((await cache.state(tick)).tick, Math.ceil(tick / 3) * 3);
    for (const tick of [2000, 5, 1999, 6, 2997]) assert.equal((await cache.state(tick)).tick, Math.ceil(tick / 3) * 3);
    assert.equal(await cache.state(2998), null);
  }
});

test('playing asks for many ticks at once, and twice for none', async () => {
  const { range, one, asked } = reader(3000);
  const cache = new LineCache(range, one);
  cache.ahead = true;
  for (let tick = 0; tick < 2998; ++tick) await cache.state(tick);
  assert.ok(asked.length < 40, `${asked.length} questions`);
  const before = asked.length;
  for (let tick = 2900; tick < 2990; ++tick) await cache.state(tick);
  assert.equal(asked.length, before);
});

test('the first difference has its tick and its path', async () => {
  assert.equal(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), null);
  assert.deepEqual(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }), { path: 'a[1].b', first: 2, second: 3 });
  assert.deepEqual(firstDifference({ a: 1 }, {}), { path: 'a', first: 1, second: undefined });
  const recording = (ticks, change) => ({
    firstTick: ticks[0],
    lines: async (from, count) => ticks.filter((tick) => tick >= from).slice(0, count).map((tick) => JSON.stringify({ tick, value: change(tick) })),
  });
  const all = Array.from({ length: 200 }, (_, at) => at);
  const same = recording(all, () => 1);
  assert.deepEqual(await findFirstDifference(same, same, () => false), { same: 200 });
  assert.deepEqual(await findFirstDifference(same, recording(all, (tick) => (tick >= 77 ? 2 : 1)), () => false), { tick: 77, path: 'value', first: 1, second: 2 });
  // What one of them lost is not a difference.
  assert.deepEqual(await findFirstDifference(same, recording(all.filter((tick) => tick % 2), () => 1), () => false), { same: 100 });
  assert.equal(await findFirstDifference(same, same, () => true), null);
});

test('income is what came, a minute', () => {
  const seconds = [0, 10, 20, 30, 40, 50, 60];
  const steady = incomeOf(seconds, [100, 200, 300, 400, 500, 600, 700]);
  assert.deepEqual(steady, [null, 600, 600, 600, 600, 600, 600]);
  // What came in one load is spread over half a minute, and is over then.
  assert.deepEqual(incomeOf(seconds, [0, 0, 300, 300, 300, 300, 300]), [null, 0, 900, 600, 600, 0, 0]);
  assert.deepEqual(incomeOf([0, 10, 20], [null, 5, 10]), [null, null, 30]);
  assert.deepEqual(incomeOf([], []), []);
});

test('kinds of events have the colours of no team, and no two of ten look alike', () => {
  for (const matches of [false, true]) {
    globalThis.matchMedia = () => ({ matches });
    const kinds = new Kinds([...'abcdefghij'].map((type) => ({ type })));
    assert.equal(new Set(kinds.list.map((kind) => `${kind.shape} ${kinds.colour(kind)}`)).size, 10);
    for (const kind of kinds.list) assert.ok(!Object.values(teamColours()).includes(kinds.colour(kind)), kind.type);
  }
});

// The page at sixty pictures a second, and pieces of a reel as they come: each at `when` with what is there up to `until`.
function watched(pieces, lengthMs) {
  let now = 0;
  let frame = null;
  const grown = [];
  const recording = { firstTimeMs: 0, lastTimeMs: 0, firstTick: 0, live: true, whole: true, on: (_, listener) => grown.push(listener), playing: () => {}, tickAt: (ms) => Math.floor(ms / 16), timeOf: (tick) => tick * 16 };
  const real = performance.now;
  performance.now = () => now;
  globalThis.requestAnimationFrame = (then) => ((frame = then), 1);
  globalThis.cancelAnimationFrame = () => (frame = null);
  const behind = [];
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
      behind.push(now - player.timeMs);
      if (player.timeMs === before) ++still;
    }
    player.dispose();
  } finally {
    performance.now = real;
  }
  behind.sort((a, b) => a - b);
  return { p95: behind[Math.floor(behind.length * 0.95)], most: behind.at(-1), still: still / behind.length };
}

test('a live picture is as near to its end as pieces come, and does not stop between them', () => {
  const seed = Number(process.env.TICKREEL_TEST_SEED ?? Date.now() % 1e6);
  console.log(`seed ${seed}`);
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (const [interval, jitter] of [[250, 0], [250, 80], [500, 100], [1000, 50]]) {
    const pieces = [];
    for (let until = interval; until < 60_000; until += interval) pieces.push({ until, when: until + 100 + random() * jitter });
    pieces.sort((a, b) => a.when - b.when);
    const { p95, still } = watched(pieces, 60_000);
    // The best there is: a piece is as old as it is long when the next comes.
    const best = interval + 100 + jitter;
    assert.ok(p95 <= best + 160, `${interval} ms: ${p95} ms behind`);
    assert.ok(still < 0.1, `${interval} ms: ${still} of the time it stands still`);
  }
});

test('a live picture that fell far behind is at the end again', () => {
  const pieces = [{ until: 1000, when: 100 }, { until: 9000, when: 200 }, { until: 9500, when: 9600 }];
  assert.ok(watched(pieces, 10_000).most < 9000);
});
