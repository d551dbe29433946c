// Icons of buttons: no font contains all of them.
const paths = {
  play: 'M8 5v14l11-7z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  back: 'M6 5h3v14H6zM19 5v14l-9-7z',
  on: 'M15 5h3v14h-3zM5 5v14l9-7z',
  link: 'M10.6 13.4a4 4 0 0 0 5.6 0l3.2-3.2a4 4 0 0 0-5.6-5.6l-1.2 1.2 1.4 1.4 1.2-1.2a2 2 0 0 1 2.8 2.8L14.8 12a2 2 0 0 1-2.8 0zM13.4 10.6a4 4 0 0 0-5.6 0l-3.2 3.2a4 4 0 0 0 5.6 5.6l1.2-1.2-1.4-1.4-1.2 1.2a2 2 0 0 1-2.8-2.8L9.2 12a2 2 0 0 1 2.8 0z',
  full: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  eye: 'M12 5C7 5 3 8.5 1.5 12 3 15.5 7 19 12 19s9-3.5 10.5-7C21 8.5 17 5 12 5zm0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8z',
  close: 'M6 4.6 12 10.6l6-6L19.4 6l-6 6 6 6-1.4 1.4-6-6-6 6L4.6 18l6-6-6-6z',
};

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(space, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  drawing.append(path);
  return drawing;
}
