// What a person who opens a recording understands within seconds: a sentence about the match, fights, whole
// sentences, and a first picture with something in it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { findFights } from '../../recorders/viewer/page/fights.js';
import { listed, storyOf } from '../../recorders/viewer/page/story.js';
import { captionAt } from '../../recorders/viewer/page/watch.js';
import { freePlace } from '../../recorders/viewer/stage/text.js';
import { mapFile } from './map_file.mjs';
import { drawn, kept, PageUser, run, scratch, source, withAnswers } from './page_user.mjs';
import { testSeed } from './seed.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

const old = join(kept, '0.1.0/recordings');
const field = join(kept, '0.2.0/recordings/field.reel');
const staged = { name: 'staged.echoreplay', bytes: stagedMatch() };
const replay = join(source, '../shared/data/sc2/4.10.1.75800-1v1.SC2Replay');
const butter = join(scratch, 'goal.butter');
run('convert', join(kept, '0.2.0/recordings/echo.lines.reel'), butter);

let user;
before(async () => (user = await PageUser.start()));
after(() => user?.stop());
afterEach(() => user.checkBrowser());

// Numbers from 0 to 1.
function randomNumbers() {
  let state = testSeed();
  return () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
}

const hz = 10;
const recordingOf = (info, more = {}) => ({
  info,
  stage: 'arena',
  live: false,
  ticks: 100,
  firstTimeMs: 0,
  lastTimeMs: 60_000,
  timeOf: (tick) => (tick * 1000) / hz,
  clockOf: () => null,
  ...more,
});
const goal = (tick, name, team, points, clock) => ({
  tick,
  time_ms: (tick * 1000) / hz,
  game_clock: clock,
  type: 'goal',
  team,
  points,
  player: { name, team },
});
const story = (info, { score = [], last = null, more = {} }, events = []) =>
  storyOf(
    { recording: recordingOf(info, more), score, last, fights: findFights(events), nameOf: () => undefined },
    events,
  );

// Orange is behind, level, and ahead for good with the goal at tick 300.
const score = [
  [0, 0, 0],
  [100, 3, 0],
  [200, 3, 3],
  [300, 3, 5],
  [400, 5, 7],
];
const goals = [
  goal(100, 'Ada', 'blue', 3, 90),
  goal(200, 'Halyard', 'orange', 3, 60),
  goal(299, 'Coriolis', 'orange', 2, 42),
  goal(400, 'Halyard', 'orange', 2, 20),
];
const ended = { tick: 500, time_ms: 50_000, type: 'match_ended', blue_points: 5, orange_points: 7, winner: 'orange' };

test('a match of Echo VR is described with winner, score, scorer and the goal that decided it', () => {
  const { text, moment } = story({}, { score }, [...goals, ended]);
  assert.equal(text, 'Orange beat Blue 7 : 5; Halyard scored 5 points; decided 0:42 by Coriolis.');
  assert.deepEqual([moment.tick, moment.label], [299, 'Decisive goal']);
  // The names that players gave their teams.
  const teams = [{ team_name: 'Raptured' }, { team_name: 'Night Shift' }];
  assert.match(story({}, { score, last: { teams } }, [...goals, ended]).text, /^Night Shift beat Raptured 7 : 5;/);
});

test('without a known end there is no winner', () => {
  for (const events of [goals, [...goals, { ...ended, winner: 'none', uncertain: true }]]) {
    const { text, moment } = story({}, { score }, events);
    assert.match(text, /^Orange leads Blue 7 : 5 when the recording ends; .*; ahead since 0:42 by Coriolis\.$/);
    assert.equal(moment.label, 'Leading goal');
  }
  assert.match(
    story({}, { score: score.slice(0, 3) }, goals.slice(0, 2)).text,
    /^Blue and Orange have 3 : 3 when the recording ends/,
  );
  // A recording that begins with the lead does not contain the goal that made it.
  const ahead = story({}, { score: [score[3], score[4]] }, goals.slice(3));
  assert.doesNotMatch(ahead.text, /since|decided|beat/);
  assert.equal(ahead.moment.label, 'Best moment');
  // Points of the last round do not decide a match of several.
  const last = { total_round_count: 3, blue_round_score: 2, orange_round_score: 1 };
  assert.match(story({ winner: 'blue' }, { score, last }, [...goals, ended]).text, /^Blue beat Orange 2 : 1 in rounds/);
  assert.doesNotMatch(story({}, { score, last }, [...goals, ended]).text, /beat/);
  // In combat, points are no score.
  assert.doesNotMatch(story({ map_name: 'mpl_combat_gauss' }, { score }, []).text, /Blue|Orange/);
});

test('a match of StarCraft II is described with the results of its players', () => {
  const player = (name, team, result, more = {}) => ({ name, team, result, ...more });
  const of = (...players) => story({ map: 'Ever Dream', players }, { more: { stage: 'starcraft' } }).text;
  assert.equal(
    of(player('A', '1', 'loss', { race_english: 'Zerg' }), player('B', '2', 'win', { race_english: 'Terran' })),
    'B (Terran) beat A (Zerg) on Ever Dream after 1:00.',
  );
  assert.equal(
    of(player('A', '1', 'win'), player('B', '1', 'win'), player('C', '2', 'loss'), player('D', 'spectator')),
    'A and B beat C on Ever Dream after 1:00.',
  );
  assert.equal(of(player('A', '1', 'win'), player('B', '2', 'unknown')), 'A won on Ever Dream after 1:00.');
  assert.equal(
    of(player('A', '1', 'unknown'), player('B', '2', 'unknown')),
    'A against B on Ever Dream for 1:00; no winner is recorded.',
  );
  assert.equal(of(player('A', '1', 'tie'), player('B', '2', 'tie')), 'A and B drew on Ever Dream after 1:00.');
  assert.equal(listed(['A', 'B', 'C', 'D', 'E']), 'A, B, C and 2 more');
});

test('other recordings are described by what they contain', () => {
  const path = { stage: 'path' };
  assert.equal(
    story({ kind: 'vehicle', length_m: 895.1, top_speed_m_per_s: 13.88 }, { more: path }).text,
    'A vehicle moves 895 m in 1:00, at up to 13.9 m/s.',
  );
  assert.equal(story({}, { more: { stage: 'world' } }).text, '100 ticks in 1:00.');
  const whistles = [1, 2].map((tick) => ({ tick, time_ms: tick, type: 'whistle' }));
  assert.equal(story({}, { more: { stage: 'world' } }, [...whistles, goals[0]]).text, '2 whistles and 1 goal in 1:00.');
});

test('any recording has a sentence, and a winner only where a result says so', () => {
  const random = randomNumbers();
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = ['win', 'loss', 'unknown', 'won', '', null, 3, {}, '<b>', '\u202e', 'tie'];
  for (let round = 0; round < 2000; ++round) {
    const players = Array.from({ length: Math.floor(random() * 5) }, () => ({
      name: pick(['A', 'B', '', null, '<i>', 7]),
      team: pick(['1', '2', null, 'spectator']),
      result: pick(words),
    }));
    const rows = Array.from({ length: Math.floor(random() * 5) }, (_, at) => [at * 10, pick([0, 1, 5]), pick([0, 3])]);
    const events = [pick([goals[0], ended, { ...ended, uncertain: true }, { type: 'x', tick: 1, time_ms: 1 }])];
    const info = { players, winner: pick([undefined, 'blue', 'x']), map: pick(words) };
    const last = pick([null, {}, { total_round_count: 3 }, { teams: [null, { team_name: 5 }] }]);
    const { text } = story(info, { score: rows, last, more: { stage: pick(['', 'arena', 'world', 'path']) } }, events);
    assert.ok(text.length > 3 && text.endsWith('.') && !/undefined|NaN|\[object/.test(text), text);
    const decided =
      players.some(({ result, team }) => team !== 'spectator' && /^(win|won)$/.test(result)) ||
      info.winner === 'blue' ||
      (events[0] === ended && rows.length > 0);
    if (!decided) assert.doesNotMatch(text, /\b(beat|won)\b/, JSON.stringify([info, rows, last, events]));
  }
});

const loss = (seconds, more = {}) => ({
  tick: Math.round(seconds * 16),
  time_ms: seconds * 1000,
  type: 'unit_destroyed',
  killer_owner: 2,
  ...more,
});

test('a fight is at least five losses within ten seconds, and lasts while they are as frequent', () => {
  const times = (list) =>
    findFights(list).map(({ time_ms: from, until_ms: to, count }) => [from / 1000, to / 1000, count]);
  assert.deepEqual(times([0, 3, 6, 9].map((s) => loss(s))), []);
  assert.deepEqual(times([0, 3, 6, 9, 10].map((s) => loss(s))), [[0, 10, 5]]);
  assert.deepEqual(times([0, 3, 6, 9, 10.1].map((s) => loss(s))), []);
  // Depleted minerals are no loss; a fight goes on until a pause.
  const long = Array.from({ length: 40 }, (_, at) => loss(100 + at));
  assert.deepEqual(times([...long, loss(150), loss(300, { killer_owner: undefined })]), [[100, 139, 40]]);
  assert.deepEqual(times([...long, ...long.map(({ time_ms: ms }) => loss(ms / 1000 + 100))]), [
    [100, 139, 40],
    [200, 239, 40],
  ]);
  // As many as there are, each loss is in at most one fight.
  const random = randomNumbers();
  for (let round = 0; round < 100; ++round) {
    const list = Array.from({ length: 200 }, () => loss(random() * 300)).sort((a, b) => a.time_ms - b.time_ms);
    const found = findFights(list);
    for (const [at, { time_ms: from, until_ms: to, count }] of found.entries()) {
      assert.equal(count, list.filter(({ time_ms: ms }) => ms >= from && ms <= to).length);
      assert.ok(at === 0 || found[at - 1].until_ms < from);
    }
  }
});

test('a fight of minutes is cut at lulls, and states what each side lost', () => {
  const losses = (seconds) => seconds.map((s) => loss(s, { owner: 1 + (Math.round(s * 10) % 3 === 0) }));
  const every = (from, to) => Array.from({ length: (to - from) * 2 }, (_, at) => from + at / 2);
  const cuts = (list) => findFights(list).map(({ time_ms: from, until_ms: to }) => [from / 1000, to / 1000]);
  // A minute is one fight, however long its lulls are.
  assert.deepEqual(cuts(losses([...every(0, 20), ...every(28, 60)])), [[0, 59.5]]);
  // The longest lull of the second half-minute, not the longest of all.
  assert.deepEqual(cuts(losses([...every(0, 20), ...every(28, 40), ...every(43, 50), ...every(52, 90)])), [
    [0, 39.5],
    [43, 89.5],
  ]);
  // What follows a cut has enough losses for a fight of its own, so the last lull here is none.
  assert.deepEqual(cuts(losses([...every(0, 58), 60.2, 60.4])), [
    [0, 30],
    [30.5, 60.4],
  ]);
  // Of the minerals and rocks that are mined and broken none counts.
  assert.deepEqual(cuts(Array.from({ length: 40 }, (_, at) => loss(at, { owner: 0 }))), []);
  const [{ sides, count }] = findFights(losses([0, 0.1, 0.3, 0.6, 0.9]));
  assert.deepEqual([Object.fromEntries(sides), count], [{ 1: 1, 2: 4 }, 5]);
  const random = randomNumbers();
  for (let round = 0; round < 50; ++round) {
    const list = losses(Array.from({ length: 800 }, () => random() * 500).sort((a, b) => a - b));
    const found = findFights(list);
    assert.equal(
      found.reduce((sum, each) => sum + each.count, 0),
      800,
    );
    for (const { time_ms: from, until_ms: to, count } of found) assert.ok(to - from <= 70_000 && count >= 5);
  }
  // Times that decrease cost no more.
  const saw = Array.from({ length: 200_000 }, (_, at) => loss((at * 7) % 1000, { tick: at }));
  let reads = 0;
  const counted = saw.map((each) => ({
    ...each,
    get time_ms() {
      return (++reads, each.time_ms);
    },
  }));
  findFights(counted);
  assert.ok(reads < 40 * saw.length, String(reads));
});

test('of recent events the most important one is the sentence over the picture', () => {
  const list = [
    { type: 'save', tick: 10, time_ms: 1000 },
    { type: 'throw', tick: 20, time_ms: 2000 },
    { type: 'goal', tick: 30, time_ms: 3000 },
    { type: 'stun', tick: 40, time_ms: 4000 },
    { type: 'throw', tick: 80, time_ms: 8000 },
    { type: 'throw', tick: 90, time_ms: 9000 },
  ];
  const ticks = list.map(({ tick }) => tick);
  const at = (tick) => captionAt(list, ticks, { tick, timeMs: tick * 100 });
  assert.equal(at(5), null);
  assert.equal(at(25), list[0]);
  assert.equal(at(45), list[2]);
  assert.equal(at(85), list[2]);
  // Of equals the latest.
  assert.equal(at(92), list[5]);
  assert.equal(at(140), null);
});

test('texts in a picture cover no other one, and are not cut at its sides', () => {
  const random = randomNumbers();
  for (let round = 0; round < 300; ++round) {
    const taken = [];
    for (let number = 0; number < 6; ++number) {
      const wide = 20 + random() * 100;
      const place = freePlace(taken, { x: random() * 400, y: 20 + random() * 100, wide, high: 13 }, 400);
      assert.ok(place.x - place.half >= -1e-9 && place.x + place.half <= 400 + 1e-9);
    }
    taken.forEach((one, at) =>
      taken
        .slice(0, at)
        .forEach((other) =>
          assert.ok(Math.abs(one.x - other.x) >= one.half + other.half || Math.abs(one.y - other.y) >= 13 - 1e-9),
        ),
    );
  }
});

const samples = [
  {
    ...staged,
    title: /^Echo VR recording/,
    text: /^RAPTURED leads NIGHT SHIFT 6 : 2 in round 2 when the recording ends;/,
  },
  { path: butter, title: /^Echo VR recording/, text: /\.$/ },
  { path: join(old, 'match.icrep'), title: /^Iron Curtain replay/, text: /^A beat B after 0:13\.$/ },
  {
    path: join(old, 'anonymised.SC2Replay'),
    title: /^StarCraft II replay · Clockwork Canyon$/,
    text: /^Player 1 beat Player 2 and Very easy computer on Clockwork Canyon after 0:29\.$/,
  },
  { path: field, title: /^Tickreel recording/, text: /^3 goals, 1 whistle and 1 other event in 0:03\.$/ },
  { path: join(old, 'drive.rec'), title: /^SA-MP path/, text: /^A vehicle moves \d+ m in \d+:\d\d/ },
];
const wordsOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const judged = (page) => page.waitForSelector('.viewer[data-judged]');
// What the page has changed by now is drawn.
const painted = (page) =>
  page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

test('each sample states what happens, in words for people, and nothing of it without spoilers', async () => {
  for (const { title, text, path = '', ...more } of samples) {
    let page = await user.open(path, { ...more, hash: '' });
    await judged(page);
    assert.match(await wordsOf(page, 'header .title p'), title);
    assert.match(await wordsOf(page, '.story p'), text);
    await page.click('#tab-facts');
    assert.match(await wordsOf(page, '.facts > .note'), text);
    const formats = await page.$$eval('.facts dt', (all) =>
      all.filter((each) => each.textContent === 'format').map((each) => each.nextSibling.textContent),
    );
    assert.match(formats[0], new RegExp(title.source.split(' · ')[0].replace(/\$$/, '')));
    // The button leads to the moment.
    if (await page.$('.story button')) {
      const before = await page.evaluate(() => window.tickreel.viewer.player.tick);
      await page.click('.story button');
      await page.waitForFunction((tick) => window.tickreel.viewer.player.tick !== tick, before);
    }
    await page.click('.actions button');
    const shown = () => page.$eval('.story', (each) => [each.hidden, each.textContent]);
    assert.deepEqual(await shown(), [true, '']);
    assert.equal(await wordsOf(page, '.facts > .note'), '');
    await page.click('.actions button');
    assert.match(await wordsOf(page, '.story p'), text);
    page = await user.open(path, { ...more, hash: '#spoiler-free' });
    await judged(page);
    assert.deepEqual(await shown(), [true, '']);
    user.checkBrowser();
  }
  const page = await user.open(join(old, 'flagged.gamecache'));
  assert.equal(await wordsOf(page, 'header .title p'), 'DotA game list');
  assert.equal(await wordsOf(page, '.story'), '3 games of 2:00:00 in all: sentinel won 1 and scourge won 1.');
});

test('a recording opens where something is seen, and a link where it leads', async () => {
  let page = await user.open(join(old, 'match.icrep'));
  await judged(page);
  const notice = () =>
    page.$$eval('.stage-notice', (all) => all.filter((each) => each.offsetParent).map((each) => each.textContent));
  assert.notEqual(await page.evaluate(() => window.tickreel.viewer.player.tick), 0);
  assert.deepEqual(await notice(), []);
  page = await user.open(join(old, 'match.icrep'), { hash: '#t=0' });
  await judged(page);
  await drawn(page, 0);
  assert.match((await notice()).join(), /Nothing has a position at this tick/);
  if (!existsSync(replay)) return console.log('viewer: no real replay; its first numbers are not compared');
  page = await user.open(replay);
  await judged(page);
  await page.waitForFunction(
    () => {
      const numbers = [...document.querySelectorAll('.economy .number-of b')].map((each) => each.textContent);
      return numbers.length === 10 && numbers.every((each) => each !== '\u2013');
    },
    null,
    { polling: 100 },
  );
});

// For `init`: a reader whose recording has these events.
const withEvents = (events) =>
  withAnswers(
    (call, text, lines) => (call === 'events' ? lines : text),
    events.map((each) => JSON.stringify(each)).join('\n'),
  );
// Losses at these seconds of a replay of StarCraft II.
const withLosses = (seconds) =>
  withEvents(seconds.map((at) => ({ ...loss(at), tick: Math.floor(at * 22.4), owner: 1 })));
const yellow = (page) =>
  page.evaluate(() => {
    const shown = document.querySelector('.timeline canvas');
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: shown.width, height: shown.height });
    canvas.getContext('2d').drawImage(shown, 0, 0);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let first = Infinity;
    let last = -1;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === 0xf7 && data[at + 1] === 0xd3 && data[at + 2] === 0x4a) {
        const x = ((at / 4) % canvas.width) / canvas.width;
        [first, last] = [Math.min(first, x), Math.max(last, x)];
      }
    return last < 0 ? null : [first, last];
  });

test('a link to the charts of a replay shows its curves', async () => {
  const snapshot = (tick) => ({
    tick,
    time_ms: tick * 45,
    type: 'player_stat_snapshot',
    player: 1,
    stats: { apm_x100: tick },
  });
  const init = withEvents([snapshot(10), snapshot(50), snapshot(90)]);
  const page = await user.open(join(old, 'anonymised.SC2Replay'), { init, hash: '#tab=charts' });
  await page.waitForSelector('.curves .chart .uplot');
});

test('fights are blocks on the timeline, after their end where spoilers are hidden', async () => {
  // The last tick of this replay is at 4.6 s.
  const fight = Array.from({ length: 12 }, (_, at) => 1 + at / 10);
  const init = withLosses(fight);
  const path = join(old, 'anonymised.SC2Replay');
  let page = await user.open(path, { init, colorScheme: 'dark' });
  await judged(page);
  await painted(page);
  const [from, to] = await yellow(page);
  const shareOf = (s) =>
    page.evaluate((ms) => {
      const { firstTimeMs: first, lastTimeMs: last } = window.tickreel.recording;
      return (ms - first) / (last - first);
    }, s * 1000);
  assert.ok(Math.abs(from - (await shareOf(1))) < 0.01 && Math.abs(to - (await shareOf(2.1))) < 0.01, `${from} ${to}`);
  const { x, y, width, height } = await (await page.$('.timeline')).boundingBox();
  const tips = [];
  for (let at = y + 16; at < y + height; at += 3) {
    await page.mouse.move(x + width * ((from + to) / 2), at);
    tips.push(await wordsOf(page, '.tip'));
  }
  assert.ok(
    tips.some((tip) => tip.includes('A fight: 12 units lost in 1 s')),
    tips.join(),
  );
  assert.match(await wordsOf(page, '.story p'), /largest fight at 0:\d\d: 12 lost \(Player 1 12\)\.$/);
  await page.click('.story button');
  page = await user.open(path, { init, colorScheme: 'dark', hash: '#t=30&spoiler-free' });
  await judged(page);
  await painted(page);
  assert.equal(await yellow(page), null);
  await page.evaluate(() => window.tickreel.viewer.player.seekTick(80));
  await painted(page);
  assert.notEqual(await yellow(page), null);
});

test('events of a protocol are offered with the fields, not before', async () => {
  const init = withEvents([
    { tick: 0, time_ms: 0, type: 'camera_save', stream: 'game', seconds: 0, player: 1 },
    { tick: 8, time_ms: 300, type: 'chat', stream: 'message', seconds: 0.3, player: 1, text: 'hello' },
  ]);
  const page = await user.open(join(old, 'anonymised.SC2Replay'), { init });
  await judged(page);
  const seen = () =>
    page.evaluate(() => [
      [...document.querySelectorAll('.filters label')].filter((each) => !each.hidden).map((each) => each.textContent),
      document.querySelectorAll('.rows .row').length,
    ]);
  assert.deepEqual(await seen(), [['chat 1'], 1]);
  await page.check('.events .row-of input[type=checkbox]');
  assert.deepEqual(await seen(), [['chat 1', 'camera save 1'], 1]);
  await page.click('.filters label:nth-child(2)');
  await page.uncheck('.events .row-of input[type=checkbox]');
  // What the user chose stays.
  assert.deepEqual(await seen(), [['chat 1', 'camera save 1'], 2]);
});

test('the cost of a hundred thousand losses depends on their pixels', async () => {
  const path = join(old, 'anonymised.SC2Replay');
  const init = withLosses(Array.from({ length: 100_000 }, (_, at) => Math.floor(at / 50) / 71 + (at % 50) * 1e-4));
  const page = await user.open(path, { init });
  await judged(page);
  const { calls, wide } = await page.evaluate(async () => {
    let calls = 0;
    const to = CanvasRenderingContext2D.prototype;
    for (const name of ['fillRect', 'fill', 'stroke', 'fillText', 'measureText']) {
      const real = to[name];
      to[name] = function (...values) {
        if (this.canvas.closest('.timeline') || !this.canvas.isConnected) ++calls;
        return real.apply(this, values);
      };
    }
    document.querySelector('.filters input').click();
    for (let i = 0; i < 4; ++i) await new Promise(requestAnimationFrame);
    return { calls, wide: document.querySelector('.timeline').clientWidth };
  });
  assert.ok(calls > 0 && calls < 12 * wide, `${calls} of ${wide}`);
});

// Sentences that are cut, and rows that cover each other.
const cutSentences = (page) =>
  page.evaluate(() => {
    const out = [];
    for (const one of document.querySelectorAll(
      '.rows .what, .card b, .force .what, .caption, .story p, ol.plain .what',
    )) {
      if (!one.offsetParent) continue;
      const style = getComputedStyle(one);
      if (one.scrollWidth > one.clientWidth + 1 && style.display !== 'inline') out.push(one.textContent);
      if (style.textOverflow === 'ellipsis' || style.whiteSpace === 'nowrap') out.push(`may be cut: ${one.className}`);
    }
    const rows = [...document.querySelectorAll('.rows .row')].map((row) => row.getBoundingClientRect());
    rows.forEach((row, at) => at > 0 && row.top < rows[at - 1].bottom - 0.5 && out.push(`row ${at} covers another`));
    return out;
  });

test('sentences are whole at every width, and the last of a list can be reached', async () => {
  const long = {
    path: join(old, 'anonymised.SC2Replay'),
    hash: '#t=0',
    init: withEvents(
      Array.from({ length: 60 }, (_, at) => ({
        tick: at * 8,
        time_ms: at * 350,
        type: 'chat',
        player: 1,
        text: 'a word '.repeat(1 + ((at * 7) % 25)),
      })),
    ),
  };
  for (const [width, height] of [
    [360, 780],
    [1280, 760],
    [1920, 1080],
  ]) {
    for (const one of [
      { path: '', ...staged, hash: `#t=${tickAtSecond(6.3)}` },
      { path: field, hash: '#t=90' },
      long,
    ]) {
      const page = await user.open(one.path, { ...one, width, height });
      await judged(page);
      assert.deepEqual(await cutSentences(page), [], `${one.path} ${width}`);
      // From the first to the last, each row is seen completely at some place of the scroll bar.
      const seen = await page.evaluate(async () => {
        const list = document.querySelector('.events .scrolls');
        const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        list.scrollIntoView();
        const found = new Set();
        for (let round = 0, at = 0; round < 400; ++round, at += 20) {
          list.scrollTop = at;
          await frame();
          const { top, bottom } = list.getBoundingClientRect();
          for (const row of list.querySelectorAll('.row')) {
            const box = row.getBoundingClientRect();
            if (box.top >= top - 1 && box.bottom <= bottom + 1) found.add(Number(row.getAttribute('aria-posinset')));
          }
          if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1 && at > list.scrollTop + 200) break;
        }
        return [found.size, Number(list.querySelector('.row').getAttribute('aria-setsize'))];
      });
      assert.equal(seen[0], seen[1], `${one.path} ${width}`);
      user.checkBrowser();
    }
  }
});

test('labels on the timeline do not cover each other, and none is before its moment', async () => {
  // Goals that come closer and closer, and names of any length.
  const init = withEvents(
    Array.from({ length: 40 }, (_, at) => {
      const tick = Math.floor(150 * (1 - 0.85 ** at));
      return { tick, time_ms: tick * 20, type: 'goal', points: 2, player: { name: 'Name'.repeat(1 + ((at * 3) % 8)) } };
    }),
  );
  const listening = `(() => {
    const real = CanvasRenderingContext2D.prototype.fillText;
    window.written = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      if (text.startsWith('Name')) window.written.push({ x, y, wide: this.measureText(text).width });
      real.call(this, text, x, y);
    };
  })()`;
  for (const width of [360, 1280, 1920]) {
    const page = await user.open(field, { init: `${init};${listening}`, width, hash: '#t=140&spoiler-free' });
    await judged(page);
    const written = () =>
      page.evaluate(async () => {
        const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        await frame();
        window.written.length = 0;
        window.tickreel.viewer.player.seekTick(window.tickreel.viewer.player.tick + 1);
        window.dispatchEvent(new Event('resize'));
        document.querySelector('.filters input').click();
        document.querySelector('.filters input').click();
        await frame();
        const { timeMs } = window.tickreel.viewer.player;
        const { firstTimeMs: first, lastTimeMs: last } = window.tickreel.recording;
        const wide = document.querySelector('.timeline').clientWidth;
        return { list: window.written, wide, now: (wide * (timeMs - first)) / (last - first) };
      });
    const { list, wide, now } = await written();
    assert.ok(list.length > 0);
    list.forEach(({ x, wide: broad }, at) => {
      assert.ok(x >= 0 && x + broad <= wide + 1 && x <= now + 5, JSON.stringify({ x, broad, wide, now }));
      for (const other of list.slice(0, at)) assert.ok(x >= other.x + other.wide || other.x >= x + broad);
    });
    user.checkBrowser();
  }
});

test('a map file of StarCraft II is the ground, with its own edges, without a question', async () => {
  const page = await user.open(field, { hash: '#view=top', colorScheme: 'dark' });
  await judged(page);
  const give = (name, buffer) =>
    page.setInputFiles('.map-control input[type=file]', { name, mimeType: 'application/octet-stream', buffer });
  const red = mapFile(32, [3, 2, 27, 22], () => [255, 0, 0]);
  await give('Red.SC2Map', red);
  const edges = await page.waitForSelector('.map-control input[type=text]');
  assert.equal(await edges.inputValue(), '3 2 27 22');
  // Dropped, it takes the place of the first one: a file of the same name keeps no other edges.
  await edges.fill('0 0 1 1');
  await edges.press('Enter');
  await page.evaluate((data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const dropped = new DataTransfer();
    dropped.items.add(new File([bytes], 'Red.SC2Map'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true }));
  }, red.toString('base64'));
  await page.waitForFunction(() => document.querySelector('.map-control input[type=text]').value === '3 2 27 22');
  assert.ok(await page.$('.viewer[data-judged]'));
  // Nothing says that it is the world's map, which one notice states.
  await page.waitForSelector('.notes :text("Red.SC2Map: the recording does not state the file of its map")');
  assert.equal((await page.$$('.notes p:has-text("Red.SC2Map")')).length, 1);
  // What is no map is stated, and changes nothing.
  await give('no.s2ma', Buffer.from('not a map'));
  await page.waitForSelector('.notes :text("no.s2ma has no map to show")');
  await give('cut.SC2Map', red.subarray(0, 400));
  await page.waitForSelector('.notes :text("cut.SC2Map has no map to show")');
  const wrong = mapFile(32, [3, 2, 27, 22], () => [0, 0, 0]);
  wrong.writeUInt32LE(99, wrong.indexOf('Char\0') + 5 + 8);
  await give('wrong.SC2Map', wrong);
  await page.waitForSelector('.notes :text("contradict the size of the map")');
  assert.equal(await page.$eval('.map-control input[type=text]', (each) => each.value), '3 2 27 22');
});

// The boxes of three colours in the picture: [left, top, right, bottom].
async function coloursOfMap(page) {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  return page.evaluate(() => {
    const canvas = document.querySelector('.canvas-host canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const boxes = {};
    for (let at = 0; at < data.length; at += 4) {
      const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
      if (!['255 255 0', '0 255 0', '255 0 0'].includes(colour)) continue;
      const [x, y] = [(at / 4) % canvas.width, Math.floor(at / 4 / canvas.width)];
      const box = (boxes[colour] ??= [x, y, x, y]);
      boxes[colour] = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
    }
    return boxes;
  });
}

test('the picture of a map file is drawn between its edges', async () => {
  if (!existsSync(replay)) return console.log('viewer: no real replay; no map file is drawn under one');
  const page = await user.open(replay, { hash: '#panel=0', colorScheme: 'dark' });
  await judged(page);
  await page.waitForFunction(() => document.querySelector('.game-clock')?.textContent);
  const quarters = (x, y) => [x < 0.5 ? 255 : 0, y < 0.5 ? 255 : 0, 0];
  const give = (name, size) =>
    page.setInputFiles('.map-control input[type=file]', {
      name,
      mimeType: 'application/octet-stream',
      buffer: mapFile(size, [20, 30, 120, 130], quarters),
    });
  // A map of another size is refused. Of the same size it may be another version, which is stated.
  await give('Wide.SC2Map', 256);
  await page.waitForSelector('.notes :text("Wide.SC2Map has no map to show")');
  await page.waitForSelector('.notes :text("it is another map than that of the recording: its size is 256 x 256")');
  assert.equal(await page.$('.map-control input[type=text]'), null);
  await page.click('.notes [aria-label=Close]');
  await give('Four.SC2Map', [152, 168]);
  await page.waitForSelector('.map-control input[type=text]');
  await page.waitForSelector('.notes :text("Four.SC2Map: the recording states another file")');
  const seen = await coloursOfMap(page);
  // Yellow is left above, green right above, red left below.
  assert.ok(seen['255 255 0'][0] < seen['0 255 0'][0] - 10, JSON.stringify(seen));
  assert.ok(seen['255 255 0'][1] < seen['255 0 0'][1] - 10, JSON.stringify(seen));
  assert.ok(Math.abs(seen['255 255 0'][2] - seen['0 255 0'][0]) < 4, JSON.stringify(seen));
  // Removed, it leaves no doubt.
  await page.click('.map-control [aria-label="Remove the map"]');
  assert.deepEqual(await page.$$('.notes p'), []);
  // Zoomed in, the corner shows the whole map on the same ground.
  await give('Four.SC2Map', [152, 168]);
  await page.waitForSelector('.map-control input[type=text]');
  for (let times = 0; times < 12; ++times) await page.press('.canvas-host canvas', '+');
  const near = await coloursOfMap(page);
  const { high } = await page.$eval('.canvas-host canvas', (canvas) => ({ high: canvas.height }));
  assert.ok(near['255 0 0'][3] > high - 40 && near['255 0 0'][0] < 40, JSON.stringify(near));
});

test('the program gives a map with the recording, and its doubts', async () => {
  const picture = readFileSync(join(source, 'docs/viewer/match.jpg'));
  const map = { name: 'Antiga.SC2Map', edges: '1 2 30 40', doubt: 'it may be another', bytes: picture };
  for (const recording of [field, staged.bytes]) {
    const page = await user.open(typeof recording === 'string' ? recording : '', {
      name: typeof recording === 'string' ? 'field.reel' : staged.name,
      bytes: typeof recording === 'string' ? undefined : recording,
      map,
      hash: '#view=top',
    });
    await judged(page);
    if (recording === field) {
      await page.waitForSelector('.notes :text("Antiga.SC2Map: it may be another.")');
      const edges = await page.waitForSelector('.map-control input[type=text]');
      assert.equal(await edges.inputValue(), '1 2 30 40');
    } else await page.waitForSelector('.notes :text("This recording has no ground")');
    user.checkBrowser();
  }
});
