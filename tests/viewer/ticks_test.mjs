// The page reads what `tickreel cat` prints, for every available recording.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordings, run, userOfTests } from './page_user.mjs';

const user = userOfTests();

test('every tick in the page equals that of `tickreel cat`', async () => {
  user.server.recording = null;
  const page = await user.page();
  await page.waitForSelector('.drop');
  let compared = 0;
  let ticks = 0;
  for (const path of recordings()) {
    const { out: all, status } = run('cat', path);
    // Other lines describe non-ticks: a truncated tail, or text between ticks.
    const out = all
      .split('\n')
      .filter((line) => line.startsWith('{"tick":'))
      .map((line) => line + '\n')
      .join('');
    const said = await page.evaluate(async (given) => {
      const bytes = Uint8Array.from(atob(given), (each) => each.charCodeAt(0));
      try {
        const recording = await window.tickreel.openRecording(bytes.buffer, { name: 'x' });
        const lines = [];
        try {
          for (let from = 0; ;) {
            const some = await recording.lines(from, 500);
            if (some.length === 0) break;
            lines.push(...some);
            from = Number(/"tick":(\d+)/.exec(some.at(-1))[1]) + 1;
          }
          // And each of them by seeking, in reverse order.
          for (let at = lines.length - 1; at >= 0; at -= Math.max(1, Math.floor(lines.length / 20))) {
            const state = await recording.state(Number(/"tick":(\d+)/.exec(lines[at])[1]));
            if (state.tick !== Number(/"tick":(\d+)/.exec(lines[at])[1]))
              return { error: `tick ${state.tick} was sought as another` };
          }
        } catch (error) {
          return { text: lines.map((line) => line + '\n').join(''), error: error.message };
        } finally {
          recording.close();
        }
        return { text: lines.map((line) => line + '\n').join('') };
      } catch (error) {
        return { error: error.message };
      }
    }, readFileSync(path).toString('base64'));
    if (status === 1 && out === '') {
      assert.ok(said.error, `${path}: read in the page alone`);
      continue;
    }
    // Damage may end reading with the same message in both.
    if (status !== 1) assert.equal(said.error, undefined, path);
    assert.ok(said.text === out, `${path}: ${said.text?.length} characters in the page, ${out.length} here`);
    ++compared;
    ticks += out.split('\n').length - 1;
  }
  console.log(`viewer: ${ticks} ticks of ${compared} recordings are the same in the page`);
  assert.ok(compared > 20, `only ${compared} recordings were compared`);
});
