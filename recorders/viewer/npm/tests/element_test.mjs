// The element in Chromium, by its debugging port, without any package.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
let chromium = process.env.TICKREEL_CHROMIUM ?? '';
try {
  chromium ||= execFileSync('sh', ['-c', 'command -v chromium']).toString().trim();
} catch {
  chromium = '';
}
const isRequired = Boolean(process.env.TICKREEL_REQUIRE_BROWSER);
const reason = 'Chromium is not installed; apt-get install chromium';

test(
  'an element shows a recording',
  { skip: !chromium && !isRequired ? reason : false, timeout: 300_000 },
  async () => {
    assert.ok(chromium, reason);
    const kept = process.env.TICKREEL_KEPT_RECORDINGS;
    const butter = readdirSync(kept, { recursive: true })
      .filter((name) => name.endsWith('.butter'))
      .sort()[0];
    const page =
      '<!DOCTYPE html><script type="module" src="/node_modules/tickreel/element.js"></script>' +
      '<tickreel-viewer src="match.butter"></tickreel-viewer>';
    const server = http.createServer((request, response) => {
      const path = new URL(request.url, 'http://localhost').pathname;
      try {
        const body =
          path === '/'
            ? page
            : path === '/match.butter'
              ? readFileSync(join(kept, butter))
              : readFileSync(join('.', path));
        response
          .writeHead(200, {
            'content-type': types[path === '/' ? 'html' : path.split('.').pop()] ?? 'application/octet-stream',
          })
          .end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const profile = mkdtempSync(join(tmpdir(), 'tickreel-element-'));
    const frame = "document.querySelector('tickreel-viewer')?.querySelector('iframe')";
    const shown = `${frame}?.contentWindow?.tickreel?.recording?.name ?? ''`;
    const browser = spawn(
      chromium,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        `http://127.0.0.1:${server.address().port}/`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    try {
      const port = await new Promise((done, failed) => {
        let said = '';
        browser.stderr.on('data', (text) => {
          said += text;
          const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said);
          if (found) done(found[1]);
        });
        browser.on('exit', () => failed(new Error(said)));
      });
      // Asks again until the page has what is waited for.
      for (let name = ''; name !== 'match.butter';) {
        const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
        const one = pages.find(({ type, url }) => type === 'page' && url.startsWith('http://127.0.0.1'));
        if (one) name = await evaluate(one.webSocketDebuggerUrl, shown);
        await new Promise((done) => setTimeout(done, 200));
      }
    } finally {
      const ended = new Promise((done) => browser.once('exit', done));
      browser.kill();
      await ended;
      server.closeAllConnections();
      server.close();
      // Its other processes end a little later, and write until then.
      for (let removed = false; !removed;) {
        try {
          rmSync(profile, { recursive: true, force: true });
          removed = true;
        } catch {
          await new Promise((done) => setTimeout(done, 100));
        }
      }
    }
  },
);

// Node 20 has no WebSocket, so this is what little of one is needed.
async function evaluate(address, expression) {
  const { hostname, port, pathname } = new URL(address);
  return new Promise((done, failed) => {
    const request = http.request({
      hostname,
      port,
      path: pathname,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGlja3JlZWwgdmlld2VyIQ==',
        'sec-websocket-version': 13,
      },
    });
    request.on('error', failed);
    request.on('upgrade', (_, socket) => {
      const body = Buffer.from(
        JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, returnByValue: true } }),
      );
      const head =
        body.length < 126
          ? Buffer.from([0x81, 0x80 | body.length])
          : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255]);
      socket.write(Buffer.concat([head, Buffer.alloc(4), body])); // a mask of zeros
      let came = Buffer.alloc(0);
      socket.on('data', (piece) => {
        came = Buffer.concat([came, piece]);
        if (came.length < 4) return;
        const short = came[1] & 127;
        const begin = short < 126 ? 2 : 4;
        const size = short < 126 ? short : came.readUInt16BE(2);
        if (came.length < begin + size) return;
        socket.destroy();
        done(JSON.parse(came.subarray(begin, begin + size).toString()).result?.result?.value ?? '');
      });
      socket.on('error', failed);
    });
    request.end();
  });
}
