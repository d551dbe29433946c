// The panel for queries, in a real browser: its rows are those of `tickreel query`, and a statement can only read.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { built, converted, drawn, field, old, run, scratch, torn, userOfTests } from './page_user.mjs';
import { stagedMatch } from './staged_match.mjs';

const staged = join(scratch, 'staged.echoreplay');
writeFileSync(staged, stagedMatch());
const [tape, butter] = ['tape', 'butter'].map((format) => converted(staged, `staged.${format}`));

const user = userOfTests();

const open = async (path, options) => {
  const page = await user.open(path, options);
  await page.click('#tab-query');
  return page;
};
const state = (page) => page.$eval('.query > [role=status]', (element) => element.textContent);
// Runs a statement and returns what the panel then says.
async function ask(page, sql) {
  await page.fill('.query textarea', sql);
  await page.press('.query textarea', 'Control+Enter');
  await page.waitForFunction(() => !document.querySelector('.query button').disabled);
  return state(page);
}
const rowsOf = (page) =>
  page.$$eval('.query tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
const headsOf = (page) => page.$$eval('.query th', (all) => all.map((head) => head.firstChild.textContent));

// As the program gives them.
function rowsOfProgram(sql, path) {
  const { out, said, status } = run('query', '--json', sql, path);
  assert.ok([0, 3].includes(status), said);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
const shown = (value) => (value === null ? '' : String(value));

test('the rows equal those of tickreel query', async () => {
  const statements = [
    [staged, 'SELECT tick, time_ms, "session.disc.speed", "session.disc.position[0]" AS x FROM ticks WHERE tick < 90'],
    [
      staged,
      `SELECT player, team, count(*) AS ticks, round(avg(ping), 2) AS ping, max(speed) AS top
       FROM players GROUP BY player, team ORDER BY player`,
    ],
    [
      staged,
      'SELECT type, count(*) AS n, min(tick) AS tick, min(time_ms) AS ms FROM events GROUP BY type ORDER BY type',
    ],
    [staged, 'SELECT player, goals, saves, stuns, possession_s, uncertain FROM statistics ORDER BY id'],
    [staged, 'SELECT format, bytes, ticks, started, health, "players[0].name" AS first FROM recordings'],
    [
      join(old, 'match.icrep'),
      `SELECT tick, type, paused, (SELECT max(t.tick) FROM ticks t WHERE t.tick <= e.tick) AS before
       FROM events e ORDER BY tick`,
    ],
    [
      join(old, 'anonymised.SC2Replay'),
      `SELECT player, apm, result, (SELECT count(*) FROM events) AS events, (SELECT map FROM recordings) AS map
       FROM statistics ORDER BY player`,
    ],
    [join(old, 'drive.rec'), 'SELECT tick, time_ms, "position[2]" AS z FROM ticks WHERE time_ms BETWEEN 500 AND 900'],
    [field, 'SELECT tick, caption, gravity, json_array_length(units) AS units FROM ticks ORDER BY tick DESC LIMIT 50'],
    [tape, 'SELECT tick, player, team, "head.position[0]" AS x FROM players WHERE tick BETWEEN 50 AND 60'],
    [butter, 'SELECT max("session.disc.speed") AS top, count(*) AS ticks, sum(tick) AS tick FROM ticks'],
  ];
  let page = null;
  let at = null;
  for (const [path, sql] of statements) {
    if (at !== path) page = await open((at = path));
    const said = await ask(page, sql);
    const expected = rowsOfProgram(sql, path);
    assert.match(said, /^\d+ rows?,/, `${sql}: ${said}`);
    assert.ok(expected.length > 0, sql);
    assert.deepEqual(await headsOf(page), Object.keys(expected[0]), sql);
    assert.deepEqual(
      await rowsOf(page),
      expected.map((row) => Object.values(row).map(shown)),
      sql,
    );
  }
});

test('all columns of a table, and units where they are known', async () => {
  const page = await open(staged);
  assert.match(await ask(page, 'events'), /rows/);
  const csv = run('query', '--csv', 'events', staged).out.split('\n')[0];
  assert.equal((await headsOf(page)).join(','), csv.replaceAll('"', ''));
  await ask(page, 'SELECT tick, "session.disc.speed" AS v FROM ticks LIMIT 1');
  assert.deepEqual(await page.$$eval('.query th small', (all) => all.map((unit) => unit.textContent.trim())), ['m/s']);
});

test('the module is loaded only when the panel opens', async () => {
  const page = await user.open(field);
  const asked = () => user.server.requests.filter((request) => request.endsWith('/query.wasm')).length;
  const before = asked();
  await page.waitForSelector('.viewer[data-judged]');
  assert.equal(asked(), before);
  await page.click('#tab-query');
  await page.waitForFunction(() => performance.getEntriesByName(new URL('query.wasm', location.href).href).length > 0);
  assert.equal(asked(), before + 1);
});

test('the module for queries is below 900 KB, gzipped', () => {
  const bytes = gzipSync(readFileSync(join(built, 'query.wasm')), { level: 9 }).length;
  assert.ok(bytes <= 900 * 1024, `${bytes} bytes of ${statSync(join(built, 'query.wasm')).size}`);
});

test('a wrong statement gets the message of the program', async () => {
  const page = await open(staged);
  for (const sql of [
    'SELEC tick FROM ticks',
    'SELECT * FROM goals',
    'SELECT session.disc.speed FROM ticks',
    'SELECT tick FROM ticks; SELECT 1',
    'SELECT ? FROM ticks',
    'SELECT "a.b.c',
    'SELECT x, X FROM ticks',
  ]) {
    const { said, status } = run('query', sql, staged);
    assert.equal(status, 2, sql);
    const answer = await ask(page, sql);
    assert.ok(said.includes(answer), `${sql}: ${answer} / ${said}`);
    assert.equal(await page.$eval('.query > [role=status]', (element) => element.classList.contains('bad')), true);
    assert.deepEqual(await rowsOf(page), []);
  }
});

test('nothing but reading is possible', async () => {
  const page = await open(staged);
  for (const sql of [
    "ATTACH 'x.db' AS x",
    'PRAGMA writable_schema = 1',
    'PRAGMA database_list',
    "INSERT INTO ticks VALUES ('a', 1, 2, 'b')",
    'CREATE TABLE t (a)',
    'CREATE TEMP VIEW v AS SELECT 1',
    'DROP TABLE ticks',
    "VACUUM INTO 'x.db'",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('x', 'y')",
    'EXPLAIN SELECT 1; DROP TABLE ticks',
    'BEGIN',
  ]) {
    assert.match(
      await ask(page, sql),
      /only SELECT|not authorized|no such function|more than one|no such table|near /,
      sql,
    );
    assert.deepEqual(await rowsOf(page), [], sql);
  }
  assert.match(await ask(page, 'SELECT tick FROM ticks LIMIT 2'), /^2 rows/);
});

test('a statement without end is cancelled, and the next one works', async () => {
  const page = await open(staged);
  const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c';
  await page.fill('.query textarea', endless);
  await page.click('.query >> text=Run');
  await page.waitForFunction(() => document.querySelector('.query > [role=status]').textContent === 'Running\u2026');
  // The rest of the page works meanwhile.
  await page.evaluate(() => window.tickreel.viewer.player.seekTick(40));
  await drawn(page, 40);
  await page.click('.query >> text=Cancel');
  await page.waitForFunction(() => /cancelled/.test(document.querySelector('.query > [role=status]').textContent));
  assert.match(await ask(page, 'SELECT count(*) FROM ticks'), /^1 row/);
  // The same with a key.
  await page.fill('.query textarea', endless);
  await page.press('.query textarea', 'Control+Enter');
  await page.press('.query textarea', 'Escape');
  await page.waitForFunction(() => /cancelled/.test(document.querySelector('.query > [role=status]').textContent));
});

test('limits of the program hold', async () => {
  const page = await open(staged);
  assert.match(await ask(page, 'SELECT length(hex(zeroblob(16000000)))'), /more than 16 MiB|16 MiB/);
  assert.match(await ask(page, "SELECT 'x' LIKE printf('%.300c', '%')"), /LIKE or GLOB pattern too complex/);
});

test('a row with a tick goes to that moment, by click and by key', async () => {
  const page = await open(staged);
  await ask(page, 'SELECT type, tick FROM events ORDER BY tick');
  const ticks = (await rowsOf(page)).map(([, tick]) => Number(tick));
  const other = ticks.findIndex((tick) => tick !== ticks[0]);
  await page.click(`.query tbody tr:nth-child(${other + 1}) td:first-child`);
  await drawn(page, ticks[other]);
  await page.focus('.query tbody .bare');
  await page.keyboard.press('Enter');
  await drawn(page, ticks[0]);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await drawn(page, ticks.at(-1));
  await page.keyboard.press('Home');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), String(ticks[0]));
});

test('a thousand rows are shown, and all are saved', async () => {
  const page = await open(staged);
  const sql =
    'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2500) SELECT n, n * 2 AS double FROM c';
  assert.match(await ask(page, sql), /^The first 1000 of 2500 rows/);
  assert.equal((await rowsOf(page)).length, 1000);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.query >> text=Save CSV')]);
  assert.equal(download.suggestedFilename(), 'staged-query.csv');
  assert.equal(readFileSync(await download.path(), 'utf8'), run('query', '--csv', sql, staged).out);
  await page.click('.query >> text=Copy CSV');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).split('\n').length === 1002);
});

test('texts of a recording are only texts', async () => {
  const page = await open(staged);
  const sql = `SELECT '<img src=x onerror=alert(1)>' AS "<b>a</b>", char(8238) || 'abc' AS turned,
    '=1+1' AS formula, char(0) AS zero`;
  await ask(page, sql);
  const [row] = await rowsOf(page);
  assert.equal(row[0], '<img src=x onerror=alert(1)>');
  assert.ok(!row[1].includes('\u202e'));
  assert.deepEqual(await page.$$eval('.query img, .query table b', (all) => all.length), 0);
  const csv = await page.evaluate(async () => {
    document.querySelectorAll('.query .row-of:last-child button')[0].click();
    for (;;) {
      const text = await navigator.clipboard.readText();
      if (text.includes('formula')) return text;
      await new Promise((next) => setTimeout(next, 20));
    }
  });
  assert.equal(csv, run('query', '--csv', sql, staged).out);
});

test('a long text loses its middle, and a box shows the whole of it', async () => {
  const name = `2026-11-28_${'evening-league_'.repeat(10)}final-version.reel`;
  for (const width of [360, 1280]) {
    const page = await open(field, { name, width });
    await ask(page, 'SELECT file, format FROM recordings');
    assert.deepEqual(await rowsOf(page), [[name, 'reel']]);
    const seen = () =>
      page.evaluate(() => {
        const panel = document.querySelector('.query .scrolls').getBoundingClientRect();
        const [begin, end] = document.querySelectorAll('.query td .cut span');
        const { right } = end.getBoundingClientRect();
        return [right <= panel.right + 1, begin.scrollWidth <= begin.clientWidth || begin.clientWidth === 0];
      });
    assert.deepEqual(await seen(), [true, false], `${width}`);
    await page.focus('.query [type=checkbox]');
    await page.keyboard.press('Space');
    assert.deepEqual(await seen(), [true, true], `${width}`);
  }
});

test('columns are listed, found, and inserted', async () => {
  const page = await open(staged);
  await page.click('.query summary');
  await page.fill('[aria-label="Search columns"]', 'ticks disc.position[1]');
  await page.waitForSelector('.query .found button');
  await page.fill('.query textarea', 'SELECT  FROM ticks LIMIT 3');
  await page.evaluate(() => document.querySelector('.query textarea').setSelectionRange(7, 7));
  await page.click('.query .found button');
  await page.press('.query textarea', 'Control+Enter');
  await page.waitForSelector('.query tbody tr:nth-child(3)');
  assert.deepEqual(await headsOf(page), ['session.disc.position[1]']);
});

test('spoiler-free mode warns', async () => {
  const page = await open(staged);
  const warning = () => page.$eval('.query > .note', (note) => !note.hidden && note.textContent);
  assert.equal(await warning(), false);
  await page.click('text=Spoiler-free');
  assert.match(await warning(), /after the cursor/);
});

test('a recording that is damaged, empty or still growing', async () => {
  let page = await open(torn);
  assert.match(await ask(page, 'SELECT count(*) FROM ticks'), /^1 row/);
  const program = run('query', '--csv', 'SELECT count(*) FROM ticks', torn);
  assert.equal(program.status, 3);
  assert.deepEqual(await rowsOf(page), [[program.out.split('\n')[1]]]);
  const remarks = await page.$$eval('.query .remarks li', (all) => all.map((each) => each.textContent));
  assert.ok(remarks.length > 0 && remarks.every((each) => program.said.includes(each)), `${remarks} / ${program.said}`);
  // Rows up to now.
  const bytes = readFileSync(field);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  page = await open(field, { bytes: half, live: true });
  await ask(page, 'SELECT count(*) AS n FROM ticks');
  const [[first]] = await rowsOf(page);
  user.server.recording.bytes = bytes;
  await page.waitForFunction((size) => window.tickreel.recording.bytes === size, bytes.length);
  await ask(page, 'SELECT count(*) AS n FROM ticks');
  const [[then]] = await rowsOf(page);
  assert.ok(Number(first) > 0 && Number(then) > Number(first), `${first} ${then}`);
});

test('a single file says how to query', async () => {
  const page = await user.page();
  const file = join(scratch, 'one.html');
  assert.ok([0, 3].includes(run('view', '--html', file, '--force', field).status));
  await page.goto(`file://${file}#tab=query`);
  await page.waitForSelector('.viewer[data-ready]');
  user.outside.length = 0;
  assert.match(await page.$eval('.query', (panel) => panel.textContent), /tickreel query ".*" field\.reel/);
});
