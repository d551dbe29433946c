// The tabs beside the picture.
import { make } from './dom.js';
import { createTabs } from './tabs.js';

export function createPanels(parts, starcraft, onshow) {
  const { events, highlights, values, charts, heat, query, notes, facts } = parts;
  const late = () => ({ element: make('div', { class: 'late' }) }); // filled when the events are known
  const all = {
    events: ['Events', events, () => events.refresh()],
    highlights: ['Highlights', highlights, () => highlights.refresh()],
    ...(starcraft ? { build: ['Build order', late()], chat: ['Chat', late()] } : {}),
    values: ['Values', values],
    charts: ['Charts', charts, () => (parts.startCurves?.(), charts.begin())],
    heat: ['Heat map', heat, () => heat.begin()],
    query: ['Query', query, () => query.begin()],
    notes: ['Notes', notes, () => notes.refresh()],
    facts: ['About', facts, () => facts.refresh()],
  };
  return createTabs(
    Object.entries(all).map(([id, [title, { element }, onshow]]) => ({ id, title, element, onshow })),
    onshow,
  );
}
