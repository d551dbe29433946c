// Polls a live recording for new bytes, at a higher rate than its chunks.
const everyMs = 150;
const againMs = 500;
// Reported after this number of failures; a recorder may be restarted, so polling continues for a while.
const saidAfter = 6;
const seldomMs = 3000;
const maxFailures = 200;
const pieceBytes = 8 * 1024 * 1024;
// A connection can stay open without a response (a stopped recorder, a lost network): such a request is repeated. A
// piece may take longer on a slow connection.
const answerMs = 5000;
const pieceMs = 60000;

const stalledAfterMs = 6000;
const goneAfterMs = 2500;

// The state of the recorder: {state: 'live', 'stalled', 'gone' or 'ended', forMs}.
export class LiveState {
  #came;
  #answered;
  #ended = false;
  constructor(now = () => performance.now()) {
    this.now = now;
    this.#came = this.#answered = now();
  }
  // New bytes, or at least a response.
  came() {
    this.#came = this.#answered = this.now();
  }
  answered() {
    this.#answered = this.now();
  }
  // A push connection is silent while nothing happens: it counts as one long response.
  connected = false;
  end() {
    this.#ended = true;
  }
  get state() {
    if (this.#ended) return 'ended';
    const now = this.now();
    if (!this.connected && now - this.#answered > goneAfterMs) return 'gone';
    return now - this.#came > stalledAfterMs ? 'stalled' : 'live';
  }
  get forMs() {
    const { state } = this;
    return state === 'stalled' ? this.now() - this.#came : state === 'gone' ? this.now() - this.#answered : undefined;
  }
}

// The browser's own error text is not helpful for a connection.
const whyNotContinued = (error, aborted) =>
  error instanceof TypeError || aborted
    ? 'The recorder or the connection to it is gone. The received part stays, and continues if it returns.'
    : `The recording cannot be continued: ${error.message}`;

// Calls `ended` with a sentence when the recording is complete, or the server is gone.
export function followLive(recording, address, ended) {
  const state = (recording.liveState ??= new LiveState());
  state.connected = false;
  let have = recording.bytes;
  let failures = 0;
  let said = false;
  let stopped = false;
  let finished = false;
  const again = (ms) => stopped || setTimeout(look, ms);
  async function look() {
    let more = false;
    const request = new AbortController();
    const abort = () => request.abort();
    let timer = setTimeout(abort, answerMs);
    try {
      const answer = await fetch(address, {
        headers: { Range: `bytes=${have}-${have + pieceBytes - 1}` },
        cache: 'no-store',
        signal: request.signal,
      });
      clearTimeout(timer);
      timer = setTimeout(abort, pieceMs);
      // Bytes dropped meanwhile stay.
      if (stopped) return;
      state.answered();
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
        if (bytes.byteLength > 0) {
          state.came();
          await recording.grow(bytes);
        }
      } else if (answer.status === 416) {
        // Shorter than the loaded part: the recording was published under another path. Another one may
        // follow.
        const there = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? have);
        if (there < have && !finished) {
          finished = true;
          state.end();
          ended('This recording is finished. Reload the page to see it as it was saved.');
        }
      } else {
        throw new Error(`the server answers ${answer.status}`);
      }
      failures = 0;
      said = false;
    } catch (error) {
      if (stopped) return;
      if (error.other) {
        stopped = true;
        ended('another');
        return;
      }
      ++failures;
      if (!said && (failures >= saidAfter || state.state === 'gone')) {
        said = true;
        ended(whyNotContinued(error, request.signal.aborted), true);
      }
      if (failures >= maxFailures) {
        stopped = true;
        return;
      }
    } finally {
      clearTimeout(timer);
    }
    again(failures > saidAfter ? seldomMs : failures > 0 ? againMs : more ? 0 : everyMs);
  }
  again(everyMs);
  return () => (stopped = true);
}
