// The drawn values of an Echo VR tick, parsed from its JSON into reused objects. Missing and non-numeric
// values are skipped: recordings of 2018 have no bodies, combat has no disc, and a malicious file may contain
// anything.

export const boneCount = 23;
const maxPlayers = 64;

// Parent of each bone, -1 for none. The game's order, as determined by public viewers: hips, head, hands,
// forearms, upper arms (right before left), neck, spine, thighs, shins, feet, toes (left before right); three
// are unknown.
const gameOrder = [-1, 8, 4, 5, 6, 7, 10, 10, 10, -1, 11, 12, 0, -1, -1, 0, 0, 15, 16, 17, 18, 19, 20];
// The order of simulated matches: trunk up to the head, an arm and its fingers, the other arm, legs.
const simulatedOrder = [1, -1, 0, 2, 3, 4, 5, 4, 7, 8, 9, 10, 10, 4, 13, 14, 15, 16, 16, 1, 19, 1, 21];

export const boneOrders = [
  { parents: gameOrder, head: 1, hands: [3, 2] },
  { parents: simulatedOrder, head: 6, hands: [10, 16] },
];

function newPlayer() {
  return {
    name: "", team: 2, slot: -1, stunned: false, possession: false, blocking: false, invulnerable: false,
    ping: 0, speed: 0,
    head: new Float32Array(3), forward: new Float32Array(3), up: new Float32Array(3),
    body: new Float32Array(3), bodyForward: new Float32Array(3), bodyUp: new Float32Array(3),
    hands: [new Float32Array(3), new Float32Array(3)], hasHand: [false, false],
    bones: new Float32Array(boneCount * 3), hasBones: false,
  };
}

function newEchoState() {
  return {
    players: [], count: 0, left: 0, oddBones: 0,
    disc: new Float32Array(3), discUp: new Float32Array(3), hasDisc: false, discSpeed: 0, discHolder: -1,
    payload: new Float32Array(3), hasPayload: false, arena: true, score: "",
  };
}

// Three finite numbers, within the range of a camera.
export function readVector(value, out) {
  if (!Array.isArray(value) || value.length < 3) return false;
  for (let i = 0; i < 3; ++i) {
    const v = value[i];
    if (typeof v !== "number" || !Number.isFinite(v) || Math.abs(v) > 1e5) return false;
  }
  out[0] = value[0];
  out[1] = value[1];
  out[2] = value[2];
  return true;
}

function readDirection(value, out, x, y, z) {
  const length = readVector(value, out) ? Math.hypot(out[0], out[1], out[2]) : 0;
  if (!(length > 1e-3)) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
    return;
  }
  for (let i = 0; i < 3; ++i) out[i] /= length;
}

// left = up x forward, perpendicular to both; `up` is corrected if it is not.
export function leftOf(forward, up, out) {
  out[0] = up[1] * forward[2] - up[2] * forward[1];
  out[1] = up[2] * forward[0] - up[0] * forward[2];
  out[2] = up[0] * forward[1] - up[1] * forward[0];
  const length = Math.hypot(out[0], out[1], out[2]);
  if (length > 1e-3) for (let i = 0; i < 3; ++i) out[i] /= length;
  else {
    out[0] = 1;
    out[1] = 0;
    out[2] = 0;
  }
}

const handPlace = (hand) => hand?.pos ?? hand?.position ?? hand;
const scratch = new Float32Array(3);
const left = new Float32Array(3);

function readPlayer(json, team, out) {
  if (typeof json !== "object" || json === null) return false;
  const headPlace = json.head?.position ?? json.head?.pos ?? json.position;
  const bodyPlace = json.body?.position ?? json.body?.pos ?? headPlace;
  if (!readVector(headPlace ?? bodyPlace, out.head)) return false;
  if (!readVector(bodyPlace, out.body)) out.body.set(out.head);
  const turned = json.head ?? json;
  readDirection(turned.forward, out.forward, 0, 0, 1);
  readDirection(turned.up, out.up, 0, 1, 0);
  readDirection(json.body?.forward ?? turned.forward, out.bodyForward, 0, 0, 1);
  readDirection(json.body?.up ?? turned.up, out.bodyUp, 0, 1, 0);
  out.hasHand[0] = readVector(handPlace(json.lhand), out.hands[0]);
  out.hasHand[1] = readVector(handPlace(json.rhand), out.hands[1]);
  out.name = typeof json.name === "string" ? json.name : "";
  out.team = team;
  out.slot = Number.isInteger(json.playerid) ? json.playerid : -1;
  out.stunned = Boolean(json.stunned);
  out.possession = Boolean(json.possession);
  out.blocking = Boolean(json.blocking);
  out.invulnerable = Boolean(json.invulnerable);
  out.ping = Number.isFinite(json.ping) ? json.ping : 0;
  out.speed = readVector(json.velocity, scratch) ? Math.hypot(scratch[0], scratch[1], scratch[2]) : 0;
  out.hasBones = false;
  return true;
}

// From the body's axes (x left, y up, z forward) to the arena's.
function readBones(values, player) {
  if (!Array.isArray(values) || values.length < boneCount * 3) return false;
  leftOf(player.bodyForward, player.bodyUp, left);
  for (let i = 0; i < boneCount; ++i) {
    const x = values[i * 3];
    const y = values[i * 3 + 1];
    const z = values[i * 3 + 2];
    if (!(Math.abs(x) < 50 && Math.abs(y) < 50 && Math.abs(z) < 50)) return false;
    for (let c = 0; c < 3; ++c) {
      player.bones[i * 3 + c] = player.body[c] + left[c] * x + player.bodyUp[c] * y + player.bodyForward[c] * z;
    }
  }
  player.hasBones = isBodySized(player.bones);
  return player.hasBones;
}

// From a crouching child to a giant: larger or smaller data is not a skeleton.
function isBodySized(bones) {
  let tall = 0;
  for (let i = 1; i < boneCount; ++i) {
    tall = Math.max(tall, Math.hypot(bones[i * 3] - bones[0], bones[i * 3 + 1] - bones[1], bones[i * 3 + 2] - bones[2]));
  }
  return tall > 0.35 && tall < 3;
}

// Interpolates between two ticks: moves `out`, the earlier one, towards `next` by `share`. Values that are
// not in both, and positions that jump, stay unchanged.
const farthestStep = 6;  // metres; a larger distance between two ticks is a jump
export function blend(out, next, share) {
  const move = (a, b, most = farthestStep) => {
    if (Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) > most) return;
    for (let i = 0; i < a.length; ++i) a[i] += (b[i] - a[i]) * share;
  };
  const turn = (a, b) => {
    if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < -0.5) return;
    for (let i = 0; i < 3; ++i) a[i] += (b[i] - a[i]) * share;
    const length = Math.hypot(a[0], a[1], a[2]);
    if (length > 1e-3) for (let i = 0; i < 3; ++i) a[i] /= length;
  };
  if (out.hasDisc && next.hasDisc) {
    move(out.disc, next.disc);
    turn(out.discUp, next.discUp);
  }
  if (out.hasPayload && next.hasPayload) move(out.payload, next.payload);
  for (let i = 0; i < out.count; ++i) {
    const a = out.players[i];
    let b = next.players[i];
    if (i >= next.count || b.name !== a.name || b.team !== a.team) {
      b = null;
      for (let k = 0; k < next.count && !b; ++k) if (next.players[k].name === a.name && next.players[k].team === a.team) b = next.players[k];
    }
    if (!b || Math.hypot(b.head[0] - a.head[0], b.head[1] - a.head[1], b.head[2] - a.head[2]) > farthestStep) continue;
    for (const key of ["head", "body"]) move(a[key], b[key]);
    for (const key of ["forward", "up", "bodyForward", "bodyUp"]) turn(a[key], b[key]);
    for (const side of [0, 1]) if (a.hasHand[side] && b.hasHand[side]) move(a.hands[side], b.hands[side]);
    if (a.hasBones && b.hasBones) move(a.bones, b.bones);
  }
  return out;
}

export class EchoReader {
  state = newEchoState();
  #order = null;

  // Detects which of both orders this recording's bones have: the one in which neighbours are close.
  get boneOrder() {
    return this.#order ?? boneOrders[0];
  }

  read(json) {
    const out = this.state;
    const session = json?.session ?? json ?? {};
    out.count = 0;
    out.left = 0;
    out.oddBones = 0;
    const teams = Array.isArray(session.teams) ? session.teams : [];
    for (let team = 0; team < Math.min(3, teams.length); ++team) {
      const players = Array.isArray(teams[team]?.players) ? teams[team].players : [];
      for (const player of players) {
        if (out.count >= maxPlayers) {
          ++out.left;
          continue;
        }
        if (out.players.length === out.count) out.players.push(newPlayer());
        if (readPlayer(player, team, out.players[out.count])) ++out.count;
      }
    }
    out.arena = typeof session.map_name !== "string" || session.map_name === "mpl_arena_a";
    out.hasDisc = readVector(session.disc?.position, out.disc);
    readDirection(session.disc?.up, out.discUp, 0, 1, 0);
    out.discSpeed = readVector(session.disc?.velocity, scratch) ? Math.hypot(scratch[0], scratch[1], scratch[2]) : 0;
    out.hasPayload = readVector(session.payload?.pos, out.payload);
    this.#skeletons(json?.bones?.user_bones);
    return out;
  }

  #skeletons(list) {
    if (!Array.isArray(list)) return;
    const { players, count } = this.state;
    for (let i = 0; i < Math.min(list.length, maxPlayers); ++i) {
      const slot = list[i]?.playerid;
      // Without slots in replies, players are identified by the order of those with a body.
      let player = null;
      if (Number.isInteger(slot)) {
        for (let p = 0; p < count; ++p) if (players[p].slot === slot && players[p].team < 2) player = players[p];
      } else {
        for (let p = 0, n = 0; p < count; ++p) if (players[p].team < 2 && n++ === i) player = players[p];
      }
      if (player && !readBones(list[i]?.bone_t, player)) ++this.state.oddBones;
    }
    if (this.#order) return;
    for (let p = 0; p < count; ++p) {
      if (players[p].hasBones) {
        this.#order = likelierOrder(players[p].bones);
        return;
      }
    }
  }
}

export function likelierOrder(bones) {
  const span = ({ parents }) => {
    let sum = 0;
    let links = 0;
    for (let i = 0; i < boneCount; ++i) {
      const p = parents[i];
      if (p < 0) continue;
      sum += Math.hypot(bones[i * 3] - bones[p * 3], bones[i * 3 + 1] - bones[p * 3 + 1], bones[i * 3 + 2] - bones[p * 3 + 2]);
      ++links;
    }
    return sum / links;
  };
  return span(boneOrders[1]) < span(boneOrders[0]) ? boneOrders[1] : boneOrders[0];
}
