// What serves the page in the tests, as `tickreel view` does: the page's files and one recording, which may grow.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';

const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:; connect-src 'self'; img-src 'self' blob: data:";

export async function serve(folder) {
  // {name, bytes, live}; `requests` holds what was asked for, `refused` is the status of a server that is no more.
  const state = { recording: null, requests: [], gone: false };
  const server = http.createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    state.requests.push(`${request.method} ${path}`);
    const { recording } = state;
    if (path === '/recording.json' || path === '/recording') {
      if (!recording) return response.writeHead(404).end();
      if (path === '/recording.json') {
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: recording.name, live: Boolean(recording.live), bytes: recording.bytes.length }));
      }
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
      if (!range) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(recording.bytes);
      if (state.gone) return response.writeHead(410).end();
      const from = Number(range[1]);
      if (from >= recording.bytes.length) return response.writeHead(416, { 'content-range': `bytes */${recording.bytes.length}` }).end();
      const piece = recording.bytes.subarray(from, range[2] === '' ? undefined : Number(range[2]) + 1);
      return response.writeHead(206, { 'content-range': `bytes ${from}-${from + piece.length - 1}/${recording.bytes.length}` }).end(piece);
    }
    const name = path === '/' ? 'index.html' : path.slice(1);
    if (!/^(index\.html|app\.js|app\.css|worker\.js|reader\.wasm|others\.wasm)$/.test(name)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': types[name.split('.').pop()], 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
      .end(readFileSync(join(folder, name)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(state, {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  });
}
