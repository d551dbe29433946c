// A staged play of Echo VR for pictures: one pass, one stun and a goal in twelve seconds, as an .echoreplay of plain
// text. Every run gives the same bytes.
const hz = 30;
const lengthS = 12;
const firstMs = Date.UTC(2026, 10, 23, 19, 30);
const clockAtStart = 331;

// Places over time: [seconds, across, up, along], along from the blue goal (-36) to the orange one (36).
const players = [
  {
    name: 'lumen',
    ping: 28,
    team: 0,
    goals: 2,
    saves: 1,
    stuns: 5,
    way: [
      [0, -4, -1, 6],
      [2, -2, 0, 12],
      [5, 2, 1, 17],
      [9, 3, 1, 24],
      [12, 2, 0, 20],
    ],
  },
  {
    name: 'Halyard',
    ping: 41,
    team: 0,
    goals: 1,
    saves: 0,
    stuns: 3,
    way: [
      [0, 6, 2, 14],
      [3, 5, 2, 21],
      [5, 1, 1, 24],
      [7, -1, 1, 30],
      [9, -2, 2, 31],
      [12, 0, 1, 26],
    ],
  },
  {
    name: 'Coriolis',
    ping: 35,
    team: 0,
    goals: 1,
    saves: 2,
    stuns: 1,
    way: [
      [0, -8, 3, 2],
      [4, -7, 2, 14],
      [8, -5, 3, 22],
      [12, -4, 2, 18],
    ],
  },
  {
    name: 'QuietMoth',
    ping: 52,
    team: 0,
    goals: 0,
    saves: 4,
    stuns: 2,
    way: [
      [0, 1, 0, -24],
      [6, 2, 1, -12],
      [12, 0, 0, -8],
    ],
  },
  {
    name: 'Zugzwang',
    ping: 33,
    team: 1,
    goals: 1,
    saves: 0,
    stuns: 6,
    way: [
      [0, 3, -2, 20],
      [3, 3, 0, 24],
      [5, 2, 0, 28],
      [6.5, 1, 1, 34],
      [9, 1, 0, 33],
      [12, 2, 0, 30],
    ],
  },
  {
    name: 'Basalt Ben',
    ping: 30,
    team: 1,
    goals: 1,
    saves: 3,
    stuns: 0,
    way: [
      [0, -1, 0, 34],
      [5, -3, 1, 33],
      [6.2, -2, -2, 34],
      [12, 0, 0, 33],
    ],
  },
  {
    name: 'moss-picker',
    ping: 61,
    team: 1,
    goals: 0,
    saves: 1,
    stuns: 2,
    way: [
      [0, -1, 1, 11],
      [2, -1, 1, 15],
      [4, 0, 1, 18],
      [12, 1, 0, 20],
    ],
  },
  {
    name: 'Brackwater',
    ping: 47,
    team: 1,
    goals: 0,
    saves: 2,
    stuns: 1,
    way: [
      [0, 8, 4, 26],
      [5, 6, 3, 29],
      [9, 5, 3, 31],
      [12, 6, 2, 28],
    ],
  },
];
const throwS = 2.2;
const catchS = 3.3;
const shotS = 5.2;
const goalS = 6.1;
const stunS = 3.6;
const goal = [0, 0.4, 36];

const wayAt = (way, s) => {
  const next = way.findIndex(([at]) => at > s);
  if (next <= 0) return (next === 0 ? way[0] : way.at(-1)).slice(1);
  const [from, to] = [way[next - 1], way[next]];
  const share = (s - from[0]) / (to[0] - from[0]);
  const smooth = share * share * (3 - 2 * share);
  return [1, 2, 3].map((axis) => from[axis] + (to[axis] - from[axis]) * smooth);
};
const minus = (a, b) => a.map((value, axis) => value - b[axis]);
const plus = (a, b, by = 1) => a.map((value, axis) => value + b[axis] * by);
const long = (a) => Math.hypot(...a);
const unit = (a) => (long(a) > 1e-6 ? a.map((value) => value / long(a)) : [0, 0, 1]);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const mix = (a, b, share) => plus(a, minus(b, a), share);
const rounded = (a) => a.map((value) => +value.toFixed(3));

const hand = (who, s) => plus(wayAt(players[who].way, s), [0.25, 0.1, 0.45]);
function discAt(s) {
  if (s < throwS) return hand(0, s);
  if (s < catchS) return mix(hand(0, throwS), hand(1, catchS), (s - throwS) / (catchS - throwS));
  if (s < shotS) return hand(1, s);
  if (s < goalS) return mix(hand(1, shotS), goal, (s - shotS) / (goalS - shotS));
  return plus(goal, [0, -Math.min(2, (s - goalS) * 0.4), Math.min(3, (s - goalS) * 3)]);
}
const holderAt = (s) => (s < throwS ? 0 : s >= catchS && s < shotS ? 1 : -1);
const velocityOf = (placeAt, s) => plus([0, 0, 0], minus(placeAt(s + 0.02), placeAt(s - 0.02)), 25);

function pose(position, forward) {
  const left = unit(cross([0, 1, 0], forward));
  return {
    forward: rounded(forward),
    left: rounded(left),
    up: rounded(cross(forward, left)),
    position: rounded(position),
  };
}

function playerAt(number, s, slot) {
  const { name, ping, goals, saves, stuns, way } = players[number];
  const at = wayAt(way, s);
  const forward = unit(minus(discAt(s), at));
  const { left, up } = pose(at, forward);
  const scored = s >= goalS;
  const stunned = number === 6 && s >= stunS && s < stunS + 3;
  const holds = holderAt(s) === number;
  const armUp = holds ? 0.15 : -0.35;
  const handOf = (side) => {
    const { position, ...turned } = pose(plus(plus(plus(at, left, side * 0.35), up, armUp), forward, 0.4), forward);
    return { pos: position, ...turned };
  };
  const possessed = [0, 1].includes(number) ? 41 : 12 + number;
  const mine = {
    possession_time: possessed,
    points: (goals + (scored && number === 1 ? 1 : 0)) * 2,
    goals: goals + (scored && number === 1 ? 1 : 0),
    assists: scored && number === 0 ? 1 : 0,
    saves,
    stuns: stuns + (number === 0 && s >= stunS ? 1 : 0),
    passes: number === 0 && s >= catchS ? 1 : 0,
    catches: number === 1 && s >= catchS ? 1 : 0,
    steals: 0,
    blocks: 0,
    interceptions: 0,
    shots_taken: number === 1 && s >= shotS ? 1 : 0,
  };
  return {
    name,
    playerid: slot,
    userid: 1000 + number,
    number: 10 + number,
    level: 20,
    stunned,
    ping,
    packetlossratio: 0,
    invulnerable: false,
    possession: holds,
    blocking: false,
    holding_left: 'none',
    holding_right: holds ? 'disc' : 'none',
    velocity: rounded(velocityOf((when) => wayAt(way, when), s)),
    head: pose(at, forward),
    body: pose(at, forward),
    lhand: handOf(1),
    rhand: handOf(-1),
    stats: mine,
  };
}

const sum = (list, key) => list.reduce((all, { stats }) => all + stats[key], 0);
function sessionAt(s) {
  const scored = s >= goalS;
  const teams = [0, 1].map((side) => {
    const mine = players.flatMap(({ team }, number) => (team === side ? [playerAt(number, s, number)] : []));
    return {
      team: side === 0 ? 'RAPTURED' : 'NIGHT SHIFT',
      possession: mine.some(({ possession }) => possession),
      players: mine,
      stats: Object.fromEntries(Object.keys(mine[0].stats).map((key) => [key, sum(mine, key)])),
    };
  });
  const holder = holderAt(s);
  const clock = clockAtStart - Math.min(s, goalS);
  return {
    sessionid: '5A1E0000-0000-4000-8000-000000000030',
    sessionip: '203.0.113.30',
    match_type: 'Echo_Arena_Private',
    map_name: 'mpl_arena_a',
    private_match: true,
    tournament_match: false,
    client_name: 'lumen',
    game_status: scored ? 'score' : 'playing',
    game_clock: +clock.toFixed(2),
    game_clock_display: `0${Math.floor(clock / 60)}:${String((clock % 60).toFixed(2)).padStart(5, '0')}`,
    total_round_count: 3,
    blue_round_score: 1,
    orange_round_score: 0,
    blue_points: scored ? 6 : 4,
    orange_points: 2,
    possession: [holder < 0 ? -1 : 0, holder],
    disc: {
      ...pose(discAt(s), [0, 0, 1]),
      velocity: rounded(velocityOf(discAt, s)),
      bounce_count: 0,
    },
    last_score: scored
      ? {
          disc_speed: 18.5,
          team: 'blue',
          goal_type: 'INSIDE SHOT',
          point_amount: 2,
          distance_thrown: 11.4,
          person_scored: 'Halyard',
          assist_scored: 'lumen',
        }
      : {
          disc_speed: 0,
          team: 'blue',
          goal_type: '[NO GOAL]',
          point_amount: 0,
          distance_thrown: 0,
          person_scored: '[INVALID]',
          assist_scored: '[INVALID]',
        },
    pause: {
      paused_state: 'unpaused',
      unpaused_team: 'none',
      paused_requested_team: 'none',
      unpaused_timer: 0,
      paused_timer: 0,
    },
    teams: [...teams, { team: 'SPECTATORS', possession: false }],
    err_code: 0,
  };
}

export const tickAtSecond = (s) => Math.round(s * hz);

export function stagedMatch() {
  const lines = Array.from({ length: hz * lengthS }, (_, tick) => {
    const ms = firstMs + Math.round((tick * 1000) / hz);
    const when = new Date(ms).toISOString().replaceAll('-', '/').replace('T', ' ').replace('Z', '');
    return `${when}\t${JSON.stringify(sessionAt(tick / hz))}\r\n`;
  });
  return Buffer.from(lines.join(''));
}
