// The tabs: events, values, charts, heat maps, games.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawn, field, games, old, ticksOf, uncompressedMatch, userOfTests, words } from './page_user.mjs';

const text = uncompressedMatch();

const user = userOfTests();

test('a zone of the heat map says how long each was in it', async () => {
  const page = await user.open(text);
  await page.click('#tab-heat');
  await page.waitForSelector('.heat-host canvas');
  await page.selectOption('.heat select[aria-label=Zone]', 'Middle third');
  const rows = () =>
    page.$$eval('.heat table tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.ok((await rows()).length > 0);
  for (const [who, time, share] of await rows()) {
    assert.ok(who.length > 0);
    assert.match(time, /^\d+:\d\d$/);
    assert.match(share, /^(\d|[1-9]\d|100) %$/);
  }
  // Drawn over everything.
  const box = await (await page.$('.heat-host canvas')).boundingBox();
  await page.mouse.move(box.x + 1, box.y + 1);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, box.y + box.height - 1);
  await page.mouse.up();
  assert.equal(await page.$eval('.heat select[aria-label=Zone]', ({ value }) => value), 'drawn');
  for (const [, , share] of await rows()) assert.equal(share, '100 %');
  await page.selectOption('.heat select[aria-label=Zone]', 'none');
  assert.deepEqual(await rows(), []);
});

test('a heat map of everything with positions', async () => {
  for (const path of [field, join(old, 'match.icrep')]) {
    const page = await user.open(path);
    await page.click('#tab-heat');
    await page.waitForSelector('.heat-host canvas');
    assert.match(await words(page, '.heat .note'), /^\d+ positions$/, path);
    assert.ok((await page.$$eval('.heat select option', (all) => all.length)) > 1, path);
    // Its text has the size in which it was drawn.
    const [drawnAt, shownAt] = await page.$eval('.heat-host canvas', (canvas) => [
      canvas.width,
      canvas.clientWidth * window.devicePixelRatio,
    ]);
    assert.ok(Math.abs(drawnAt - shownAt) <= 1, `${drawnAt} ${shownAt}`);
  }
});

test('a click on an event moves the cursor there', async () => {
  const page = await user.open(field);
  await page.click('.events .row:nth-child(2) button');
  await drawn(page, 30);
  await page.click('.filters input');
  assert.match(await words(page, '.events .note'), /^\d+ of \d+ events$/);
});

test('values at the tick, and what has changed', async () => {
  const page = await user.open(field, { hash: '#t=10' });
  await drawn(page, 10);
  await page.click('#tab-values');
  await page.waitForSelector('.values tr.differs');
  const row = await page.$$eval('.values tr', (rows) =>
    rows.map((each) => [...each.children].map((cell) => cell.textContent)).find(([name]) => name === 'time_ms'),
  );
  assert.deepEqual(row, ['time_ms', '200', '+20']);
  // A 64-bit number is not rounded.
  const seed = await page.evaluate(async () => (await window.tickreel.recording.state(10)).seed);
  assert.match(seed, /^\d{17,20}$/);
  await page.check('.values input[type=checkbox]');
  assert.equal(await page.$$eval('.values tbody tr:not(.differs)', (rows) => rows.length), 0);
});

test('a chart of any column', async () => {
  const page = await user.open(field);
  await page.click('#tab-charts');
  await page.waitForSelector('.chart .uplot');
  await page.fill('[aria-label="Column to draw"]', 'clock');
  await page.press('[aria-label="Column to draw"]', 'Enter');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.chart figcaption')].some((each) => each.textContent.startsWith('clock')),
  );
});

test('columns of Echo VR are found by words, and their values have units', async () => {
  const page = await user.open(text);
  await page.click('#tab-charts');
  await page.waitForSelector('.chart .uplot');
  const before = await page.$$eval('.chart', (all) => all.length);
  await page.fill('[aria-label="Column to draw"]', 'ping 0 players');
  const found = await page.$$eval('.found button', (all) => all.map((each) => each.title));
  assert.ok(found.length > 0 && found.every((path) => path.includes('ping')), found.join());
  await page.click('.found button');
  await page.waitForFunction((many) => document.querySelectorAll('.chart').length > many, before);
  assert.equal(await page.$eval('.found', (list) => list.hidden), true);
  await page.waitForFunction(() =>
    /^\d+\u00a0ms$/.test([...document.querySelectorAll('.u-value')].at(-1)?.textContent),
  );
  await page.fill('[aria-label="Column to draw"]', 'no such column');
  assert.match(await page.$eval('.charts-panel .note', (note) => note.textContent), /^0 of \d+ columns$/);
});

test('an empty tab says why it is empty', async () => {
  const page = await user.open(join(old, 'drive.rec'));
  const note = (tab) => page.$eval(`#panel-${tab} .note`, (one) => one.textContent);
  assert.match(await note('events'), /a path has positions and keys only/);
  await page.click('#tab-highlights');
  assert.match(await note('highlights'), /No highlight was found among 0 events/);
});

test('the games of a gamecache', async () => {
  const page = await user.open(games);
  const rows = () => page.$$eval('.games-result tbody tr', (found) => found.length);
  const all = await rows();
  assert.ok(all > 0);
  await page.click('.games-result tbody tr');
  assert.ok((await page.$$eval('.game-chosen tbody tr', (found) => found.length)) > 0);
  await page.fill('.games input[type=search]', 'there is no such game');
  assert.equal(await rows(), 0);
  await page.fill('.games input[type=search]', '');
  await page.click('text=Heroes');
  assert.ok((await rows()) > 0);
});

test('tabs work with arrow keys, and the timeline is a slider', async () => {
  const page = await user.open(field);
  for (const each of await page.$$('[role=slider], [role=separator]'))
    assert.match((await each.getAttribute('aria-valuenow')) ?? '', /^\d+/);
  await page.focus('#tab-events');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-highlights');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-values');
  assert.equal(await page.$eval('#panel-values', (panel) => panel.hidden), false);
  await page.focus('.timeline');
  await page.keyboard.press('End');
  const [, last] = await ticksOf(page);
  await drawn(page, last);
  await page.waitForFunction(() => /^0:03/.test(document.querySelector('.timeline').getAttribute('aria-valuetext')));
  const box = await (await page.$('.timeline')).boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height - 4);
  await page.waitForFunction(() => window.tickreel.viewer.player.tick < 5);
});
