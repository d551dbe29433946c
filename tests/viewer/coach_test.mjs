// A coach's tools: drawings and notes at ticks in a file of their own, distances, trails, and another match as ghosts.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readNotes, writeNotes } from '../../recorders/viewer/page/notes.js';
import {
  converted,
  drawn,
  field,
  judged,
  lateJoin,
  old,
  painted,
  recordings,
  run,
  scratch,
  userOfTests,
} from './page_user.mjs';
import { testSeed } from './seed.mjs';

const user = userOfTests();

test('a file of notes is read as it was written, and nothing else gets in', () => {
  const notes = [
    {
      tick: 3,
      text: 'rotate',
      view: 'top',
      shapes: [
        {
          kind: 'arrow',
          points: [
            [0.1, 0.2],
            [0.3, 0.4],
          ],
        },
      ],
    },
    { tick: 7, text: '', view: null, shapes: [{ kind: 'text', points: [[0.5, 0.5]], text: '<b>here</b>' }] },
  ];
  assert.deepEqual(readNotes(writeNotes('match.butter', notes)), notes);
  for (const text of ['', '{}', '[]', '{"notes":1}', 'null']) assert.throws(() => readNotes(text), text);
  const bad = [{ tick: -1 }, { tick: 'x' }, null, { tick: 1e99 }];
  assert.deepEqual(readNotes(JSON.stringify({ notes: bad })), []);
  const shapes = [
    {
      kind: 'constructor',
      points: [
        [0, 0],
        [1, 1],
      ],
    },
    { kind: 'pen', points: [[0, 0]] },
    {
      kind: 'pen',
      points: [
        [0, 0],
        [0, 'x'],
      ],
    },
    {
      kind: 'arrow',
      points: [
        [0, 0],
        [9, 9],
      ],
    },
    5,
  ];
  assert.deepEqual(readNotes(JSON.stringify({ notes: [{ tick: 1, shapes }] }))[0].shapes, []);
});

test('any text is notes or an error', () => {
  let state = testSeed();
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const good = writeNotes('m', [
    {
      tick: 3,
      text: 'a',
      view: 'top',
      shapes: [
        {
          kind: 'pen',
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    },
  ]);
  for (let round = 0; round < 500; ++round) {
    const at = random(good.length);
    const text = good.slice(0, at) + String.fromCharCode(32 + random(95)) + good.slice(at + random(3));
    let notes = [];
    try {
      notes = readNotes(text);
    } catch (error) {
      assert.ok(error instanceof Error);
    }
    for (const note of notes) {
      assert.ok(Number.isSafeInteger(note.tick) && note.tick >= 0 && typeof note.text === 'string');
      for (const { points } of note.shapes) assert.ok(points.flat().every(Number.isFinite));
    }
  }
});

test('what is drawn belongs to its moment, is saved, and comes back from the file', async () => {
  const page = await user.open(lateJoin, { hash: '#t=20&view=top' });
  await judged(page);
  await page.click('#tab-notes');
  await page.click('.notes-panel >> text=Pen');
  const box = await page.locator('.drawings').boundingBox();
  const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
  await page.mouse.move(...at(0.4, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.6, 0.6), { steps: 8 });
  await page.mouse.up();
  await page.click('.notes-panel >> text=Arrow');
  await page.mouse.move(...at(0.45, 0.7));
  await page.mouse.down();
  await page.mouse.move(...at(0.55, 0.4), { steps: 3 });
  await page.mouse.up();
  await page.click('.notes-panel button:text-is("Text")');
  await page.mouse.click(...at(0.5, 0.5));
  await page.waitForFunction(() => document.activeElement.className === 'drawn-text');
  await page.keyboard.type('press her');
  await page.keyboard.press('Enter');
  await page.fill('[aria-label="Note at this moment"]', 'No one covers the goal');
  await page.click('.notes-panel >> text=Add');
  assert.equal(await page.getAttribute('.drawings', 'data-shapes'), '3');
  const inked = await page.$eval('.drawings', (canvas) =>
    canvas
      .getContext('2d')
      .getImageData(0, 0, canvas.width, canvas.height)
      .data.some((value) => value > 0),
  );
  assert.ok(inked);
  if (process.env.TICKREEL_KEEP_PICTURES)
    await page.screenshot({ path: join(process.env.TICKREEL_KEEP_PICTURES, 'notes.png') });

  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save notes')]);
  const saved = join(scratch, 'match.notes.json');
  await download.saveAs(saved);
  const [note] = readNotes(readFileSync(saved, 'utf8'));
  assert.deepEqual(
    [note.tick, note.text, note.view, note.shapes.map(({ kind }) => kind)],
    [20, 'No one covers the goal', 'top', ['pen', 'arrow', 'text']],
  );

  // Elsewhere it is not seen; a click on the note leads back.
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.tickreel.viewer.player.seekTick(30));
  await drawn(page, 30);
  assert.equal(await page.getAttribute('.drawings', 'data-shapes'), '0');
  await page.click('.noted >> text=No one covers');
  await drawn(page, 20);
  assert.equal(await page.getAttribute('.drawings', 'data-shapes'), '3');

  // Another visitor drops the file onto the page.
  const other = await user.open(lateJoin, { hash: '#t=0' });
  await judged(other);
  await other.evaluate(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'match.notes.json', { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    readFileSync(saved, 'utf8'),
  );
  await other.click('#tab-notes');
  await other.waitForSelector('.noted >> text=No one covers');
  // Without spoilers it is not there before its moment.
  await other.click('text=Spoiler-free');
  assert.equal(await other.locator('.noted').count(), 0);
});

test('the distance between two players is what their places say', async () => {
  const page = await user.open(lateJoin, { hash: '#t=20&view=orbit' });
  await judged(page);
  const { names, metres } = await page.evaluate(async () => {
    const state = await window.tickreel.recording.state(20);
    const [one, two] = state.session.teams.flatMap((team) => team.players ?? []);
    const place = (player) => player.head.position ?? player.position;
    const apart = Math.hypot(...[0, 1, 2].map((axis) => place(one)[axis] - place(two)[axis]));
    return { names: [one.name, two.name], metres: apart };
  });
  await page.selectOption('.stage-bar label:has(> span:text-is("Follow")) select', names[0]);
  await page.selectOption('.stage-bar label:has(> span:text-is("Distance to")) select', names[1]);
  const label = page.locator('.stage-labels span', { hasText: /^\d+\.\d m$/ });
  await label.waitFor();
  assert.ok(
    Math.abs(parseFloat(await label.textContent()) - metres) <= 0.06,
    `${await label.textContent()} of ${metres}`,
  );
});

test('another recording is drawn in the same picture', async () => {
  const path = converted(lateJoin, 'second.echoreplay');
  const page = await user.open(lateJoin, { hash: '#t=20&view=orbit' });
  await judged(page);
  const first = await page.locator('.stage-labels span:visible').count();
  await page.evaluate(async (bytes) => {
    const recording = await window.tickreel.openRecording(
      new Blob([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))]),
      { name: 'second.echoreplay' },
    );
    window.compared = window.tickreel.viewer.compare(recording);
  }, readFileSync(path).toString('base64'));
  await page.check('.compare >> text=In one picture');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.stage-labels span')].some((each) => /^\(.+\)$/.test(each.textContent)),
  );
  assert.equal(await page.locator('.stage:visible').count(), 1);
  assert.ok((await page.locator('.stage-labels span').count()) > first);
  if (process.env.TICKREEL_KEEP_PICTURES)
    await page.screenshot({ path: join(process.env.TICKREEL_KEEP_PICTURES, 'ghosts.png') });
  await page.uncheck('.compare >> text=In one picture');
  await page.waitForFunction(() => document.querySelectorAll('.stage').length === 2);
  await page.click('[aria-label="Close the second recording"]');
  writeFileSync(path, '');
});

// A picture of four colours: red, green, blue and white.
const fourColours = (page) =>
  page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1024, height: 1024 });
    const pen = canvas.getContext('2d');
    ['#f00', '#0f0', '#00f', '#fff'].forEach((colour, i) => {
      pen.fillStyle = colour;
      pen.fillRect((i % 2) * 512, Math.floor(i / 2) * 512, 512, 512);
    });
    return canvas.toDataURL('image/png').split(',')[1];
  });

// Which of the four colours most pixels of each quarter of the picture have.
const quarters = async (page, host) => {
  const picture = (await host.screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(bitmap, 0, 0);
    return [0, 1, 2, 3].map((quarter) => {
      const [wide, high] = [bitmap.width >> 1, bitmap.height >> 1];
      const { data } = pen.getImageData((quarter % 2) * wide, (quarter >> 1) * high, wide, high);
      const count = { red: 0, green: 0, blue: 0, white: 0 };
      for (let i = 0; i < data.length; i += 4) {
        const bits = [0, 1, 2].map((c) => (data[i + c] > 230 ? 1 : data[i + c] < 25 ? 0 : 9)).join('');
        const name = { 100: 'red', '010': 'green', '001': 'blue', 111: 'white' }[bits];
        if (name) ++count[name];
      }
      return Object.entries(count).sort((a, b) => b[1] - a[1])[0][0];
    });
  }, picture);
};

const middleOf = (path) => {
  const places = run('cat', path)
    .out.trim()
    .split('\n')
    .map((line) => JSON.parse(line).position);
  return [0, 1].map((axis) => {
    const all = places.map((place) => place[axis]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  });
};

test('a picture is the ground of a path, a world and a map of StarCraft II, with the edges that are said', async () => {
  const cases = [
    { path: join(old, 'walk.rec'), view: 'map', usual: '-3000 -3000 3000 3000' },
    { path: field, view: 'top' },
    // Only real replays have positions; without them recordings() reports that.
    ...recordings()
      .filter((path) => path.endsWith('4.10.1.75800-1v1.SC2Replay'))
      .map((path) => ({ path, view: 'map' })),
  ];
  for (const { path, view, usual } of cases) {
    const page = await user.open(path, { hash: `#view=${view}`, colorScheme: 'dark' });
    await judged(page);
    const buffer = Buffer.from(await fourColours(page), 'base64');
    const host = await page.$('.canvas-host');
    await page.setInputFiles('.map-control input[type=file]', { name: 'map|1.png', mimeType: 'image/png', buffer });
    const field = await page.waitForSelector('.map-control input[type=text]');
    if (usual) assert.equal(await field.inputValue(), usual);
    // The middle of the picture becomes the middle of what is seen.
    const seen = await page.evaluate(() => {
      const words = document.querySelector('.map-control input[type=text]').value.split(' ').map(Number);
      return { x: (words[0] + words[2]) / 2, y: (words[1] + words[3]) / 2, high: words[3] - words[1] };
    });
    const middle = usual ? middleOf(path) : [seen.x, seen.y];
    const half = usual ? 60 : Math.abs(seen.high) * 2;
    const sign = Math.sign(seen.high);
    const edges = [middle[0] - half, middle[1] - half * sign, middle[0] + half, middle[1] + half * sign];
    await field.fill(edges.join(', '));
    await field.press('Enter');
    await page.evaluate(() => (document.querySelector('.watch').style.visibility = 'hidden'));
    await painted(page);
    assert.deepEqual(await quarters(page, host), ['red', 'green', 'blue', 'white'], path);
    // What is wrong is said, and changes nothing.
    await field.fill('1 2 3');
    await field.press('Enter');
    await page.waitForSelector('.notes :text("four numbers")');
    assert.deepEqual(await quarters(page, host), ['red', 'green', 'blue', 'white'], path);
    // A picture of the same name has the same edges.
    await page.setInputFiles('.map-control input[type=file]', { name: 'map|1.png', mimeType: 'image/png', buffer });
    await page.waitForFunction(
      (text) => document.querySelector('.map-control input[type=text]').value === text,
      edges.join(' '),
    );
    await page.setInputFiles('.map-control input[type=file]', {
      name: 'no.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    });
    await page.waitForSelector('.notes :text("not a picture")');
    await page.click('.map-control button[aria-label="Remove the map"]');
    await page.waitForFunction(() => !document.querySelector('.map-control input[type=text]'));
    assert.notDeepEqual(await quarters(page, host), ['red', 'green', 'blue', 'white'], path);
  }
});
