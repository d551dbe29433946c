// The page without a pointer: keys reach every control, the focus is visible and is not lost, and Escape closes what
// opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutProblems } from './looks.mjs';
import { drawn, field, games, userOfTests, withMany } from './page_user.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

const staged = { name: 'staged.echoreplay', bytes: stagedMatch(), hash: `#t=${tickAtSecond(6.3)}` };

const user = userOfTests();

const open = async (path, options) => {
  const page = await user.open(path, options);
  await page.waitForSelector('.viewer[data-judged], .games-result table');
  return page;
};
const focused = (page, ask) => page.evaluate(`(() => { const on = document.activeElement; return ${ask}; })()`);

// Presses Tab until the focus is back at the beginning. Returns controls that were not reached, and those whose focus
// cannot be seen.
async function wrongWithTab(page) {
  await page.evaluate(() => {
    // Before everything else.
    const start = document.createElement('a');
    start.tabIndex = 0;
    document.body.prepend(start);
    start.focus();
    start.tabIndex = -1;
    window.start = start;
    window.there = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(
      (each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }),
    );
    window.reached = new Set();
    window.unseen = [];
  });
  const most = 400;
  for (let presses = 0; ; ++presses) {
    assert.ok(presses < most, 'Tab does not come to an end');
    await page.keyboard.press('Tab');
    const ended = await page.evaluate(() => {
      const on = document.activeElement;
      if (on === document.body || window.reached.has(on)) return true;
      window.reached.add(on);
      const { outlineStyle, outlineWidth } = getComputedStyle(on);
      const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      // The bar between picture and panel changes its colour.
      if (!seen && !on.matches('.splitter')) window.unseen.push(on.outerHTML.slice(0, 120));
      return false;
    });
    if (ended) break;
  }
  await page.evaluate(() => window.start.remove());
  return page.evaluate(() => ({
    missed: window.there.filter((each) => !window.reached.has(each)).map((each) => each.outerHTML.slice(0, 120)),
    unseen: window.unseen,
  }));
}
const nothing = { missed: [], unseen: [] };

test('Tab reaches every control of every tab, and the focus is seen', async () => {
  const page = await open('', staged);
  await page.keyboard.press('r');
  for (const tab of await page.$$eval('[role=tab]', (all) => all.map(({ id }) => id))) {
    await page.click(`#${tab}`);
    if (tab === 'tab-charts') await page.waitForSelector('.chart .uplot');
    if (tab === 'tab-query') {
      await page.press('.query textarea', 'Control+Enter');
      await page.waitForSelector('.query tbody .bare');
    }
    assert.deepEqual(await wrongWithTab(page), nothing, tab);
  }
});

test('Tab reaches every control of the first page and of a gamecache', async () => {
  user.server.recording = null;
  const first = await user.page();
  await first.waitForSelector('.drop');
  assert.deepEqual(await wrongWithTab(first), nothing);
  const page = await open(games);
  await page.click('.choice .bare');
  assert.deepEqual(await wrongWithTab(page), nothing);
});

test('arrows lead through the events, and Enter keeps the focus', async () => {
  const page = await open('', staged);
  const place = () => focused(page, "Number(on.closest('.rows li')?.getAttribute('aria-posinset') ?? 0)");
  await page.focus('.events .scrolls');
  await page.keyboard.press('Tab');
  const count = await page.$eval('.events .row', (row) => Number(row.getAttribute('aria-setsize')));
  // Tab comes to the event at the cursor.
  assert.equal(await place(), count);
  await page.keyboard.press('Home');
  assert.equal(await place(), 1);
  await page.keyboard.press('ArrowUp');
  assert.equal(await place(), 1);
  await page.keyboard.press('ArrowDown');
  assert.equal(await place(), 2);
  const before = await page.evaluate(() => window.tickreel.viewer.player.tick);
  await page.keyboard.press('Enter');
  await page.waitForFunction((tick) => window.tickreel.viewer.player.tick !== tick, before);
  await drawn(page, await page.evaluate(() => window.tickreel.viewer.player.tick));
  await page.waitForFunction(() => document.querySelectorAll('.rows li')[1].classList.contains('now'));
  assert.equal(await place(), 2);
  await page.keyboard.press('End');
  assert.equal(await place(), count);
  // One step leaves the list.
  await page.keyboard.press('Tab');
  assert.equal(await focused(page, "on.closest('.rows')"), null);
});

test('after a click on an event, Space plays', async () => {
  const page = await open('', staged);
  await page.click('.events .row:nth-child(2) button');
  await page.waitForFunction(() => document.querySelectorAll('.rows li')[1].classList.contains('now'));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.tickreel.viewer.player.playing);
});

test('arrows lead to events that are not drawn yet', async () => {
  const page = await open(field, { init: withMany(100_000) });
  const place = () => focused(page, "Number(on.closest('.rows li')?.getAttribute('aria-posinset') ?? 0)");
  await page.focus('.events .scrolls');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  const count = await page.$eval('.events .row', (row) => Number(row.getAttribute('aria-setsize')));
  assert.ok(count > 100, `${count}`);
  for (let steps = 1; steps <= 60; ++steps) await page.keyboard.press('ArrowDown');
  assert.equal(await place(), 61);
  const seen = () =>
    page.evaluate(() => {
      const [row, list] = [document.activeElement, document.querySelector('.events .scrolls')].map((each) =>
        each.getBoundingClientRect(),
      );
      return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    });
  assert.ok(await seen());
  await page.keyboard.press('PageUp');
  assert.ok((await place()) < 61 && (await seen()));
  await page.keyboard.press('End');
  assert.ok((await place()) === count && (await seen()));
});

test('Escape closes what opened, and the focus returns', async () => {
  let page = await open('', staged);
  await page.focus('[aria-label="Keys"]');
  await page.keyboard.press('Enter');
  assert.equal(await page.$eval('dialog', (dialog) => dialog.contains(document.activeElement)), true);
  // While it is open, the page ignores its own keys.
  const tick = await page.evaluate(() => window.tickreel.viewer.player.tick);
  await page.keyboard.press('.');
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('dialog', (dialog) => dialog.open), false);
  assert.equal(await focused(page, "on.getAttribute('aria-label')"), 'Keys');
  assert.equal(await page.evaluate(() => window.tickreel.viewer.player.tick), tick);

  await page.click('#tab-charts');
  await page.waitForSelector('.chart .uplot');
  await page.fill('[aria-label="Column to draw"]', 'speed');
  await page.focus('.found button');
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('.found', (list) => list.hidden), true);
  assert.equal(await focused(page, "on.getAttribute('aria-label')"), 'Column to draw');

  await page.click('#tab-notes');
  await page.click('.notes-panel >> text=Pen');
  assert.equal(await page.$eval('.drawings', (layer) => layer.classList.contains('drawn-on')), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('.drawings', (layer) => layer.classList.contains('drawn-on')), false);

  page = await open(games);
  await page.focus('.choice:nth-child(2) .bare');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page, 'on.tagName'), 'H2');
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('.game-chosen', (section) => section.hidden), true);
  assert.equal(await focused(page, "[...document.querySelectorAll('.choice .bare')].indexOf(on)"), 1);
});

test('a list that is written again keeps the focus', async () => {
  const page = await open('', staged);
  await page.click('#tab-highlights');
  await page.focus('.highlights .plain button');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.reel').textContent === 'Stop');
  assert.equal(await focused(page, "Boolean(on.closest('.highlights .plain'))"), true);
  await page.click('.reel');
  await page.click('#tab-notes');
  for (const [tick, words] of [
    [10, 'first'],
    [20, 'second'],
  ]) {
    await page.evaluate((to) => window.tickreel.viewer.player.seekTick(to), tick);
    await page.fill('[aria-label="Note at this moment"]', words);
    await page.click('.notes-panel >> text=Add');
  }
  await page.focus('.noted .remove');
  await page.keyboard.press('Enter');
  assert.equal(await page.$$eval('.noted', (all) => all.length), 1);
  assert.equal(await focused(page, "Boolean(on.closest('.noted'))"), true);
});

test('a wide page on a touch screen has a large transport', async () => {
  const page = await open('', { ...staged, hasTouch: true });
  assert.equal(await page.evaluate(() => matchMedia('(pointer: coarse)').matches), true);
  await page.keyboard.press('r');
  assert.deepEqual(await page.evaluate(layoutProblems, { least: 24, transport: 44 }), []);
});
