// Every screen of the page, and every page that the program writes, in both themes and at several sizes: the rules of
// axe-core, contrast, nothing cut off or covered, and controls that are large enough.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { layoutProblems, faintTexts } from './looks.mjs';
import { field, old, painted, run, scratch, source, torn, userOfTests } from './page_user.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

const axe = readFileSync(createRequire(join(source, 'recorders/viewer/')).resolve('axe-core/axe.min.js'), 'utf8');
const staged = { name: 'staged.echoreplay', bytes: stagedMatch(), hash: `#t=${tickAtSecond(6.3)}` };

const user = userOfTests();

const sizes = { 360: 780, 1280: 760, 1920: 1080, 3840: 1200 };
// The dark theme differs in its colours only. A change of theme draws the picture again, which is slow in software.
const passes = [
  { width: 3840, themes: [] },
  { width: 1920, themes: [] },
  { width: 1280, themes: ['light'] },
  { width: 1280, themes: ['dark'] },
  { width: 360, themes: ['dark'] },
  { width: 360, themes: ['light'] },
];
const settledMs = 60_000;

// What axe-core finds, of any impact. faintTexts judges the contrast of elements that axe-core cannot judge.
async function findings(page, part, colours) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(
    ([context, options]) =>
      window.axe.run(context ?? document, { resultTypes: ['violations'], ...options }).then((made) => made.violations),
    // Only these rules look at colours.
    [part, colours ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}],
  );
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

// `part`: the selector of what differs from the screen before.
async function look(page, { width, themes }, where, part = null) {
  const at = `${where}, ${width} px${themes.map((theme) => `, ${theme}`).join('')}`;
  const problems = () => page.evaluate(layoutProblems, { least: 24, transport: width === 360 ? 44 : 24 });
  await painted(page);
  let wrong = await problems();
  // Names in the picture get their places with its next drawing.
  for (const end = Date.now() + settledMs; wrong.length > 0 && Date.now() < end; wrong = await problems())
    await painted(page);
  assert.deepEqual(wrong, [], at);
  if (themes.length === 0) return;
  assert.deepEqual(await findings(page, part, themes[0] === 'dark'), [], at);
  assert.deepEqual(await page.evaluate(faintTexts), [], at);
  user.looked?.(page, at);
}

// Looks at each tab, or in windows wider than `tabsUpTo` only at the first one, and at `opens`: what opens and
// closes, as [name, open, close, what differs].
async function walk(page, name, { opens = [], tabsUpTo = 1280 } = {}) {
  for (const pass of passes) {
    await page.setViewportSize({ width: pass.width, height: sizes[pass.width] });
    await page.emulateMedia({ colorScheme: pass.themes[0] ?? 'light' });
    const tabs = await page.$$eval('[role=tab]', (all) => all.map(({ id }) => id));
    if (tabs.length === 0) await look(page, pass, name);
    for (const tab of pass.width <= tabsUpTo ? tabs : tabs.slice(0, 1)) {
      await page.click(`#${tab}`);
      await look(page, pass, `${name}, ${tab}`, tab === tabs[0] ? null : '.side');
    }
    for (const [what, open, close, part] of opens) {
      await open(page);
      await look(page, pass, `${name}, ${what}`, part);
      await close(page);
    }
  }
  user.checkBrowser();
}

// The picture itself is not checked, and drawing it in software is slow.
const undrawn = () => {
  for (const name of ['drawArrays', 'drawElements']) WebGL2RenderingContext.prototype[name] = () => {};
};
const open = async (path, options) => {
  const page = await user.open(path, { init: undrawn, ...options });
  await page.waitForSelector('.viewer[data-judged], .games-result table, .failure');
  return page;
};
const key = (name, opens, closes, part) => [
  name,
  (page) => page.keyboard.press(opens),
  (page) => page.keyboard.press(closes),
  part,
];

test('pages without a recording', async () => {
  user.server.recording = null;
  let page = await user.page();
  await page.waitForSelector('.drop');
  await walk(page, 'the first page');
  page = await open('x', { bytes: Buffer.from('no known format'), name: "it's; nothing.butter" });
  await walk(page, 'an unreadable file');
});

test('a match of Echo VR, and everything that opens in it', async () => {
  const page = await open('', staged);
  await page.waitForSelector('.caption:not([hidden])');
  // So that the list is not empty.
  await page.click('#tab-notes');
  await page.fill('[aria-label="Note at this moment"]', 'No one covers the goal');
  await page.click('.notes-panel >> text=Add');
  await page.click('#tab-charts');
  await page.waitForSelector('.chart .uplot');
  await page.click('#tab-heat');
  await page.waitForSelector('.heat-host canvas');
  await page.click('#tab-query');
  await page.fill('.query textarea', 'SELECT tick, type, time_ms, event FROM events LIMIT 30');
  await page.press('.query textarea', 'Control+Enter');
  await page.waitForSelector('.query tbody tr');
  // Four hundred rows of one kind would only cost time.
  await page.click('#tab-values');
  await page.fill('[aria-label="Search values"]', 'disc');
  await walk(page, 'Echo VR', {
    opens: [
      key('keys', '?', 'Escape', 'dialog'),
      key('a selected part', 'r', 'r', '.transport'),
      key('without the panel', 'h', 'h', 'header'),
      key('spoiler-free', 's', 's', 'header'),
      [
        'columns found',
        async () => {
          await page.click('#tab-charts');
          await page.fill('[aria-label="Column to draw"]', 'speed');
          await page.waitForSelector('.found button');
        },
        () => page.keyboard.press('Escape'),
        '.side',
      ],
      [
        'columns of tables',
        async () => {
          await page.click('#tab-query');
          await page.click('.query summary');
          await page.waitForSelector('.query .found button');
        },
        () => page.click('.query summary'),
        '.side',
      ],
      [
        'fields of events',
        async () => (await page.click('#tab-events'), await page.check('.events .row-of input[type=checkbox]')),
        () => page.uncheck('.events .row-of input[type=checkbox]'),
        '.side',
      ],
    ],
  });
});

test('two matches side by side', async () => {
  const page = await open(join(old, 'bones.echoreplay'), { hash: '#t=1' });
  page.once('filechooser', (chooser) => chooser.setFiles(join(old, 'bones.butter')));
  await page.click('text=Compare');
  await page.waitForFunction(() => /same|First/.test(document.querySelector('.compare [role=status]')?.textContent));
  await walk(page, 'compared', { tabsUpTo: 0 });
});

test('a damaged recording of a described game', async () => {
  const page = await open(torn, { hash: '#t=20' });
  await page.click('#tab-facts');
  await page.click('.facts > button');
  await page.waitForSelector('.facts [role=status] li');
  await walk(page, 'a damaged reel');
});

test('an .icrep, a replay of StarCraft II and a path', async () => {
  for (const [name, hash] of [
    ['match.icrep', '#t=90'],
    ['anonymised.SC2Replay', ''],
    ['drive.rec', '#t=60'],
  ])
    await walk(await open(join(old, name), { hash }), name);
});

test('the games of a gamecache', async () => {
  const page = await open(join(old, 'flagged.gamecache'));
  await walk(page, 'a gamecache', {
    opens: [
      [
        'a game',
        async () => (await page.click('.choice .bare'), await page.waitForSelector('.game-chosen table')),
        () => page.keyboard.press('Escape'),
      ],
      ['heroes', () => page.click('.choices >> text=Heroes'), () => {}],
      ['players', () => page.click('.choices >> text=Players'), () => page.click('.choices >> text=Games')],
    ],
  });
});

test('several games that are recorded, of which one has no match', async () => {
  const bytes = readFileSync(field);
  user.server.games = [
    { title: '127.0.0.1:6721', state: 'field.reel', recording: { name: 'field.reel', bytes, live: true } },
    { title: '127.0.0.1:6722', state: 'no match yet', recording: null },
  ];
  try {
    const page = await user.page({ init: undrawn });
    await page.waitForSelector('.viewer[data-ready]');
    await walk(page, 'a live match', { tabsUpTo: 0 });
    await page.click('.targets a:nth-child(2)');
    await page.waitForSelector('.welcome');
    await walk(page, 'no match yet');
  } finally {
    user.server.games = null;
  }
});

test('reports, statistics and plots', async () => {
  const match = join(scratch, 'staged.echoreplay');
  writeFileSync(match, staged.bytes);
  const recording = (name) => join(old, name);
  const index = join(scratch, 'index.db');
  const made = (name) => join(scratch, `${name}.html`);
  const some = [match, recording('anonymised.SC2Replay'), recording('flagged.gamecache')];
  const others = [torn, recording('drive.rec'), recording('match.icrep')];
  run('report', match, '-o', made('report'));
  run('report', ...some, ...others, '-o', made('reports'));
  writeFileSync(made('statistics'), run('stats', '--html', ...some).out);
  run('library', 'scan', scratch, old, '--db', index);
  run('library', 'stats', '--db', index, '--html', made('library'));
  run('npc', 'plot', recording('walk.rec'), recording('drive.rec'), '--html', made('plot'));
  const page = await user.page();
  for (const name of ['report', 'reports', 'statistics', 'library', 'plot']) {
    await page.goto(pathToFileURL(made(name)).href);
    user.outside.length = 0;
    await page.$$eval('details', (all) => all.forEach((each) => (each.open = true)));
    await walk(page, name);
  }
});
