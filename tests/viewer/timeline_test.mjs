// The timeline: fights, labels, and what many events cost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { field, judged, old, painted, userOfTests, words } from './page_user.mjs';
import { loss, withEvents } from './replay_events.mjs';

const user = userOfTests();

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
    tips.push(await words(page, '.tip'));
  }
  assert.ok(
    tips.some((tip) => tip.includes('A fight: 12 units lost in 1 s')),
    tips.join(),
  );
  assert.match(await words(page, '.story p'), /largest fight at 0:\d\d: 12 lost \(Player 1 12\)\.$/);
  await page.click('.story button');
  page = await user.open(path, { init, colorScheme: 'dark', hash: '#t=30&spoiler-free' });
  await judged(page);
  await painted(page);
  assert.equal(await yellow(page), null);
  await page.evaluate(() => window.tickreel.viewer.player.seekTick(80));
  await painted(page);
  assert.notEqual(await yellow(page), null);
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
