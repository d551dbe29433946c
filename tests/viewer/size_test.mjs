// How much a browser has to load. Smaller is better; a change that needs more says why, and raises it here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { built } from './page_user.mjs';

const kilobyte = 1024;
const packed = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0);

test('the page with the reader of Echo VR is below 400 KB, gzipped', () => {
  const bytes = packed(['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm']);
  assert.ok(bytes <= 400 * kilobyte, `${bytes} bytes are ${bytes - 400 * kilobyte} too many`);
});

// 434 since it reads resumed games, the losses of damaged replays and one clock (430 before).
test('the reader of everything else is below 434 KB, gzipped', () => {
  const bytes = packed(['others.wasm']);
  assert.ok(bytes <= 434 * kilobyte, `${bytes} bytes are ${bytes - 434 * kilobyte} too many`);
});
