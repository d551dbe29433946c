// The built site: its links, and the pages as visitors open them, below a path of a server that serves plain files.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { source, startBrowser, timeoutMs } from '../viewer/page_user.mjs';

const site = process.env.TICKREEL_SITE ?? join(source, 'build/site');
const prefix = '/some/project/';
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
const samples = readdirSync(join(site, 'viewer/samples'));

let browser, server, address;
const complaints = [];
before(async () => {
  server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = resolve(site, decodeURIComponent(pathname.slice(prefix.length)) || 'index.html');
    if (!pathname.startsWith(prefix) || !path.startsWith(site) || !existsSync(path) || !statSync(path).isFile())
      return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
      .end(readFileSync(path));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${server.address().port}${prefix}`;
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

// Errors of a page, failed requests, and requests to other servers fail the test.
async function visit(path, use) {
  complaints.length = 0;
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) complaints.push(request.url());
  });
  page.on('response', (response) => {
    // The viewer asks whether its server names a recording.
    if (response.status() >= 400 && !response.url().endsWith('/viewer/recording.json'))
      complaints.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(address + path);
  await use(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? filesBelow(join(folder, each.name)) : [join(folder, each.name)],
  );
const decoded = (text) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');

test('every link within the site leads to a page, and to an anchor that exists', () => {
  const anchors = new Map();
  const links = [];
  for (const path of filesBelow(site).filter((each) => each.endsWith('.html'))) {
    // Scripts and recordings are not markup.
    const text = readFileSync(path, 'utf8').replace(/(<script\b[^>]*>)[^]*?<\/script>|<!--[^]*?-->/g, '$1');
    anchors.set(path, new Set([...text.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => decoded(id))));
    for (const [, link] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) links.push([path, decoded(link)]);
  }
  assert.ok(links.length > 10_000, `only ${links.length} links were found`);
  const broken = [];
  for (const [from, link] of links) {
    if (/^([a-z]+:|\/\/)/.test(link)) continue;
    const [target, anchor] = link.split('#');
    const path = target === '' ? from : resolve(dirname(from), decodeURIComponent(target.replace(/\?.*$/, '')));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    const found = !link.startsWith('/') && file.startsWith(site) && existsSync(file);
    if (!found || (anchor && anchors.has(file) && !anchors.get(file).has(decodeURIComponent(anchor))))
      broken.push(`${relative(site, from)}: ${link}`);
  }
  assert.deepEqual(broken.slice(0, 20), [], `${broken.length} of ${links.length}`);
});

test('the first page shows the animation and pictures, and leads to the viewer', async () => {
  await visit('', async (page) => {
    assert.match(await page.title(), /Tickreel/);
    for (const name of ['goal.webp', 'charts.jpg', 'world.jpg'])
      await page.waitForFunction((wanted) => document.querySelector(`img[src$="${wanted}"]`).naturalWidth > 100, name);
    await page.click('article a[href="viewer/index.html"]');
    await page.waitForSelector('.drop');
  });
});

test('the search finds a page by its words', async () => {
  await visit('index.html', async (page) => {
    await page.click('.md-search__input');
    await page.keyboard.type('keyframe interval');
    await page.click('.md-search-result__link[href*="docs/"]');
    await page.waitForURL(/\/docs\//);
    assert.match(await page.textContent('article'), /keyframe/i);
  });
});

test('the benchmark plots are pictures', async () => {
  await visit('docs/benchmarks/details.html', async (page) => {
    const plots = readdirSync(join(source, 'docs/benchmarks')).filter((name) => name.endsWith('.svg'));
    for (const name of plots)
      await page.waitForFunction((wanted) => document.querySelector(`img[src$="${wanted}"]`)?.naturalWidth > 100, name);
    assert.ok(plots.length >= 5);
  });
});

test('the API reference describes the headers, and its search finds a function', async () => {
  await visit('index.html', async (page) => {
    await page.click('a[href="api/index.html"]');
    await page.waitForURL(/\/api\/index\.html/);
    await page.waitForSelector('#MSearchField');
    await page.click('#MSearchField');
    await page.keyboard.type('row_recording', { delay: 20 });
    const results = page.frameLocator('#MSearchResults');
    await results.locator('a.SRSymbol:visible').first().click();
    await results
      .locator('a.SRScope:visible')
      .first()
      .click()
      .catch(() => {});
    await page.waitForURL(/row__recording/);
    const text = await page.textContent('.contents');
    assert.match(text, /common part of record<T>/);
    assert.match(text, /#include <tickreel\/tickreel\.hpp>/);
  });
});

test('every sample can be downloaded and opened', async () => {
  assert.deepEqual(samples.map((name) => extname(name)).sort(), [
    '.SC2Replay',
    '.butter',
    '.echoreplay',
    '.gamecache',
    '.icrep',
    '.mcap',
    '.nevrcap',
    '.rec',
    '.reel',
    '.tape',
  ]);
  await visit('samples.html', async (page) => {
    const hrefs = await page.$$eval('article td a', (links) => links.map((link) => link.getAttribute('href')));
    for (const name of samples)
      for (const address of [`viewer/samples/${name}`, `viewer/${name}.html`])
        assert.ok(hrefs.includes(address), address);
  });
});

for (const name of samples)
  test(`${name} opens in the viewer`, async () => {
    await visit('samples.html', async (page) => {
      await page.click(`article a[href="viewer/${name}.html"]`);
      await page.waitForSelector('.viewer[data-ready], .games-result table, .failure');
      assert.equal(await page.$('.failure'), null);
      assert.match(await page.title(), new RegExp(name.replaceAll('.', '\\.')));
    });
  });

test('a dropped file opens, in the viewer and on the page of a sample, whatever its format', async () => {
  for (const [path, name] of [
    ['index.html', 'goal.butter'],
    ['goal.butter.html', 'taxi.rec'],
  ])
    await visit(`viewer/${path}`, async (page) => {
      await page.waitForSelector('.drop, .viewer[data-ready]');
      const bytes = readFileSync(join(site, 'viewer/samples', name)).toString('base64');
      await page.evaluate(
        ([given, as]) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File([Uint8Array.from(atob(given), (each) => each.charCodeAt(0))], as));
          document.body.dispatchEvent(
            new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }),
          );
        },
        [bytes, name],
      );
      await page.waitForFunction(
        (wanted) => document.querySelector('.viewer[data-ready] h1')?.textContent === wanted,
        name,
      );
    });
});

test('a link to a moment of a sample opens it there', async () => {
  await visit('viewer/goal.butter.html#t=180', async (page) => {
    await page.waitForFunction(() => document.querySelector('.viewer[data-ready]')?.dataset.tick === '180');
  });
});
