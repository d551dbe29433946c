// What a user sees of a match, and that it is correct: in a real browser, compared with the program's output.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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
  torn,
  uncompressedMatch,
  userOfTests,
  withMany,
  words,
} from './page_user.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

const text = uncompressedMatch();

const user = userOfTests();

const seek = (page, tick) => page.evaluate((to) => window.tickreel.viewer.player.seekTick(to), tick);

test('the cost of a million events and gaps depends only on their pixels', async () => {
  const page = await user.open(field, { init: withMany(1_000_000) });
  await page.waitForFunction(() =>
    /of the first 2000000 events/.test(document.querySelector('.events .note').textContent),
  );
  const counted = await page.evaluate(async () => {
    const sums = { calls: 0, lines: 0 };
    const to = CanvasRenderingContext2D.prototype;
    for (const [name, key] of [
      ['fillRect', 'calls'],
      ['strokeRect', 'calls'],
      ['fill', 'calls'],
      ['stroke', 'calls'],
      ['drawImage', 'calls'],
      ['fillText', 'calls'],
      ['clip', 'calls'],
      ['lineTo', 'lines'],
    ]) {
      const real = to[name];
      to[name] = function (...values) {
        if (this.canvas.closest('.timeline') || !this.canvas.isConnected) ++sums[key];
        return real.apply(this, values);
      };
    }
    const settled = async () => {
      for (let i = 0; i < 4; ++i) await new Promise(requestAnimationFrame);
    };
    const { viewer, recording } = window.tickreel;
    await settled();
    Object.assign(sums, { calls: 0, lines: 0 });
    for (let tick = recording.firstTick; tick < recording.firstTick + 30; ++tick) {
      viewer.player.seekTick(tick);
      await new Promise(requestAnimationFrame);
    }
    await settled();
    const cursor = { ...sums };
    Object.assign(sums, { calls: 0, lines: 0 });
    document.querySelector('.filters input').click();
    await settled();
    return {
      cursor,
      once: { ...sums },
      wide: document.querySelector('.timeline').clientWidth,
      rows: document.querySelectorAll('.events .row').length,
      marks: document.querySelectorAll('.timeline *').length,
    };
  });
  // Only the element of the cursor moves.
  assert.equal(counted.cursor.calls, 0);
  assert.ok(counted.once.calls > 0 && counted.once.calls < 12 * counted.wide, JSON.stringify(counted));
  assert.ok(counted.rows < 100 && counted.marks < 10);
  // The whole list is present up to its end.
  await page.$eval('.events .scrolls', (list) => (list.scrollTop = list.scrollHeight));
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.events .row')].some(
      (row) => row.getAttribute('aria-posinset') === row.getAttribute('aria-setsize'),
    ),
  );
});

test('a link after the end opens the end', async () => {
  for (const path of [field, join(old, 'bones.butter'), text]) {
    const page = await user.open(path, { hash: '#t=999999999' });
    const last = await page.evaluate(() => window.tickreel.recording.lastTick);
    await drawn(page, last);
    assert.equal(await page.evaluate(() => window.tickreel.viewer.player.tick), last);
  }
});

test('the verdict equals that of the program, without a request', async () => {
  // A position that is not a number, under checksums that are not verified.
  const odd = readFileSync(join(old, 'match.none.butter'));
  odd.writeUInt16LE(0x7e00, 658);
  const nan = join(scratch, 'nan.butter');
  writeFileSync(nan, odd);
  const said = [];
  for (const path of [
    nan,
    ...['match.none.butter', 'cut.butter', 'cut.rec', 'little.torn.reel'].map((name) => join(old, name)),
    torn,
  ]) {
    const { health } = JSON.parse(run('info', '--json', path).out.split('\n')[0]);
    const page = await user.open(path);
    await judged(page);
    assert.equal(await page.evaluate(() => window.tickreel.recording.info.health), health, path);
    const noted = /damaged|incomplete/.exec(await words(page, '.notes'))?.[0];
    assert.equal(noted, ['damaged', 'incomplete'].includes(health) ? health : undefined, path);
    await page.click('#tab-facts');
    assert.match(await words(page, '.checks'), new RegExp(`This recording is ${health}`), path);
    said.push(health);
  }
  assert.deepEqual(said.slice(0, 2), ['damaged', 'whole']);
});

test('every curve of StarCraft II equals the output of stats', async () => {
  const replays = recordings().filter((path) =>
    /(anonymised|2\.0\.8\.25604-tracker|5\.0\.0\.80949-1v1)\.SC2Replay$/.test(path),
  );
  const names = { 'Army value': 'army_value', 'Income a minute': 'income', Supply: 'supply', Workers: 'workers' };
  let compared = 0;
  for (const path of replays) {
    const rows = JSON.parse(run('stats', '--json', path).out).matches[0].players;
    const page = await user.open(path);
    const { players, ticks, times, curves } = await page.evaluate(async () => {
      const { recording } = window.tickreel;
      return { ...(await recording.curves()), players: recording.info.players };
    });
    for (const { title, players: lines } of curves) {
      for (const { number, values } of lines) {
        const row = rows.find(({ player }) => player === players.find((each) => each.number === number).name);
        if (!row?.by_minute) continue;
        const wanted = row.by_minute[names[title] ?? 'apm'];
        if (!wanted) continue;
        if (title === 'Actions a minute') {
          // Averages to date: between the values at the begin and at the end of the minute.
          let begun = 0;
          for (const [minute, actions] of wanted.slice(0, -1).entries()) {
            times.forEach((ms, at) => {
              if (Math.floor(ms / 60_000) !== minute || values[at] === null || ticks[at] < 100) return;
              const sum = (values[at] * ms) / 60_000;
              assert.ok(
                sum >= begun - 2 && sum <= begun + actions + 2,
                `${path} ${title} ${sum} in minute ${minute}: ${begun} and ${actions}`,
              );
              ++compared;
            });
            begun += actions;
          }
          continue;
        }
        // Each minute's last snapshot.
        const shown = [];
        times.forEach((ms, at) => values[at] !== null && (shown[Math.floor(ms / 60_000 + 1e-9)] = values[at]));
        wanted.forEach((value, minute) => {
          if (shown[minute] === undefined) return;
          assert.ok(
            Math.abs(shown[minute] - value) < 0.01,
            `${path} ${title} of ${row.player} in minute ${minute}: ${shown[minute]} and ${value}`,
          );
          ++compared;
        });
      }
    }
    await page.click('#tab-charts');
    await page.waitForSelector('.curves .uplot, .curves .note');
  }
  console.log(`${compared} values of ${replays.length} replays compared`);
  // The recording of the repository has no snapshots; parts_test.mjs computes curves of made-up ones.
  assert.ok(compared > 0 || replays.length === 1);
});

test('without spoilers no number reveals later events', async () => {
  let page = await user.open(lateJoin, { hash: '#t=0&spoiler-free' });
  const players = () => page.$$eval('.facts table tbody tr', (rows) => rows.map((row) => row.firstChild.textContent));
  const [first, last] = await page.evaluate(() => [
    window.tickreel.recording.firstTick,
    window.tickreel.recording.lastTick,
  ]);
  const chips = () =>
    page.$$eval('.filters label', (all) => all.filter((each) => !each.hidden).map((each) => each.textContent.trim()));
  const events = run('events', lateJoin)
    .out.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const there = JSON.stringify(JSON.parse(run('seek', lateJoin, '--tick', '0').out).session.teams);
  const joined = events
    .filter(({ type, player }) => type === 'player_joined' && !there.includes(JSON.stringify(player.name)))
    .map(({ player }) => player.name);
  assert.ok(joined.length > 0);
  await page.click('#tab-facts');
  for (const name of joined) assert.ok(!(await players()).includes(name), name);
  const facts = () => page.$$eval('.facts dt', (all) => all.map((each) => each.textContent));
  for (const key of ['ticks', 'bytes', 'duration ms', 'records', 'keyframe chunks', 'blue points'])
    assert.ok(!(await facts()).includes(key), key);
  await page.click('#tab-heat');
  await page.waitForFunction(() => document.querySelectorAll('.heat select option').length > 1);
  assert.ok(
    !(await page.$$eval('.heat option', (all) => all.map((each) => each.textContent))).some((name) =>
      joined.includes(name),
    ),
  );
  await page.click('#tab-events');
  const before = await chips();
  assert.ok(
    before.every((chip) => / [1-9]\d*$/.test(chip)) && before.length < new Set(events.map(({ type }) => type)).size,
    JSON.stringify(before),
  );
  await seek(page, last);
  await page.waitForFunction(
    (had) => [...document.querySelectorAll('.filters label')].filter((each) => !each.hidden).length > had,
    before.length,
  );
  await page.click('#tab-facts');
  for (const name of joined)
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.facts tbody tr')].some((row) => row.firstChild.textContent === wanted),
      name,
    );
  // Not even its duration.
  await seek(page, first);
  await page.click('text=Hide length');
  await page.waitForFunction(
    () =>
      !/ of /.test(document.querySelector('.timeline').getAttribute('aria-valuetext')) &&
      !/\//.test(document.querySelector('.time').textContent),
  );
  await page.waitForFunction(() => /spoiler-free=length/.test(location.hash));
  // For a replay not even the number of chat messages.
  page = await user.open(join(old, 'anonymised.SC2Replay'), { hash: '#t=0&spoiler-free' });
  await page.click('#tab-facts');
  assert.ok(
    (await page.$$eval('.facts dt', (all) => all.map((each) => each.textContent))).every(
      (key) => !/chat lines|messages|events|duration|ticks/.test(key),
    ),
  );
  await page.click('#tab-chat');
  assert.match(await words(page, '[data-tab=chat] .note'), /yet/);
});

test('the page states whether a recording is live, stalled or abandoned', async () => {
  const bytes = readFileSync(field);
  const page = await user.open(field, { bytes: bytes.subarray(0, bytes.length >> 1), live: true });
  const state = (wanted) =>
    page.waitForFunction((name) => document.querySelector('.live-state').dataset.state === name, wanted);
  await state('live');
  await state('stalled');
  user.server.down = true;
  try {
    await state('gone');
    await page.waitForFunction(() =>
      /recorder or the connection to it is gone/.test(document.querySelector('.notes').textContent),
    );
    assert.doesNotMatch(await words(page, '.viewer'), /Failed to fetch/);
  } finally {
    user.server.down = false;
  }
  // The recorder returns, with what it wrote meanwhile.
  const had = await page.evaluate(() => window.tickreel.recording.lastTick);
  user.server.recording.bytes = bytes;
  await page.waitForFunction((last) => window.tickreel.recording.lastTick > last, had);
  await state('live');
  user.complaints.splice(0);
});

test('a recorder that no longer answers is gone, and continues when it answers', async () => {
  const bytes = readFileSync(field);
  const page = await user.open(field, { bytes: bytes.subarray(0, bytes.length >> 1), live: true });
  user.server.silent = true;
  try {
    await page.waitForFunction(() =>
      /recorder or the connection to it is gone/.test(document.querySelector('.notes').textContent),
    );
  } finally {
    user.server.silent = false;
  }
  const had = await page.evaluate(() => window.tickreel.recording.lastTick);
  user.server.recording.bytes = bytes;
  await page.waitForFunction((last) => window.tickreel.recording.lastTick > last, had);
  user.complaints.splice(0);
});

// Red minus blue, left and right: the average of all coloured pixels.
const leaning = (page, element) =>
  element.screenshot().then((picture) =>
    page.evaluate(async (given) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(given), (each) => each.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      const sums = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const lean = data[i] - data[i + 2];
        if (Math.abs(lean) > 60) sums[((i / 4) % bitmap.width) * 2 < bitmap.width ? 0 : 1] += Math.sign(lean);
      }
      return sums;
    }, picture.toString('base64')),
  );

test('blue is on the left and orange on the right, in the picture and on the heat map', async () => {
  for (const view of ['orbit', 'top']) {
    const page = await user.open(text, { hash: `#view=${view}`, colorScheme: 'dark' });
    await page.waitForFunction((wanted) => document.querySelector('.stage-bar select')?.value === wanted, view);
    await page.uncheck('.stage-bar label:has-text("Names") input');
    await page.evaluate(() => (document.querySelector('.watch').style.visibility = 'hidden'));
    await painted(page);
    const [left, right] = await leaning(page, await page.$('.canvas-host'));
    assert.ok(left < 0 && right > 0, `${view}: ${left} ${right}`);
    if (view !== 'top') continue;
    await page.click('#tab-heat');
    const canvas = await page.waitForSelector('.heat-host canvas');
    const [first, second] = await canvas.evaluate((element) => {
      const { data, width } = element.getContext('2d').getImageData(0, 0, element.width, element.height);
      const found = { blue: [], orange: [] };
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        if (r === 0x56 && g === 0xb4 && b === 0xe9) found.blue.push((i / 4) % width);
        if (r === 0xe6 && g === 0x9f && b === 0x00) found.orange.push((i / 4) % width);
      }
      return [found.blue, found.orange].map((list) => list.reduce((sum, x) => sum + x, 0) / list.length / width);
    });
    assert.ok(first < 0.5 && second > 0.5, `${first} ${second}`);
  }
});

test('score, cards, names and sentences do not cover each other at any size', async () => {
  const bones = { path: join(old, 'bones.echoreplay'), hash: '#t=1' };
  const staged = { path: '', name: 'staged.echoreplay', bytes: stagedMatch(), hash: `#t=${tickAtSecond(6.3)}` };
  for (const [width, height, one] of [
    [360, 780, bones],
    [360, 780, staged],
    [1280, 760, bones],
    [1280, 760, staged],
    [1920, 1080, bones],
    [1920, 1080, staged],
    [3840, 2160, staged],
  ]) {
    const page = await user.open(one.path, { width, height, ...one });
    if (one === staged) await page.waitForSelector('.caption:not([hidden])');
    await page.waitForSelector('.card');
    await page.waitForFunction(() => document.querySelector('.game-clock')?.textContent);
    await painted(page);
    const covered = await page.evaluate(() => {
      const boxes = (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((each) => each.getClientRects().length && getComputedStyle(each).visibility !== 'hidden')
          .map((each) => ({ text: each.textContent.slice(0, 20), box: each.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0);
      const out = [];
      const meets = (a, b) =>
        a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
      const all = boxes('.card, .scoreboard, .caption, .stage-bar, .stage-notice, .stage-labels span');
      all.forEach((one, at) =>
        all.slice(0, at).forEach((other) => meets(one.box, other.box) && out.push([one.text, other.text])),
      );
      const cut = boxes('.scoreboard, .card')
        .filter(({ box }) => box.left < 0 || box.right > innerWidth)
        .map(({ text }) => text);
      const small = boxes('.card, .transport button')
        .filter(({ box }) => box.height < 24)
        .map(({ text }) => text);
      return { out, cut, small };
    });
    assert.deepEqual(covered, { out: [], cut: [], small: [] }, `${width}`);
  }
});

test('the score, the clock and the players are those of the tick', async () => {
  const page = await user.open(text, { hash: '#t=60' });
  await drawn(page, 60);
  const { session } = JSON.parse(run('seek', text, '--tick', '60').out);
  await page.waitForFunction(
    ([blue, orange]) =>
      JSON.stringify([...document.querySelectorAll('.scoreboard .points')].map((each) => Number(each.textContent))) ===
      JSON.stringify([blue, orange]),
    [session.blue_points, session.orange_points],
  );
  for (const [at, side] of ['blue', 'orange'].entries()) {
    const names = (session.teams[at].players ?? []).map(({ name }) => name);
    assert.deepEqual(await page.$$eval(`.card.${side} b`, (all) => all.map((each) => each.textContent)), names);
  }
  // A click follows, another click stops; keys work, too.
  const card = await page.$('.card');
  await card.click();
  await page.waitForFunction(
    () => document.querySelector('.card').getAttribute('aria-pressed') === 'true' && /follow=/.test(location.hash),
  );
  await card.press('Enter');
  await page.waitForFunction(() => document.querySelector('.card').getAttribute('aria-pressed') === 'false');
  await page.keyboard.press('h');
  assert.equal(await page.$eval('.side', (side) => side.getClientRects().length), 0);
  await page.keyboard.press('h');
  assert.equal(await page.$eval('.side', (side) => side.getClientRects().length), 1);
  // The table under "About" takes the focus, so that arrow keys scroll it.
  await page.click('#tab-facts');
  await page.focus('.facts .scrolls-wide');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Players');
});

test('a zoomed timeline shows a range and follows the cursor', async () => {
  const page = await user.open(text);
  const box = await (await page.$('.timeline')).boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height - 4];
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, -300);
  await page.mouse.wheel(0, -300);
  // A click at the left edge is no longer the beginning.
  await page.mouse.click(box.x + 2, box.y + box.height - 4);
  await page.waitForFunction(() => {
    const { recording, viewer } = window.tickreel;
    return viewer.player.timeMs > recording.firstTimeMs + viewer.player.duration * 0.1;
  });
  await page.mouse.dblclick(...middle);
  await page.mouse.click(box.x + 2, box.y + box.height - 4);
  await page.waitForFunction(() => window.tickreel.viewer.player.tick - window.tickreel.recording.firstTick < 5);
});

test('a .butter differs from its source only in the exact comparison', async () => {
  const butter = converted(text, 'text.butter');
  const page = await user.open(text);
  page.once('filechooser', (chooser) => chooser.setFiles(butter));
  await page.click('text=Compare');
  await page.waitForFunction(() => /all the same/.test(document.querySelector('.compare [role=status]')?.textContent));
  await page.selectOption('.compare [aria-label="Precision"]', 'exact');
  await page.waitForSelector('.compare button:has-text("First difference")');
});
