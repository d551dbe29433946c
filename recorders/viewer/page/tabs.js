// Panels of which one is visible, as in the tabs pattern of the ARIA practices.
import { make } from './dom.js';

// A panel that was hidden did not follow the cursor: `onshow` updates it.
export function createTabs(list, onshow) {
  let shown = list[0].id;
  const buttons = list.map(({ id, title }) => make('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => show(id),
  }, title));
  const panels = list.map(({ id, element }) => make('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, class: 'panel' },
    (element.setAttribute('data-tab', id), element)));
  const bar = make('div', {
    class: 'tabs', role: 'tablist', onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const at = (list.findIndex(({ id }) => id === shown) + by + list.length) % list.length;
      show(list[at].id);
      buttons[at].focus();
    },
  }, buttons);
  function show(id) {
    shown = id;
    list.forEach((each, at) => {
      const on = each.id === id;
      buttons[at].setAttribute('aria-selected', String(on));
      buttons[at].tabIndex = on ? 0 : -1;
      panels[at].hidden = !on;
    });
    list.find((each) => each.id === id).onshow?.();
    onshow();
  }
  const element = make('aside', { class: 'side', 'aria-label': 'Details' }, bar, panels);
  list.forEach((each, at) => {
    panels[at].hidden = at > 0;
    buttons[at].setAttribute('aria-selected', String(at === 0));
    buttons[at].tabIndex = at > 0 ? -1 : 0;
  });
  return { element, show, shown: () => shown };
}
