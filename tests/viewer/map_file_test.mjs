// Map files of StarCraft II as the ground of the picture.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mapFile } from './map_file.mjs';
import { field, judged, painted, source, userOfTests } from './page_user.mjs';
import { stagedMatch } from './staged_match.mjs';

const staged = { name: 'staged.echoreplay', bytes: stagedMatch() };
const replay = join(source, '../shared/data/sc2/4.10.1.75800-1v1.SC2Replay');

const user = userOfTests();

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
  await painted(page);
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
