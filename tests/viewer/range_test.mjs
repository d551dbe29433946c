// A selected part of a recording: looped, linked to, saved as a clip and as a video.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from '../../recorders/viewer/page/clip.js';
import { converted, echoMatch, judged, run, scratch, userOfTests } from './page_user.mjs';

const text = converted(echoMatch, 'text.echoreplay');
const butter = converted(echoMatch, 'match.butter');

const user = userOfTests();

const range = (page) => page.evaluate(() => window.tickreel.viewer.player.range);
const linesOf = (path) =>
  run('cat', path)
    .out.trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('checksums are those of zip archives', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
  assert.equal(crc32(new TextEncoder().encode('6789'), crc32(new TextEncoder().encode('12345'))), 0xcbf43926);
});

test('a part is selected with the pointer, with keys and by a link, and its ends can be moved', async () => {
  const page = await user.open(text);
  await judged(page);
  const box = await page.locator('.timeline').boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const all = await page.evaluate(() => [window.tickreel.recording.firstTimeMs, window.tickreel.recording.lastTimeMs]);
  const at = (share) => all[0] + (all[1] - all[0]) * share;
  let now = await range(page);
  assert.ok(Math.abs(now.from - at(0.25)) < (all[1] - all[0]) * 0.01, JSON.stringify(now));
  assert.ok(Math.abs(now.to - at(0.5)) < (all[1] - all[0]) * 0.01, JSON.stringify(now));
  assert.ok(await page.isVisible('.range-bar'));

  // The end is dragged to three quarters.
  await page.mouse.move(box.x + box.width * 0.5 + 6, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  now = await range(page);
  assert.ok(Math.abs(now.to - at(0.75)) < (all[1] - all[0]) * 0.01, JSON.stringify(now));

  // The address says it, and leads there.
  await page.waitForFunction(() => /range=\d+-\d+/.test(location.hash));
  const hash = await page.evaluate(() => location.hash);
  const ticks = await page.evaluate(() => /range=(\d+-\d+)/.exec(location.hash)[1]);
  const again = await user.open(text, { hash });
  await judged(again);
  await again.waitForSelector('.range-bar:not([hidden])');
  await again.waitForFunction((expected) => location.hash.includes(`range=${expected}`), ticks);

  // Keys: the end of it, then none.
  await again.keyboard.press('r');
  assert.equal(await range(again), null);
  await again.keyboard.press('Home');
  await again.keyboard.press('i');
  assert.equal((await range(again)).from, all[0]);
  await again.click('.range-bar [aria-label="Clear the selection"]');
  assert.ok(await again.isHidden('.range-bar'));
});

test('a part is played over and over', async () => {
  const page = await user.open(text);
  await judged(page);
  const seen = await page.evaluate(async () => {
    const { viewer, recording } = window.tickreel;
    const { player } = viewer;
    const from = recording.firstTimeMs + 200;
    player.select({ from, to: from + 300 });
    player.loop = true;
    player.seekTime(from);
    const times = [];
    let turns = 0;
    await new Promise((done) => {
      player.onchange(() => {
        if (times.length && player.timeMs < times.at(-1)) ++turns;
        times.push(player.timeMs);
        if (turns === 3) done(undefined);
      });
      player.play();
    });
    player.pause();
    return { from, least: Math.min(...times), most: Math.max(...times) };
  });
  assert.ok(seen.least >= seen.from - 1 && seen.most <= seen.from + 300, JSON.stringify(seen));
});

for (const [name, path] of [
  ['text', text],
  ['butter', butter],
  ['reel', echoMatch],
]) {
  test(`a clip of a ${name} is what \`tickreel clip\` writes`, async () => {
    const page = await user.open(path, { hash: '#t=5&range=5-20' });
    await judged(page);
    await page.waitForSelector('.range-bar:not([hidden])');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save clip')]);
    const saved = join(scratch, `page-${name}.echoreplay`);
    await download.saveAs(saved);
    const cut = join(scratch, `program-${name}.echoreplay`);
    assert.ok([0, 3].includes(run('clip', path, '--from', 'tick:5', '--to', 'tick:20', '-o', cut, '--force').status));
    assert.equal(run('verify', saved).status, 0, run('verify', saved).out);
    assert.deepEqual(linesOf(saved), linesOf(cut));
    assert.equal(linesOf(saved).length, 16);
    const info = JSON.parse(run('info', '--json', saved).out);
    assert.match(JSON.stringify(info), /"cut_from":"[^"]*ms after its beginning on"/);
  });
}

test('a part is saved as a video, and the picture as an image with its scoreboard', async () => {
  const page = await user.open(text);
  await judged(page);
  await page.evaluate(() => {
    const { viewer, recording } = window.tickreel;
    viewer.player.select({ from: recording.firstTimeMs, to: recording.firstTimeMs + 600 });
  });
  await page.keyboard.press('r');
  await page.keyboard.press('Home');
  await page.keyboard.press('i');
  const path = join(scratch, 'part.webm');
  const saveVideo = async () => {
    const [film] = await Promise.all([page.waitForEvent('download'), page.click('.range-bar >> text=Save video')]);
    await film.saveAs(path);
    assert.match(film.suggestedFilename(), /\.webm$/);
    return readFileSync(path);
  };
  // A browser that stands still meanwhile draws no picture of such a short part: then once more.
  let video = await saveVideo();
  for (let more = 0; more < 5 && video.length <= 5000; ++more) video = await saveVideo();
  // The browser itself reads what it wrote, and it is not one colour.
  const bytes = video.toString('base64');
  const seen = await page.evaluate(async (packed) => {
    const blob = new Blob([Uint8Array.from(atob(packed), (each) => each.charCodeAt(0))], { type: 'video/webm' });
    return { size: blob.size, head: [...new Uint8Array(await blob.slice(0, 4).arrayBuffer())] };
  }, bytes);
  assert.ok(seen.size > 5000, `${seen.size} bytes`);
  assert.deepEqual(seen.head, [0x1a, 0x45, 0xdf, 0xa3]);

  const [image] = await Promise.all([page.waitForEvent('download'), page.click('text=Save picture')]);
  const picture = join(scratch, 'picture.png');
  await image.saveAs(picture);
  const data = readFileSync(picture);
  assert.equal(data.toString('latin1', 1, 4), 'PNG');
  const colours = await page.evaluate(async (packed) => {
    const blob = new Blob([Uint8Array.from(atob(packed), (each) => each.charCodeAt(0))], { type: 'image/png' });
    const bitmap = await createImageBitmap(blob);
    const board = document.querySelector('.scoreboard').getBoundingClientRect();
    const host = document.querySelector('.canvas-host').getBoundingClientRect();
    const scale = bitmap.width / host.width;
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data: dots } = pen.getImageData(
      (board.left - host.left) * scale,
      (board.top - host.top) * scale,
      board.width * scale,
      board.height * scale,
    );
    const kinds = new Set();
    for (let i = 0; i < dots.length; i += 4) kinds.add(`${dots[i] >> 5},${dots[i + 1] >> 5},${dots[i + 2] >> 5}`);
    return kinds.size;
  }, data.toString('base64'));
  assert.ok(colours > 4, `${colours} colours where the score is`);
  if (process.env.TICKREEL_KEEP_PICTURES) writeFileSync(join(process.env.TICKREEL_KEEP_PICTURES, 'picture.png'), data);
});

test('the panel is as wide as it is dragged, and a link keeps it and its tab', async () => {
  const page = await user.open(text);
  await judged(page);
  const box = await page.locator('.splitter').boundingBox();
  await page.mouse.move(box.x + 2, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x - 200, box.y + 100, { steps: 4 });
  await page.mouse.up();
  await page.click('#tab-values');
  await page.waitForFunction(() => /panel=\d\d.*tab=values/.test(location.hash));
  const wide = await page.evaluate(() => document.querySelector('.side').clientWidth / window.innerWidth);
  const hash = await page.evaluate(() => location.hash);
  const other = await user.open(text, { hash });
  await judged(other);
  const again = await other.evaluate(() => document.querySelector('.side').clientWidth / window.innerWidth);
  assert.ok(Math.abs(again - wide) < 0.01, `${again} and ${wide}`);
  assert.equal(await other.getAttribute('#tab-values', 'aria-selected'), 'true');
  await other.focus('.splitter');
  await other.keyboard.press('ArrowRight');
  await other.waitForFunction(
    (before) => document.querySelector('.side').clientWidth / window.innerWidth < before - 0.01,
    again,
  );
});
