// The page of a recording that grows: followed, pushed, too large for memory, one of several.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bones,
  drawn,
  field,
  games,
  lateJoin,
  old,
  ticksOf,
  timeoutMs,
  torn,
  userOfTests,
  words,
} from './page_user.mjs';

const user = userOfTests();

test('a live recording of Echo VR reports no loss at its end', async () => {
  const bytes = readFileSync(lateJoin);
  const page = await user.open('live.reel', { bytes: bytes.subarray(0, Math.floor(bytes.length * 0.6)), live: true });
  assert.equal(await words(page, '.notes'), '');
  await page.click('#tab-facts');
  assert.doesNotMatch(await words(page, '.facts'), /ends early/);
});

test('a growing recording is followed, paused and scrubbed', async () => {
  const bytes = readFileSync(field);
  const page = await user.open(field, { bytes: bytes.subarray(0, Math.floor(bytes.length / 2)), live: true });
  const [, before] = await ticksOf(page);
  assert.equal(await page.$eval('.live', (element) => element.getAttribute('aria-pressed')), 'true');
  user.server.recording.bytes = bytes;
  await page.waitForFunction((had) => window.tickreel.recording.lastTick > had, before);
  await page.keyboard.press('k');
  await page.keyboard.press('Home');
  await drawn(page, 0);
  assert.equal(await page.$eval('.live', (element) => element.getAttribute('aria-pressed')), 'false');
  await page.click('.live');
  assert.equal(await page.$eval('.live', (element) => element.getAttribute('aria-pressed')), 'true');
});

const until = async (condition) => {
  for (const end = Date.now() + timeoutMs; !condition() && Date.now() < end;)
    await new Promise((done) => setTimeout(done, 20));
  assert.ok(condition());
};
const asked = (what) => user.server.requests.filter((each) => each === what).length;

// Readers keep small recordings in memory; here none, so that every byte takes the path of large ones.
test('a recording too large for memory reads the same, also when it grows', async () => {
  user.server.recording = null;
  const page = await user.page();
  const said = (bytes, options) =>
    page.evaluate(
      async ([given, options]) => {
        const all = Uint8Array.from(atob(given), (each) => each.charCodeAt(0));
        const { growsFrom = all.length, ...others } = options;
        const recording = await window.tickreel.openRecording(all.slice(0, growsFrom).buffer, others);
        // The second reader exists before the recording grows.
        await recording.overview();
        for (let at = growsFrom; at < all.length; at += 500) await recording.grow(all.slice(at, at + 500).buffer);
        const lines = [];
        for (let from = recording.firstTick; from <= recording.lastTick;) {
          const more = await recording.lines(from, 100);
          if (more.length === 0) break;
          lines.push(...more);
          from = JSON.parse(more.at(-1)).tick + 1;
        }
        const last = await recording.state(recording.lastTick);
        const answers = [
          recording.info,
          recording.bytes,
          lines,
          last,
          await recording.events,
          await recording.overview(),
          await recording.fields(),
        ];
        recording.close();
        return answers;
      },
      [bytes.toString('base64'), options],
    );
  for (const path of [
    join(old, 'bones.butter'),
    bones,
    lateJoin,
    field,
    torn,
    join(old, 'match.icrep'),
    join(old, 'walk.rec'),
    join(old, 'anonymised.SC2Replay'),
    games,
  ]) {
    const bytes = readFileSync(path);
    assert.deepEqual(await said(bytes, { heldUpTo: 0 }), await said(bytes, {}), path);
  }
  // One recording that exceeds the memory limit from the beginning, and one that grows past it.
  const bytes = readFileSync(field);
  const whole = await said(bytes, {});
  const growsFrom = bytes.length >> 1;
  for (const heldUpTo of [0, growsFrom + 600]) {
    const [, size, lines] = await said(bytes, { heldUpTo, growsFrom, live: true });
    assert.deepEqual([size, lines], [bytes.length, whole[2]]);
  }
});

test('the reader gets a seek before the page follows it, and rows of events stay', async () => {
  // What the page said about the tick when each request was sent.
  const init = `const real = Worker.prototype.postMessage;
    window.said = [];
    Worker.prototype.postMessage = function (message, ...others) {
      if (message.call === 'state') window.said.push([message.values[0], document.querySelector('.tick')?.textContent]);
      return real.call(this, message, ...others);
    };`;
  const page = await user.open(field, { init, hash: '#t=10', height: 1000 });
  await page.waitForSelector('.viewer[data-judged]');
  const made = await page.evaluate(async () => {
    const { viewer } = window.tickreel;
    const seek = async (tick) => {
      viewer.player.seekTick(tick);
      while (document.querySelector('.viewer').dataset.tick !== String(tick))
        await new Promise((next) => setTimeout(next, 1));
      await new Promise((next) => setTimeout(next, 300));
    };
    window.said = [];
    const list = document.querySelector('.events .rows');
    let changes = 0;
    const observer = new MutationObserver((all) => (changes += all.length));
    observer.observe(list, { childList: true });
    const rows = list.children.length;
    await seek(40);
    await seek(90);
    const marked = [changes, rows === list.children.length, list.querySelectorAll('.now').length];
    document.querySelector('#tab-values').click();
    observer.observe(list, { childList: true, attributes: true, subtree: true });
    await seek(20);
    await seek(60);
    const hidden = changes;
    document.querySelector('#tab-events').click();
    return { marked, hidden, now: list.querySelector('.now .when').textContent, said: window.said };
  });
  assert.deepEqual(made.marked, [0, true, 1]);
  assert.equal(made.hidden, 0);
  assert.deepEqual(
    made.said.filter(([tick]) => tick === 40 || tick === 90),
    [
      [40, 'tick 10'],
      [90, 'tick 40'],
    ],
  );
});

test('pushed data are not requested until the connection ends', async () => {
  const bytes = readFileSync(field);
  const half = Math.floor(bytes.length / 2);
  user.server.watchers.length = 0;
  const page = await user.open(field, { bytes: bytes.subarray(0, half), live: true, push: 'live?of=7' });
  const [, had] = await ticksOf(page);
  await until(() => user.server.watchers.length === 1);
  const before = asked('GET /recording');
  const [watcher] = user.server.watchers;
  assert.equal(watcher.have, half);
  const third = half + Math.floor(half / 2);
  for (let at = half; at < third; at += 300) watcher.send(bytes.subarray(at, Math.min(at + 300, third)));
  await page.waitForFunction((size) => window.tickreel.recording.bytes === size, third);
  assert.equal(asked('GET /recording'), before);
  user.server.recording.bytes = bytes;
  watcher.close();
  await page.waitForFunction((size) => window.tickreel.recording.bytes === size, bytes.length);
  await page.waitForFunction((last) => window.tickreel.recording.lastTick > last, had);
});

test('a page that was too slow for pushed data starts again when the connection ends', async () => {
  const bytes = readFileSync(field);
  user.server.watchers.length = 0;
  const page = await user.open(field, {
    bytes: bytes.subarray(0, Math.floor(bytes.length / 2)),
    live: true,
    push: 'live?of=7',
  });
  await until(() => user.server.watchers.length === 1);
  const before = asked('GET /recording.json');
  user.server.watchers[0].send('{"dropped":3}');
  user.server.recording.bytes = bytes;
  user.server.watchers[0].close();
  await until(() => asked('GET /recording.json') > before);
  await page.waitForFunction((size) => window.tickreel.recording?.bytes === size, bytes.length);
  await until(() => user.server.watchers.length === 2);
  assert.equal(user.server.watchers[1].have, bytes.length);
});

test('one of several recorded games is selected, and stays selected for its next matches', async () => {
  const bytes = readFileSync(field);
  const other = readFileSync(lateJoin);
  const live = (name, of) => ({ name, bytes: of, live: true });
  user.server.games = [
    { title: '127.0.0.1:6721', state: 'field.reel', recording: live('field.reel', bytes) },
    { title: '127.0.0.1:6722 <img src=x onerror=alert(1)>', state: 'no match yet', recording: null },
  ];
  try {
    let page = await user.page();
    await page.waitForSelector('.viewer[data-ready]');
    const shown = () => page.$eval('.targets [aria-current]', (link) => link.textContent);
    assert.match(await shown(), /^127\.0\.0\.1:6721 field\.reel$/);
    await page.click('.targets a:nth-child(2)');
    // It waits for a match, and shows it when it begins.
    await page.waitForFunction(() =>
      /No match of this game/.test(document.querySelector('.welcome')?.textContent ?? ''),
    );
    assert.match(await shown(), /6722 <img/);
    assert.equal(await page.$('.targets img'), null);
    Object.assign(user.server.games[1], { state: 'first.reel', recording: live('first.reel', other) });
    await page.waitForFunction(() => document.querySelector('.viewer h1')?.textContent === 'first.reel');
    await page.waitForFunction(() => /first\.reel/.test(document.querySelector('.targets [aria-current]').textContent));
    // The next match of the same game, not that of the other game.
    user.server.gone = true;
    user.server.games[1].recording = live('second.reel', bytes);
    await page.waitForFunction(() => document.querySelector('.viewer h1')?.textContent === 'second.reel');
    user.server.gone = false;
    // With keys, and in a narrow window.
    page = await user.page({ width: 360, height: 700 });
    await page.waitForSelector('.viewer[data-ready]');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
    await page.focus('.targets a:nth-child(2)');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.viewer h1')?.textContent === 'second.reel');
  } finally {
    Object.assign(user.server, { games: null, gone: false });
  }
});

test('a single recorded game looks the same as before', async () => {
  const page = await user.open(field, { live: true });
  assert.equal(await page.$('.targets'), null);
});

test('a live recording that does not exist yet is retried', async () => {
  const bytes = readFileSync(field);
  user.server.recording = { name: 'field.reel', bytes: bytes.subarray(0, 12), live: true };
  const page = await user.page();
  await page.waitForSelector('.welcome [role=status]');
  assert.equal(await page.$('.failure'), null);
  user.server.recording.bytes = bytes;
  await page.waitForSelector('.viewer[data-ready]');
});
