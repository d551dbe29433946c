// Serves the page in tests, as `tickreel view` does: the page's files and one recording, which may grow.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';

const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:; " +
  "connect-src 'self'; img-src 'self' blob: data:";

// One message, or the end of the connection, in its wire format.
function frame(content) {
  if (content === null) return Buffer.from([0x88, 2, 3, 232]);
  const body = Buffer.from(content);
  const head = Buffer.alloc(10);
  head[0] = typeof content === 'string' ? 0x81 : 0x82;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(body.length), 2);
  if (body.length > 65535) return Buffer.concat([head, body]);
  if (body.length < 126) return Buffer.concat([Buffer.from([head[0], body.length]), body]);
  return Buffer.concat([Buffer.from([head[0], 126, body.length >> 8, body.length & 255]), body]);
}

export async function serve(folder) {
  // {name, bytes, live, push, map: {name, edges, doubt, bytes}}; `requests` contains the requested paths, `watchers`
  // the clients that wait for new data. `down`: every connection is closed. `silent`: no request is answered. Of
  // several `games` each is {title, state, recording}, and `preferred` is shown to clients that select none.
  const state = {
    recording: null,
    games: null,
    preferred: 0,
    requests: [],
    watchers: [],
    gone: false,
    down: false,
    silent: false,
  };
  const server = http.createServer((request, response) => {
    const { pathname: path, searchParams: asked } = new URL(request.url, 'http://localhost');
    state.requests.push(`${request.method} ${path}`);
    if (state.silent) return;
    if (state.down) return request.socket.destroy();
    const game = Number(asked.get(path === '/recording' ? 'of' : 'game') ?? state.preferred);
    const recording = state.games
      ? (state.games[game].recording ?? { name: '', bytes: Buffer.alloc(0), live: true })
      : state.recording;
    const several = state.games
      ? {
          address: `recording?of=${game}`,
          game,
          games: state.games.map(({ title, state: said }) => ({ title, state: said })),
        }
      : {};
    if (path === '/recording.json' || path === '/recording') {
      if (!recording) return response.writeHead(404).end();
      if (path === '/recording.json') {
        return response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            name: recording.name,
            live: Boolean(recording.live),
            bytes: recording.bytes.length,
            push: recording.push,
            map: recording.map && { ...recording.map, bytes: undefined },
            ...several,
          }),
        );
      }
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
      if (!range) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(recording.bytes);
      if (state.gone) return response.writeHead(410).end();
      const from = Number(range[1]);
      if (from >= recording.bytes.length)
        return response.writeHead(416, { 'content-range': `bytes */${recording.bytes.length}` }).end();
      const piece = recording.bytes.subarray(from, range[2] === '' ? undefined : Number(range[2]) + 1);
      return response
        .writeHead(206, { 'content-range': `bytes ${from}-${from + piece.length - 1}/${recording.bytes.length}` })
        .end(piece);
    }
    if (path === '/map' && recording?.map) return response.writeHead(200).end(recording.map.bytes);
    const name = path === '/' ? 'index.html' : path.slice(1);
    if (!/^(index\.html|app\.js|app\.css|worker\.js|reader\.wasm|others\.wasm|captures\.wasm|query\.wasm)$/.test(name))
      return response.writeHead(404).end();
    return response
      .writeHead(200, {
        'content-type': types[name.split('.').pop()],
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
      })
      .end(readFileSync(join(folder, name)));
  });
  server.on('upgrade', (request, socket) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    const proof = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: ` +
        `Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`,
    );
    state.watchers.push({
      have: Number(searchParams.get('have')),
      send: (content) => socket.write(frame(content)),
      close: () => socket.end(frame(null)),
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(state, {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  });
}
