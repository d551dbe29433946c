// What a person who opens a recording understands within seconds: a sentence about the match, fights, whole
// sentences, and a first picture with something in it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFights } from '../../recorders/viewer/page/fights.js';
import { listed, storyOf } from '../../recorders/viewer/page/story.js';
import { captionAt } from '../../recorders/viewer/page/watch.js';
import { freePlace } from '../../recorders/viewer/stage/text.js';
import { converted, drawn, echoMatch, field, judged, old, source, userOfTests, words } from './page_user.mjs';
import { loss, withEvents } from './replay_events.mjs';
import { randomOf, testSeed } from './seed.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

const staged = { name: 'staged.echoreplay', bytes: stagedMatch() };
const replay = join(source, '../shared/data/sc2/4.10.1.75800-1v1.SC2Replay');
const butter = converted(echoMatch, 'goal.butter');

const user = userOfTests();

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
  const random = randomOf(testSeed());
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
  const random = randomOf(testSeed());
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
  const random = randomOf(testSeed());
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
  const random = randomOf(testSeed());
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

test('each sample states what happens, in words for people, and nothing of it without spoilers', async () => {
  for (const { title, text, path = '', ...more } of samples) {
    let page = await user.open(path, { ...more, hash: '' });
    await judged(page);
    assert.match(await words(page, 'header .title p'), title);
    assert.match(await words(page, '.story p'), text);
    await page.click('#tab-facts');
    assert.match(await words(page, '.facts > .note'), text);
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
    assert.equal(await words(page, '.facts > .note'), '');
    await page.click('.actions button');
    assert.match(await words(page, '.story p'), text);
    page = await user.open(path, { ...more, hash: '#spoiler-free' });
    await judged(page);
    assert.deepEqual(await shown(), [true, '']);
    user.checkBrowser();
  }
  const page = await user.open(join(old, 'flagged.gamecache'));
  assert.equal(await words(page, 'header .title p'), 'DotA game list');
  assert.equal(await words(page, '.story'), '3 games of 2:00:00 in all: sentinel won 1 and scourge won 1.');
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
