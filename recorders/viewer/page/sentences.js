// Sentences for events: {who, team, text}. Events without a sentence are shown with type and fields.
import { shownText, wordsOf } from './text.js';

const metres = (value) => `${value >= 10 ? Math.round(value) : +value.toFixed(1)} m`;
const speed = (value) => `${value.toFixed(1)} m/s`;
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const typeText = (name) => shownText(String(name ?? '').replace(/([a-z])([A-Z])/g, '$1 $2'), 40);

function personText(value, nameOf) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return value.name === undefined ? null : shownText(value.name, 40);
  if (typeof value === 'number') return shownText(nameOf?.(value) ?? `Player ${value}`, 40);
  return shownText(value, 40);
}

function goal(event, person) {
  const assist = person(event.assist);
  const scorer = person(event.player);
  const how = [];
  if (isNumber(event.distance_m)) how.push(event.distance_m < 1 ? 'at the goal' : `from ${metres(event.distance_m)}`);
  if (event.bounced) how.push('off the wall');
  if (event.from_behind) how.push('from behind');
  const points = isNumber(event.points) && event.points !== 1 ? ` for ${event.points}` : '';
  return (
    `scores${points}${how.length ? ` ${how.join(', ')}` : ''}` +
    `${assist && assist !== scorer ? `, assisted by ${assist}` : ''}`
  );
}

const score = ({ blue_points: blue, orange_points: orange }) =>
  isNumber(blue) && isNumber(orange) ? `, ${blue} to ${orange}` : '';
const team = (name) => (name ? `Team ${shownText(name, 20)}` : 'A team');

// For each type, the text after the subject; `who` if the subject is not the player.
const texts = {
  goal: (e, person) => goal(e, person),
  throw: (e) => `throws${isNumber(e.speed) ? ` at ${speed(e.speed)}` : ''}`,
  shot: (e) => `shoots${isNumber(e.speed) ? ` at ${speed(e.speed)}` : ''}`,
  pass: (e, person) => `passes${person(e.to) ? ` to ${person(e.to)}` : ''}`,
  catch: (e, person) => `catches${person(e.from) ? ` from ${person(e.from)}` : ''}`,
  interception: (e, person) => `intercepts${person(e.from) ? ` ${person(e.from)}` : ''}`,
  steal: (e, person) => `steals the disc${person(e.from) ? ` from ${person(e.from)}` : ''}`,
  block: () => 'blocks',
  stun: (e, person) => `stuns ${person(e.victim) ?? 'an opponent'}`,
  save: (e, person) => `saves${person(e.from) ? ` against ${person(e.from)}` : ''}`,
  joust: (e) => `wins the joust${isNumber(e.time_s) ? ` in ${e.time_s.toFixed(2)} s` : ''}`,
  team_joust: (e) => `crosses the middle first${isNumber(e.time_s) ? ` after ${e.time_s.toFixed(2)} s` : ''}`,
  possession_changed: (e) => (e.player ? 'has the disc' : null),
  playspace_exceeded: () => 'left the playspace',
  ping_spike: (e) => `has a ping of ${e.ping_ms} ms`,
  player_joined: () => 'joins',
  player_left: () => 'leaves',
  team_changed: (e) =>
    `changes from ${shownText(e.from ?? 'its team', 20)} to ${shownText(e.player?.team ?? 'another', 20)}`,
  game_user_leave: () => 'leaves the game',
  player_leave: () => 'leaves the game',
  chat: (e) => `says: ${shownText(e.text ?? '', 300)}`,
  construction_started: (e) => `starts ${typeText(e.unit_type_name)}`,
  construction_completed: (e) => `finishes ${typeText(e.unit_type_name)}`,
  unit_created: (e) => `makes ${typeText(e.unit_type_name)}`,
  unit_destroyed: (e, person) =>
    `loses ${typeText(e.unit_type_name)}` +
    `${e.killer_owner && e.killer_owner !== e.owner ? ` to ${person(e.killer_owner)}` : ''}`,
  unit_type_change: (e) => `turns a unit into ${typeText(e.unit_type_name)}`,
  unit_owner_change: (e, person) => `takes a unit${e.owner_before ? ` from ${person(e.owner_before)}` : ''}`,
  resource_trade: ({ resources: [minerals, vespene] = [], recipient_id: to }, person) =>
    `gives ${minerals ?? 0} minerals and ${vespene ?? 0} vespene to ${person(to)}`,
  upgrade_completed: (e) => `finishes ${typeText(e.upgrade_name)}`,
};

function gapText({ missing, time_ms: from, until_ms: until }) {
  const lost = missing > 0 ? `${missing} ${missing === 1 ? 'tick is' : 'ticks are'} missing` : '';
  const silent = until - from >= 2000 ? `nothing was recorded for ${Math.floor((until - from) / 1000)} s` : '';
  return [lost, silent].filter(Boolean).join(', ') || 'Ticks are missing';
}

// The players who lost most in a fight; those with one name, as the computer's armies have, are one.
export function lostText(sides, nameOf) {
  const sums = new Map();
  for (const [owner, count] of sides) {
    const name = personText(owner, nameOf);
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  const most = [...sums].sort((one, other) => other[1] - one[1]).slice(0, 4);
  return most.length > 0 ? ` (${most.map((pair) => pair.join(' ')).join(', ')})` : '';
}

const wholes = {
  match_started: () => 'The match begins',
  match_ended: (e, person) =>
    `The match is over${isNumber(e.outcome?.winner?.player) ? `: ${person(e.outcome.winner.player)} wins` : score(e)}`,
  round_started: () => 'The round begins',
  round_ended: (e) => `The round is over${score(e)}`,
  pause_started: (e) => `${team(e.requested_by)} pauses the game`,
  pause_ended: () => 'The game goes on',
  pause_event: (e) => (e.paused ? 'The game is paused' : 'The game goes on'),
  hijack_replay_game: () => 'The game goes on from a replay',
  restart_requested: (e) => `${team(e.team)} asks for a restart`,
  ticks_missing: gapText,
  fight: ({ count, time_ms: from, until_ms: until, sides }, _, nameOf) =>
    `A fight: ${count} units lost in ${Math.max(1, Math.round((until - from) / 1000))} s${lostText(sides, nameOf)}`,
};

export const isSentence = (type) => Object.hasOwn(texts, type) || Object.hasOwn(wholes, type);

export function partsOf(event, nameOf) {
  const person = (value) => personText(value, nameOf);
  if (Object.hasOwn(wholes, event.type))
    return { who: null, team: event.team ?? null, text: wholes[event.type](event, person, nameOf) };
  if (!Object.hasOwn(texts, event.type)) return null;
  const subject = event.player ?? event.owner ?? event.from_name ?? event.from ?? event.user;
  const text = texts[event.type](event, person);
  const who =
    event.type === 'chat'
      ? person(event.from ?? event.player)
      : (person(subject) ?? (event.team ? team(event.team) : null));
  if (!text || !who) return null;
  return { who, team: event.player?.team ?? event.team ?? null, text };
}

export function sentenceOf(event, nameOf) {
  const parts = partsOf(event, nameOf);
  return parts && [parts.who, parts.text].filter(Boolean).join(' ');
}

// A short text of a decisive event for the timeline; null for other events.
const bases = /^(Nexus|Hatchery|CommandCenter)$/;
export function pinOf(event, nameOf) {
  if (event.type === 'goal')
    return {
      text: `${personText(event.player, nameOf) ?? 'goal'}${isNumber(event.points) ? ` ${event.points}` : ''}`,
      team: event.team ?? event.player?.team,
    };
  if (event.type === 'construction_started' && bases.test(event.unit_type_name ?? ''))
    return { text: typeText(event.unit_type_name), team: null };
  if (['match_ended', 'player_left', 'player_leave', 'game_user_leave'].includes(event.type))
    return {
      text: event.type === 'match_ended' ? 'end' : `${personText(event.player, nameOf) ?? 'a player'} leaves`,
      team: null,
    };
  return null;
}

export const kindTitle = (type) =>
  ({ ticks_missing: 'missing ticks', possession_changed: 'possession', unit_removed: 'units changed or used up' })[
    type
  ] ?? wordsOf(type);
