// Creates the page's elements. Text from a file becomes a text node, never markup.

import { withoutTurns } from './text.js';

const plain = (value) => (typeof value === 'string' ? withoutTurns(value) : value);
const shownOf = (children) =>
  children
    .flat()
    .filter((child) => child !== null && child !== undefined)
    .map(plain);

// make('button', {class: 'play', onclick: f, title: 't'}, 'text', child...); absent attributes are skipped.
export function make(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) one.addEventListener(key.slice(2), value);
    else if (key === 'value') one.value = value;
    else one.setAttribute(key, value === true ? '' : plain(value));
  }
  one.append(...shownOf(children));
  return one;
}

export function fill(one, ...children) {
  one.replaceChildren(...shownOf(children));
  return one;
}

// A control in `list` that keys have reached. After a click the keys belong to the player: Space plays.
export const reachedIn = (list) => list.querySelector(':focus-visible');

// Replaces the rows of a list. A control that keys have reached passes the focus to the one that takes its place.
export function fillRows(list, ...children) {
  const reached = reachedIn(list);
  const at = [...list.children].findIndex((row) => row.contains(reached));
  fill(list, ...children);
  if (at >= 0)
    (list.children[Math.min(at, list.children.length - 1)]?.querySelector('button') ?? list.parentElement).focus();
}

// A part of the page that scrolls by itself, also with the keys.
export const scroller = (label, className, ...children) =>
  make('div', { class: className, tabindex: '0', role: 'region', 'aria-label': label }, ...children);

// A text on one line, which loses its middle where there is no room: names of files differ at their ends. `whole` as a
// class of an element around it shows all of it.
export function cutText(text, name = 'span', attributes = {}) {
  const [, begin, end] = /^(.*?)(.{0,14})$/su.exec(text);
  const parts = [make('span', {}, begin), make('span', {}, end)];
  return make(name, { ...attributes, class: `cut ${attributes.class ?? ''}`, dir: 'auto' }, parts);
}

// A list of at most `most` rows: pages with a hundred thousand elements are slow.
export function rows(list, most, row, rest = (left) => make('li', { class: 'rest' }, `and ${left} more`)) {
  const shown = list.slice(0, most).map(row);
  if (list.length > most) shown.push(rest(list.length - most));
  return shown;
}

export function saveFile(name, blob) {
  const address = URL.createObjectURL(blob);
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Calls at most once per `wait_ms`, and always once after the last call.
export function seldom(wait_ms, work) {
  let timer = 0;
  let last = -Infinity;
  return (...values) => {
    clearTimeout(timer);
    const left = last + wait_ms - performance.now();
    const run = () => {
      last = performance.now();
      work(...values);
    };
    if (left <= 0) run();
    else timer = setTimeout(run, left);
  };
}

export async function copyText(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Without permission, for example on a page from disk, the text is shown for manual copying.
    window.prompt('Copy this', text);
  }
  setTimeout(() => (button.textContent = before), 1500);
}
