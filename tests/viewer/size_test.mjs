// How much a browser has to load. Smaller is better; a change that needs more says why, and raises it here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { built } from './page_user.mjs';

const kilobyte = 1024;
const packed = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0);

// 406 since it replaces text that is not Unicode, uses repeated events where the first is lost, finds jousts and exceeded
// playspaces, and reads structs whose types changed (400 before).
test('the page with the reader of Echo VR is below 406 KB, gzipped', () => {
  const bytes = packed(['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm']);
  assert.ok(bytes <= 406 * kilobyte, `${bytes} bytes are ${bytes - 406 * kilobyte} too many`);
});

// 438 since it reads resumed games, the losses of damaged replays, one clock, supply of the moment and structs whose types
// changed (430 before).
test('the reader of everything else is below 438 KB, gzipped', () => {
  const bytes = packed(['others.wasm']);
  assert.ok(bytes <= 438 * kilobyte, `${bytes} bytes are ${bytes - 438 * kilobyte} too many`);
});
