// The page in a real browser, and recordings to open in it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from './server.mjs';

export const source = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const built = process.env.TICKREEL_VIEWER_PAGE ?? join(source, 'recorders/viewer/bundle');
export const program = process.env.TICKREEL_PROGRAM ?? join(source, 'build/release/bin/tickreel');
export const kept = join(source, 'tests/compatibility');
const data = resolve(source, '../shared/data');

// For WebAssembly and software rendering on a busy machine.
export const timeoutMs = Number(process.env.TICKREEL_TEST_TIMEOUT_MS ?? 120_000);

export function run(...args) {
  const { stdout, stderr, status } = spawnSync(program, args, { maxBuffer: 1 << 30 });
  return { out: stdout.toString(), said: stderr.toString(), status };
}

export const scratch = mkdtempSync(join(tmpdir(), 'tickreel-viewer-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

// Recordings of the repository that several tests open.
export const old = join(kept, '0.1.0/recordings');
export const games = join(old, 'flagged.gamecache');
export const bones = join(old, 'bones.echoreplay');
export const field = join(kept, '0.2.0/recordings/field.reel');
export const torn = join(kept, '0.2.0/recordings/field.torn.reel');
export const lateJoin = join(kept, '0.2.0/recordings/echo.columns.reel');
export const echoMatch = join(kept, '0.2.0/recordings/echo.lines.reel');

// Returns the path of a converted copy. Exit code 3 reports fields that the format cannot store.
export function converted(recording, name, ...options) {
  const path = join(scratch, name);
  const { status, said } = run('convert', recording, path, ...options);
  assert.ok([0, 3].includes(status), said);
  return path;
}
export const uncompressedMatch = () => converted(echoMatch, 'text.echoreplay', '--codec', 'none');

// The recordings in the repository, and all of the optional folder of real ones.
export function recordings() {
  const found = [];
  for (const version of readdirSync(kept)) {
    const folder = join(kept, version, 'recordings');
    if (existsSync(folder)) found.push(...readdirSync(folder).map((name) => join(folder, name)));
  }
  if (existsSync(data)) {
    for (const kind of ['butter', 'rec', 'sc2', 'gamecache']) {
      if (!existsSync(join(data, kind))) continue;
      found.push(...readdirSync(join(data, kind)).map((name) => join(data, kind, name)));
    }
  } else {
    console.log('viewer: no folder of real recordings; only those of the tree are compared');
  }
  // A live .icrep is three files, of which a page has one.
  return found.filter(
    (path) =>
      statSync(path).isFile() &&
      !existsSync(`${path}.kf`) &&
      /\.(butter|echoreplay|reel|icrep|rec|SC2Replay|gamecache(\.dat)?)$/.test(path),
  );
}

export async function startBrowser() {
  const { chromium } = createRequire(join(source, 'recorders/viewer/'))('playwright-core');
  // The same browser without windows takes half the time.
  const chromiumPath =
    process.env.TICKREEL_CHROMIUM ??
    execFileSync('sh', ['-c', 'command -v chromium-headless-shell || command -v chromium']).toString().trim();
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

// One page at a time, in a browser and from a server of its own.
export class PageUser {
  complaints = [];
  outside = [];

  async start() {
    this.browser = await startBrowser();
    this.server = await serve(built);
    return this;
  }

  async stop() {
    await this.browser?.close();
    await this.server?.close();
  }

  // Fails if the browser reported an error, or a request to any other host.
  checkBrowser() {
    assert.deepEqual(this.complaints.splice(0), []);
    assert.deepEqual(this.outside.splice(0), []);
  }

  async page({ width = 1280, height = 760, colorScheme = 'light', hasTouch = false, hash = '', init } = {}) {
    await this.context?.close();
    this.complaints.length = 0;
    this.context = await this.browser.newContext({
      viewport: { width, height },
      colorScheme,
      hasTouch,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await this.context.newPage();
    page.setDefaultTimeout(timeoutMs);
    page.on('console', (message) => {
      // A server without a recording, or without new data, responds so; and software rendering has to read back its
      // pixels.
      if (
        /status of (404|416)|GPU stall|GL Driver Message/.test(message.text()) ||
        message.type() === 'info' ||
        message.type() === 'log'
      )
        return;
      this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin + '/' !== this.server.address && protocol !== 'blob:' && protocol !== 'data:')
        this.outside.push(request.url());
    });
    if (init) await page.addInitScript(init);
    await page.goto(this.server.address + hash);
    return page;
  }

  // As the server returns it.
  async open(path, options = {}) {
    this.server.recording = {
      name: options.name ?? path.split('/').pop(),
      bytes: options.bytes ?? readFileSync(path),
      live: options.live,
      push: options.push,
      map: options.map,
    };
    const page = await this.page(options);
    await page.waitForSelector(options.until ?? '.viewer[data-ready], .games-result table, .failure');
    return page;
  }
}

// The user of all tests in a file. An error in the page fails the test that opened it.
export function userOfTests() {
  const user = new PageUser();
  before(() => user.start());
  after(() => user.stop());
  afterEach(() => user.checkBrowser());
  return user;
}

export const drawn = (page, tick) =>
  page.waitForFunction((wanted) => document.querySelector('.viewer')?.dataset.tick === String(wanted), tick, {
    polling: 20,
  });

// For `init`: a reader whose answers `change(call, text, value)` replaces in the page.
export const withAnswers = (change, value) => `(${changeAnswers})(${change}, ${JSON.stringify(value)})`;
const changeAnswers = (change, value) => {
  const Real = window.Worker;
  window.Worker = class extends Real {
    #calls = new Map();
    postMessage(message, ...others) {
      this.#calls.set(message.id, message.call);
      super.postMessage(message, ...others);
    }
    set onmessage(listener) {
      super.onmessage = ({ data }) =>
        listener({ data: { ...data, text: change(this.#calls.get(data.id), data.text, value) } });
    }
  };
};

// For `init`: a reader that claims a given number of gaps, keyframes and events.
export const withMany = (many) => withAnswers(claimMany, many);
const claimMany = (call, text, many) => {
  const when = (at) => [Math.floor((at * 100) / many), (at * 2000) / many];
  if (call === 'overview') {
    const gaps = Array.from({ length: many }, (_, at) => [when(at)[0], when(at)[1], when(at)[1] + 1000 / many, 1]);
    return JSON.stringify({ ...JSON.parse(text), gaps, keyframes: gaps.map(([tick]) => tick) });
  }
  if (call !== 'events') return text;
  return Array.from(
    { length: many },
    (_, at) =>
      `{"tick":${when(at)[0]}` +
      `,"time_ms":${when(at)[1]},"type":"${['goal', 'stun', 'whistle', 'unit_created'][at % 4]}"}`,
  ).join('\n');
};

// The text of an element.
export const words = (page, selector) => page.$eval(selector, (element) => element.textContent);

export const tickOf = (page) => page.$eval('.viewer', (element) => Number(element.dataset.tick));

export const ticksOf = (page) =>
  page.evaluate(() => [window.tickreel.recording.firstTick, window.tickreel.recording.lastTick]);

// The page shows its verdict on the recording.
export const judged = (page) => page.waitForSelector('.viewer[data-judged]');

// What the page has changed by now is drawn.
export const painted = (page) =>
  page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
