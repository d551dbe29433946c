// The page as users operate it, in a real browser.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bones,
  converted,
  drawn,
  field,
  old,
  painted,
  recordings,
  run,
  scratch,
  tickOf,
  ticksOf,
  timeoutMs,
  torn,
  uncompressedMatch,
  userOfTests,
  words,
} from './page_user.mjs';

// One of the optional real recordings, which are longer, or a recording of the repository.
const real = (name, instead) => recordings().find((path) => path.endsWith(name)) ?? instead;
const wicked = '<img src=x onerror=alert(1)>';
const text = uncompressedMatch();

const user = userOfTests();

test('without a recording it waits for one, and states that nothing is uploaded', async () => {
  user.server.recording = null;
  const page = await user.page();
  await page.waitForSelector('.drop');
  assert.match(await words(page, '.welcome'), /Nothing is uploaded/);
  const asked = user.server.requests.length;
  await page.setInputFiles('input[type=file]', text);
  await page.waitForSelector('.viewer[data-ready]');
  assert.equal(await words(page, 'h1'), 'text.echoreplay');
  // Only the reader was loaded, and nothing was sent.
  assert.deepEqual(
    user.server.requests.slice(asked).filter((each) => !/^GET \/(worker\.js|reader\.wasm)$/.test(each)),
    [],
  );
});

test('a dropped file is opened', async () => {
  user.server.recording = null;
  const page = await user.page();
  await page.waitForSelector('.drop');
  const bytes = readFileSync(field).toString('base64');
  await page.evaluate((given) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([Uint8Array.from(atob(given), (each) => each.charCodeAt(0))], 'dropped.reel'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }, bytes);
  await page.waitForSelector('.viewer[data-ready]');
  assert.equal(await words(page, 'h1'), 'dropped.reel');
});

test('keys move the cursor as in video players', async () => {
  const page = await user.open(field);
  const [first, last] = await ticksOf(page);
  await page.keyboard.press('.');
  await drawn(page, first + 1);
  await page.keyboard.press(',');
  await drawn(page, first);
  await page.keyboard.press('End');
  await drawn(page, last);
  await page.keyboard.press('Home');
  await drawn(page, first);
  await page.keyboard.press('5');
  const half = await page.evaluate(() =>
    window.tickreel.recording.tickAt(
      (window.tickreel.recording.firstTimeMs + window.tickreel.recording.lastTimeMs) / 2,
    ),
  );
  await drawn(page, half);
  await page.keyboard.press('>');
  assert.equal(await page.$eval('.transport select', (element) => element.value), '2');
  await page.keyboard.press('Home');
  await page.evaluate(() => window.tickreel.viewer.player.setSpeed(0.1));
  await page.keyboard.press('k');
  await page.waitForFunction(() => window.tickreel.viewer.player.tick > 0);
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.tickreel.viewer.player.playing), false);
  await page.keyboard.press('?');
  assert.equal(await page.$eval('dialog', (element) => element.open), true);
  await page.keyboard.press('Escape');
  // Keys typed into a field do not start playback.
  await page.focus('.events input[type=search]');
  const tick = await tickOf(page);
  await page.keyboard.type('k.5 ');
  assert.equal(await page.evaluate(() => window.tickreel.viewer.player.playing), false);
  assert.equal(await tickOf(page), tick);
});

test('the cursor can be set to a tick, a time or the clock of the game', async () => {
  const page = await user.open(text);
  const go = async (place) => {
    await page.fill('.jump', place);
    await page.press('.jump', 'Enter');
  };
  await go('3');
  await drawn(page, 3);
  await go('0s');
  await drawn(page, 0);
  const clock = JSON.parse(run('seek', text, '--tick', '60').out).session.game_clock;
  const want = JSON.parse(run('seek', text, '--clock', `clock:${clock}`).out).tick;
  await go(`clock:${clock}`);
  await drawn(page, want);
  await go('nonsense');
  assert.equal(await page.$eval('.jump', (element) => element.checkValidity()), false);
});

test('playback reaches the end and restarts', async () => {
  const page = await user.open(field, { hash: '#speed=16' });
  const [, last] = await ticksOf(page);
  await page.keyboard.press('Space');
  await drawn(page, last);
  await page.waitForFunction(() => !window.tickreel.viewer.player.playing);
  // Slowly, so that the browser's polling interval has no effect.
  await page.evaluate(() => window.tickreel.viewer.player.setSpeed(0.1));
  await page.keyboard.press('Space');
  await page.waitForFunction((end) => window.tickreel.viewer.player.tick < end, last);
});

test('a long name of a file shows its end, and all of it on request', async () => {
  const name = `2026-11-28_${'evening-league_'.repeat(14)}final-version.reel`;
  for (const [width, hasTouch] of [
    [360, true],
    [1280, false],
  ]) {
    const page = await user.open(field, { name, width, hasTouch });
    assert.equal(await words(page, 'h1'), name);
    const seen = () =>
      page.evaluate(() => {
        const { right, height } = document.querySelector('h1').getBoundingClientRect();
        const [begin, end] = document.querySelectorAll('h1 .cut span');
        const whole = begin.clientWidth === 0 || begin.scrollWidth <= begin.clientWidth;
        return [end.getBoundingClientRect().right <= right + 1, height < 40, whole];
      });
    assert.deepEqual(await seen(), [true, true, false], `${width}`);
    if (hasTouch) await page.tap('h1 button');
    else {
      await page.focus('h1 button');
      await page.keyboard.press('Enter');
    }
    assert.deepEqual(await seen(), [true, false, true], `${width}`);
    assert.equal(await page.getAttribute('h1 button', 'aria-expanded'), 'true');
  }
  // A short one needs no button.
  assert.equal(await (await user.open(field)).$('h1 button'), null);
});

test('a link opens its moment', async () => {
  const page = await user.open(field, { hash: '#t=20&speed=2&spoiler-free' });
  await drawn(page, 20);
  assert.equal(await page.$eval('.transport select', (element) => element.value), '2');
  assert.equal(await page.$eval('[aria-pressed=true]', (element) => element.textContent), 'Spoiler-free');
  await page.keyboard.press('.');
  await page.waitForFunction(
    () => /t=21\b/.test(location.hash) && /spoiler-free/.test(location.hash) && /speed=2/.test(location.hash),
  );
  await page.evaluate(() => (location.hash = '#t=30'));
  await drawn(page, 30);
});

test('without spoilers nothing of later ticks is visible', async () => {
  const page = await user.open(field, { hash: '#t=25&spoiler-free' });
  await drawn(page, 25);
  const listed = () => page.$$eval('.events .row .what b', (rows) => rows.map((row) => row.textContent));
  assert.deepEqual(await listed(), ['whistle']);
  await page.click('.actions button');
  assert.deepEqual((await listed()).length > 1, true);
  await page.click('.actions button');
  await page.fill('.jump', '30');
  await page.press('.jump', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('.events .row').length === 2);
});

// Later events that were shown and are now hidden leave no trace at an earlier tick.
test('without spoilers a reopened tab shows nothing after the furthest tick', async () => {
  const page = await user.open(join(old, 'anonymised.SC2Replay'), { hash: '#t=100000&spoiler-free' });
  const [, last] = await ticksOf(page);
  await page.evaluate((tick) => window.tickreel.viewer.player.seekTick(tick), last);
  const tabs = await page.$$eval('[role=tab]', (all) => all.map(({ id }) => id));
  assert.ok(tabs.includes('tab-build') && tabs.includes('tab-chat'));
  const rows = (tab) =>
    page.$$eval(`[data-tab=${tab}] li`, (all) => all.filter((each) => !each.hidden && each.offsetParent).length);
  const late = {};
  for (const tab of tabs) {
    await page.click(`#${tab}`);
    late[tab] = await rows(tab.slice(4));
  }
  assert.ok(late['tab-chat'] > 0 && late['tab-events'] > 0, JSON.stringify(late));
  for (const tab of tabs) {
    const other = tabs.find((each) => each !== tab);
    await page.click(`#${tab}`);
    await page.evaluate((tick) => window.tickreel.viewer.player.seekTick(tick), last);
    await page.click(`#${other}`);
    await page.evaluate(() => window.tickreel.viewer.player.seekTick(0));
    await page.click(`#${tab}`);
    // Text that is visible from the beginning is not a spoiler.
    if (['tab-build', 'tab-chat'].includes(tab)) assert.equal(await rows(tab.slice(4)), 0, tab);
    if (tab === 'tab-events') assert.ok((await rows('events')) < late[tab], tab);
    if (tab === 'tab-heat') assert.equal(await page.$$eval('.heat-host canvas', (all) => all.length), 0);
  }
});

test('several paths are in one picture, and files without a path are reported', async () => {
  user.server.recording = null;
  const page = await user.page();
  await page.waitForSelector('.drop');
  const walk = join(old, 'walk.rec');
  await page.setInputFiles('input[type=file]', [walk, walk, walk, field]);
  await page.waitForFunction(() =>
    /1 of 4 recordings are not shown/.test(document.querySelector('.notes')?.textContent),
  );
  // Each of them can be followed.
  await page.waitForFunction(() => document.querySelectorAll('.stage-bar label:nth-of-type(2) option').length === 4);
});

test('while following a path its course is visible, not only what moves on it', async () => {
  const page = await user.open(real('/at400_ls_to_lv.rec', join(old, 'walk.rec')), {
    width: 800,
    height: 700,
    hash: '#t=5',
  });
  const share = async () => {
    await painted(page);
    const picture = (await (await page.$('.canvas-host')).screenshot()).toString('base64');
    return page.evaluate(async (given) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(given), (each) => each.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      let blue = 0;
      for (let i = 0; i < data.length; i += 4) blue += data[i + 2] - data[i] > 70 ? 1 : 0;
      return blue / (data.length / 4);
    }, picture);
  };
  await page.waitForFunction(() => document.querySelector('.stage-notice')?.hidden !== false);
  // A single picture, as when nothing plays. Only the actor is blue.
  await share();
  await page.selectOption('.stage-bar select', 'follow');
  let seen = 0;
  for (const end = Date.now() + timeoutMs; seen === 0 && Date.now() < end;) seen = await share();
  assert.ok(seen > 0.0001 && seen < 0.03, String(seen));
});

test('the page is as high as the window', async () => {
  for (const [width, height] of [
    [1280, 720],
    [3840, 2160],
  ]) {
    const page = await user.open(field, { width, height });
    assert.deepEqual(
      await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]),
      [width, height],
    );
  }
});

test('names are never markup', async () => {
  const bytes = Buffer.from(
    readFileSync(text, 'utf8')
      .replaceAll(/"name":"[^"]*"/g, `"name":"${wicked}"`)
      .replaceAll(/"client_name":"[^"]*"/g, `"client_name":"${wicked}"`),
  );
  const page = await user.open('wicked', { bytes, name: `${wicked}.echoreplay` });
  for (const tab of ['values', 'charts', 'heat', 'facts', 'events']) await page.click(`#tab-${tab}`);
  await page.waitForTimeout(200);
  assert.equal(await page.$$eval('img', (found) => found.length), 0);
  assert.ok((await page.content()).includes('&lt;img src=x'), 'the name is shown');
});

test('an unreadable file is reported with the position', async () => {
  const page = await user.open('x', { bytes: Buffer.from('no known format'), name: "it's; nothing.butter" });
  assert.match(await words(page, '.failure'), /cannot be opened.*offset 0/s);
  // And the page continues.
  await page.setInputFiles('input[type=file]', field);
  await page.waitForSelector('.viewer[data-ready]');
});

test('losses of a torn recording are reported, and how to recover the rest', async () => {
  const page = await user.open(torn);
  assert.match(await words(page, '.notes'), /incomplete/);
  await page.click('#tab-facts');
  assert.match(await words(page, '.facts'), /tickreel recover field\.torn\.reel/);
  await page.click('.facts > button');
  await page.waitForSelector('.facts [role=status] li');
});

test('damage at any position ends with a message or a picture', async () => {
  const whole = readFileSync(bones);
  for (const [at, size] of [
    [0, 40],
    [0.5, 40],
    [0.9, 400],
  ]) {
    const bytes = Buffer.from(whole);
    const from = Math.floor(at * bytes.length);
    bytes.fill(0x5a, from, Math.min(bytes.length, from + size));
    await user.open('damaged', { bytes, name: 'damaged.echoreplay' });
    user.complaints.length = 0;
  }
});

test('two recordings side by side, and their first difference', async () => {
  const lines = readFileSync(text, 'utf8').split('\n');
  const at = lines.findIndex((line, number) => number >= 3 && /"bounce_count":\d+/.test(line));
  const other = lines
    .map((line, number) => (number === at ? line.replace(/"bounce_count":\d+/, '"bounce_count":77') : line))
    .join('\n');
  const path = join(scratch, 'other.echoreplay');
  writeFileSync(path, other);
  const page = await user.open(text);
  page.once('filechooser', (chooser) => chooser.setFiles(path));
  await page.click('text=Compare');
  await page.waitForSelector('.compare button:has-text("First difference")');
  assert.match(await words(page, '.compare'), /session\.disc\.bounce_count: \d+ \/ 77/);
  await page.click('.compare button:has-text("First difference")');
  const tick = await page.$eval('.compare button', (button) => Number(/\d+/.exec(button.textContent)[0]));
  await drawn(page, tick);
  assert.equal(await page.$$eval('.stage', (stages) => stages.length), 2);
  await page.click('[aria-label="Close the second recording"]');
  assert.equal(await page.$$eval('.stage', (stages) => stages.length), 1);
});

// Software rendering pays for every call and every vertex.
test('a picture with bones takes few calls and vertices, and unchanged data are not uploaded again', async () => {
  const page = await user.open(bones);
  const counted = await page.evaluate(async () => {
    const { viewer, recording } = window.tickreel;
    const sums = { calls: 0, corners: 0, instances: 0 };
    const to = WebGL2RenderingContext.prototype;
    const count = (name, each) => {
      const real = to[name];
      to[name] = function (...values) {
        each(...values);
        return real.apply(this, values);
      };
    };
    for (const name of ['drawArrays', 'drawElements']) {
      count(name, (_, first, second) => {
        ++sums.calls;
        sums.corners += name === 'drawArrays' ? second : first;
      });
    }
    for (const name of ['drawArraysInstanced', 'drawElementsInstanced']) count(name, () => ++sums.instances);
    const go = async (tick) => {
      viewer.player.seekTick(tick);
      while (document.querySelector('.viewer').dataset.tick !== String(tick)) await new Promise(requestAnimationFrame);
    };
    await go(recording.firstTick);
    let written = 0;
    const watching = new MutationObserver((changes) => (written += changes.length));
    watching.observe(document.querySelector('.scoreboard .team'), {
      childList: true,
      subtree: true,
      characterData: true,
    });
    for (let tick = recording.firstTick + 1; tick <= Math.min(recording.lastTick, recording.firstTick + 10); ++tick)
      await go(tick);
    while (sums.calls === 0) await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 0));
    return { ...sums, written, players: recording.info.players.length };
  });
  assert.ok(counted.players > 0);
  assert.equal(counted.instances, 0);
  assert.equal(counted.written, 0);
  // Of at most eleven pictures.
  assert.ok(counted.calls <= 11 * (25 + counted.players), JSON.stringify(counted));
  assert.ok(counted.corners <= 11 * (4000 + 4000 * counted.players), JSON.stringify(counted));
});

test('the reader of other formats is loaded when needed, and pictures are drawn with it', async () => {
  const walk = join(old, 'walk.rec');
  const [capture, messages] = [converted(bones, 'bones.tape'), converted(field, 'field.mcap')];
  for (const [path, needed] of [
    [bones, []],
    [field, ['others']],
    [walk, ['others']],
    [capture, ['captures']],
    [messages, ['captures']],
  ]) {
    const asked = user.server.requests.length;
    const page = await user.open(path);
    // The first reader names the one that opens the format.
    const loaded = user.server.requests.slice(asked).map((each) => /^GET \/(others|captures)\.wasm$/.exec(each)?.[1]);
    assert.deepEqual([...new Set(loaded.filter((each) => each))], needed, path);
    const canvas = await page.$('.canvas-host canvas.stage-canvas');
    assert.ok(canvas, `${path} has a picture`);
    const cameras = await page.$$eval('.stage-bar label:first-child option', (options) =>
      options.map(({ value }) => value),
    );
    assert.ok(cameras.length >= 3, path);
    for (const camera of cameras) {
      await page.selectOption('.stage-bar label:first-child select', camera);
      await page.waitForTimeout(100);
      assert.doesNotMatch(await words(page, '.canvas-host'), /cannot be drawn/, `${path}, ${camera}`);
    }
    // More than its background.
    const colours = await page.evaluate(
      async (picture) => {
        const pen = new OffscreenCanvas(300, 150).getContext('2d');
        pen.drawImage(
          await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (each) => each.charCodeAt(0))])),
          0,
          0,
          300,
          150,
        );
        return new Set(new Uint32Array(pen.getImageData(0, 0, 300, 150).data.buffer)).size;
      },
      (await canvas.screenshot()).toString('base64'),
    );
    assert.ok(colours > 20, `${path}: ${colours} colours`);
  }
});

// https://www.w3.org/TR/WCAG22/#contrast-minimum
test('text has the contrast of WCAG AA in both themes', async () => {
  for (const colorScheme of ['light', 'dark']) {
    user.server.recording = null;
    const page = await user.page({ colorScheme });
    const weak = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const box = document.body.appendChild(document.createElement('i'));
        box.style.color = style.getPropertyValue(name);
        const parts = getComputedStyle(box)
          .color.match(/[\d.]+/g)
          .slice(0, 3)
          .map((each) => each / 255);
        box.remove();
        return parts
          .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
          .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
      };
      const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const found = [];
      for (const ink of ['--ink', '--soft', '--bad', '--good', '--blue', '--orange']) {
        for (const paper of ['--paper', '--raised'])
          if (ratio(ink, paper) < 4.5) found.push([ink, paper, ratio(ink, paper)]);
      }
      for (const [ink, paper] of [
        ['--on-accent', '--accent'],
        ['--ink', '--mark'],
        ['--soft', '--mark'],
        ['--bad', '--mark'],
        ['--ink', '--hover'],
        ['--soft', '--hover'],
        ['--paper', '--bad'],
        ['--paper', '--ink'],
      ]) {
        if (ratio(ink, paper) < 4.5) found.push([ink, paper, ratio(ink, paper)]);
      }
      return found;
    });
    assert.deepEqual(weak, []);
  }
});
