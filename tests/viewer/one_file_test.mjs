// The self-contained page that `tickreel view --html` writes, opened from the disk.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { built, drawn, kept, timeoutMs, scratch, source, startBrowser } from './page_user.mjs';

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// `map`: the attributes of a picture below the recording.
function oneFile(recording, more = '', map = null) {
  const read = (name) => readFileSync(join(built, name));
  const script = read('app.js')
    .toString()
    .replaceAll(/<(?=!--|\/?script)/gi, '<\\');
  const style = read('app.css').toString();
  const data = (id, bytes, more = '') =>
    `<script type="application/octet-stream;base64" id="${id}"${more}>${bytes.toString('base64')}</script>\n`;
  const policy =
    `default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; style-src ` +
    `${hashOf(style)}; worker-src blob:; img-src blob: data:; base-uri 'none'; form-action 'none'`;
  let html = read('index.html').toString();
  const put = (what, instead) => {
    assert.ok(html.includes(what), `index.html has ${what}`);
    html = html.replace(what, () => instead);
  };
  put(
    /http-equiv="Content-Security-Policy" content="[^"]*"/.exec(html)[0],
    `http-equiv="Content-Security-Policy" content="${policy}"`,
  );
  put('<link rel="stylesheet" href="app.css">', `<style>${style}</style>`);
  put(
    '<script src="app.js"></script>',
    data('reader', read('others.wasm')) +
      data('worker', read('worker.js')) +
      (map ? data('map', readFileSync(join(source, 'docs/viewer/match.jpg')), map) : '') +
      data('recording', readFileSync(recording), ' data-name="a &lt;b&gt;.reel"' + more) +
      `<script>${script}</script>`,
  );
  return html;
}

test('one file contains everything, and loads nothing else', async () => {
  const path = join(scratch, 'match.html');
  writeFileSync(path, oneFile(join(kept, '0.2.0/recordings/field.reel')));
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(timeoutMs);
    const asked = [];
    const complaints = [];
    page.on('request', (request) => /^(blob|data):/.test(request.url()) || asked.push(request.url()));
    page.on('console', (message) => /GPU stall|GL Driver/.test(message.text()) || complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${pathToFileURL(path)}#t=30`);
    await page.waitForSelector('.viewer[data-ready]');
    await drawn(page, 30);
    assert.equal(await page.$eval('h1', (element) => element.textContent), 'a <b>.reel');
    await page.keyboard.press('.');
    await drawn(page, 31);
    // A page written with this option starts without spoilers, whatever moment a link names.
    const hiding = join(scratch, 'hiding.html');
    writeFileSync(hiding, oneFile(join(kept, '0.2.0/recordings/field.reel'), ' data-spoiler-free'));
    const other = await browser.newPage();
    other.setDefaultTimeout(timeoutMs);
    await other.goto(`${pathToFileURL(hiding)}#t=30`);
    await other.waitForSelector('.viewer[data-ready]');
    assert.equal(await other.$eval('[aria-pressed=true]', (element) => element.textContent), 'Spoiler-free');
    // A map in it is shown with its edges and doubts.
    const mapped = join(scratch, 'mapped.html');
    const map = ' data-name="a.SC2Map" data-edges="1 2 30 40" data-doubt="it may be another"';
    writeFileSync(mapped, oneFile(join(kept, '0.2.0/recordings/field.reel'), '', map));
    await other.goto(pathToFileURL(mapped).href);
    const edges = await other.waitForSelector('.map-control input[type=text]');
    assert.equal(await edges.inputValue(), '1 2 30 40');
    await other.waitForSelector('.notes :text("a.SC2Map: it may be another.")');
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      asked,
      [pathToFileURL(path).href + '#t=30'].map((each) => each.replace(/#.*/, '')),
    );
  } finally {
    await browser.close();
  }
});
