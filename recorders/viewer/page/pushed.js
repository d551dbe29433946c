// A live recording whose server pushes new records.
import { followLive, LiveState } from './live.js';

const reloadAfterMs = 1000;

function joined(pieces) {
  const out = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  return out.buffer;
}

// Like followLive(), which takes over if the connection ends or there is none. `push` is the address that the
// server names.
export function followPushed(recording, push, address, ended) {
  const state = (recording.liveState ??= new LiveState());
  let stopped = false;
  let dropped = false;
  let stopRanges = () => {};
  let waiting = [];
  let turn = Promise.resolve();
  let failure = null;
  const where = new URL(push, location.href);
  where.protocol = where.protocol.replace('http', 'ws');
  where.searchParams.set('have', recording.bytes);
  let socket;
  // Records that arrived while the reader was busy are passed to it together.
  const take = async () => {
    if (stopped || failure || waiting.length === 0) return;
    const pieces = waiting;
    waiting = [];
    try {
      await recording.grow(joined(pieces));
    } catch (error) {
      failure = error;
      socket.close();
    }
  };
  const leave = async () => {
    await turn;
    if (stopped) return;
    if (failure?.other) return ended('another');
    if (failure) return ended(`Not live any more: ${failure.message}`);
    if (!dropped) {
      stopRanges = followLive(recording, address, ended);
      return;
    }
    // A slow connection misses records that the server's file has: reconnect from there.
    setTimeout(() => stopped || ended('another'), reloadAfterMs);
  };
  try {
    socket = new WebSocket(where);
  } catch {
    return followLive(recording, address, ended);
  }
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') {
      dropped = true;
      return;
    }
    state.came();
    waiting.push(data);
    turn = turn.then(take);
  };
  socket.onopen = () => (state.connected = true);
  socket.onclose = () => {
    state.connected = false;
    leave();
  };
  return () => {
    stopped = true;
    stopRanges();
    socket.close();
  };
}
