// A recording that is still being written: what has come since is asked for, more often than pieces of it come.
const everyMs = 150;
const againMs = 500;
const pieceBytes = 8 * 1024 * 1024;

// Calls `ended` with a sentence when there is nothing more to come, or when the server is gone.
export function followLive(recording, address, ended) {
  let have = recording.bytes;
  let failures = 0;
  let stopped = false;
  let finished = false;
  const again = (ms) => stopped || setTimeout(look, ms);
  async function look() {
    let more = false;
    try {
      const answer = await fetch(address, { headers: { Range: `bytes=${have}-${have + pieceBytes - 1}` }, cache: 'no-store' });
      // What was dropped meanwhile stays.
      if (stopped) return;
      if (answer.status === 410) {
        stopped = true;
        ended('another');
        return;
      }
      if (answer.status === 206) {
        const bytes = await answer.arrayBuffer();
        if (stopped) return;
        more = bytes.byteLength === pieceBytes;
        have += bytes.byteLength;
        if (bytes.byteLength > 0) await recording.grow(bytes);
      } else if (answer.status === 416) {
        // Less than is here: what was recorded is finished and lies elsewhere. Another one may follow.
        const there = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? have);
        if (there < have && !finished) {
          finished = true;
          ended('This recording is finished. Reload the page to see it as it was saved.');
        }
      } else {
        throw new Error(`the server answers ${answer.status}`);
      }
      failures = 0;
    } catch (error) {
      // A server that was stopped does not come back: a few tries, then it is said.
      if (stopped) return;
      if (error.other) {
        stopped = true;
        ended('another');
        return;
      }
      if (++failures >= 6) {
        stopped = true;
        ended(`Not live any more: ${error.message}`);
        return;
      }
    }
    again(failures > 0 ? againMs : more ? 0 : everyMs);
  }
  again(everyMs);
  return () => (stopped = true);
}
