// Every recording that there is, read as `tickreel cat` and `tickreel events` print it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { open, TickreelError } from 'tickreel';

const { TICKREEL_PROGRAM: program, TICKREEL_KEPT_RECORDINGS: kept, TICKREEL_SHARED_DATA: shared } = process.env;
const run = (...words) => spawnSync(program, words, { maxBuffer: 1 << 30 });

function filesBelow(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}
if (!existsSync(shared)) console.log(`ABSENT: ${shared}: tests on real recordings are left out`);
const recordings = [kept, shared]
  .filter((each) => each && existsSync(each))
  .flatMap(filesBelow)
  // A live .icrep is three files, of which memory has one.
  .filter((path) => !existsSync(`${path}.kf`));

// A hostile file has a gigabyte of ticks: this many bytes of it are compared.
const maxBytes = 64 << 20;
// Lines around the ticks, which some texts have, are not read here.
function printedTicks(path) {
  const script = `set -o pipefail; "$0" cat "$1" | sed -n '/^{"tick":/p' | head -c ${maxBytes} | sha256sum`;
  const { status, stdout } = spawnSync('bash', ['-c', script, program, path]);
  return { status, hash: stdout.toString().slice(0, 64) };
}

test('every recording reads as cat prints it', async () => {
  let read = 0;
  for (const path of recordings) {
    let recording;
    try {
      recording = await open(readFileSync(path));
    } catch (error) {
      assert.ok(error instanceof TickreelError, `${path}: ${error.stack}`);
      assert.equal(run('cat', path).status, 1, `${path}: ${error.message}`);
      continue;
    }
    ++read;
    const printed = printedTicks(path);
    const lines = createHash('sha256');
    let missing = maxBytes;
    try {
      for (const line of recording.lines()) {
        const bytes = Buffer.from(`${line}\n`).subarray(0, missing);
        lines.update(bytes);
        missing -= bytes.length;
        if (missing === 0) break;
      }
    } catch (error) {
      assert.ok(error instanceof TickreelError, `${path}: ${error.stack}`);
      assert.equal(printed.status, 1, path);
    }
    assert.equal(lines.digest('hex'), printed.hash, `${path}: other lines than cat`);
  }
  assert.ok(read >= 10, `${read} recordings`);
});

test('columns, ticks and events agree with the lines', async () => {
  const path = recordings.find((each) => each.endsWith('.butter') && run('cat', each).status === 0);
  const recording = await open(readFileSync(path));
  const ticks = [...recording];
  assert.equal(recording.info.ticks, ticks.length);
  const columns = recording.columns(['session.disc.position[0]', 'no.such.number']);
  assert.deepEqual(
    [...columns.tick],
    ticks.map(({ tick }) => tick),
  );
  assert.deepEqual(
    [...columns.time_ms],
    ticks.map(({ time_ms }) => time_ms),
  );
  assert.deepEqual(
    [...columns['session.disc.position[0]']],
    ticks.map(({ session }) => session.disc?.position[0] ?? NaN),
  );
  assert.ok(columns['no.such.number'].every(Number.isNaN));
  assert.deepEqual(recording.at(ticks[1].tick), ticks[1]);
  assert.equal(recording.at(1e9), null);
  assert.ok(recording.fields().some(({ path: each }) => each === 'session.disc.position[0]'));
  const printed = run('events', path)
    .stdout.toString()
    .split('\n')
    .filter((line) => line !== '');
  assert.deepEqual(
    [...recording.events()],
    printed.map((line) => JSON.parse(line)),
  );
  assert.equal(recording.verify().ok, true);
  assert.deepEqual(recording.losses(), []);
});

test('events before damage are given, then the error', async () => {
  let ended = 0;
  for (const path of recordings) {
    const recording = await open(readFileSync(path)).catch(() => null);
    if (!recording) continue;
    const { status, stdout } = run('events', path);
    const given = [];
    let error = null;
    try {
      for (const event of recording.events()) given.push(event);
    } catch (caught) {
      error = caught;
    }
    const printed = stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    assert.deepEqual(
      given,
      printed.map((line) => JSON.parse(line)),
      path,
    );
    if (!error) continue;
    assert.ok(error instanceof TickreelError, `${path}: ${error.stack}`);
    assert.equal(status, 1, path);
    ++ended;
  }
  console.log(`${ended} recordings with events up to an error`);
});

test('bytes after the end are damage', async () => {
  for (const ending of ['.butter', '.reel', '.icrep']) {
    const path = recordings.find((each) => each.endsWith(ending) && run('verify', each).status === 0);
    const bytes = readFileSync(path);
    assert.equal((await open(bytes)).info.health, 'whole', path);
    const longer = await open(Buffer.concat([bytes, Buffer.from('trailing')]));
    assert.equal(longer.info.health, 'damaged', path);
    const { ok, findings } = longer.verify();
    assert.equal(ok, false, path);
    assert.ok(
      findings.some(({ message, offset }) => message.includes('after the end') && offset === bytes.length),
      path,
    );
  }
});

test('mistakes are errors', async () => {
  await assert.rejects(
    open(new Uint8Array([1, 2, 3])),
    (error) => error instanceof TickreelError && error.code === 'not_recognised',
  );
  for (const wrong of ['match.butter', undefined, 5, null]) {
    await assert.rejects(open(wrong), (error) => error instanceof TypeError && /takes the bytes/.test(error.message));
  }
  const recording = await open(readFileSync(recordings.find((each) => each.endsWith('.reel'))));
  assert.throws(
    () => recording.columns(['a..b']),
    (error) => error.code === 'invalid_argument',
  );
});
