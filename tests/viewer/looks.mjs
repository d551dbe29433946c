// What is wrong with the looks of the shown page. Both functions run in the browser.

// Controls that are too small or cut off, texts and controls that cover each other, and a page wider than the window.
export function layoutProblems({ least, transport }) {
  const dialog = document.querySelector('dialog[open]');
  const visible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    getComputedStyle(element).clipPath === 'none';
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()}${
      element.className
        ? `.${String(element.className.baseVal ?? element.className)
            .trim()
            .replace(/ +/g, '.')}`
        : ''
    }` + ` "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 30)}"`;
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const empty = ({ left, right, top, bottom }) => right - left < 1 || bottom - top < 1;
  const boxOf = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const whole = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };

  // The part of the window in which an element can be seen, and whether scrolling shows the rest.
  const clips = new Map();
  const clipOf = (element) => {
    if (!element || element === document.documentElement) return { box: whole, scrolls: false };
    if (clips.has(element)) return clips.get(element);
    const style = getComputedStyle(element);
    let { box, scrolls } = style.position === 'fixed' ? clipOf(null) : clipOf(element.parentElement);
    if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
      box = meet(box, boxOf(element.getBoundingClientRect()));
      scrolls ||= /auto|scroll/.test(style.overflowX + style.overflowY);
    }
    const clip = { box, scrolls };
    clips.set(element, clip);
    return clip;
  };
  // What lies over scrolling content is compared with its own kind only.
  const layerOf = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).position === 'sticky') return at;
    return null;
  };

  const problems = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) problems.push(`the page is ${root.scrollWidth} px wide`);

  const parts = [];
  const controls = 'button, select, summary, input:not(.hidden), [role=tab], [role=slider], nav a';
  for (const element of (dialog ?? document.body).querySelectorAll('*')) {
    const isControl = element.matches(controls);
    const texts = element.matches('option, script, style, noscript')
      ? []
      : [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
    if ((!isControl && texts.length === 0) || !visible(element)) continue;
    const rects = texts.flatMap((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()];
    });
    const box = element.getBoundingClientRect();
    if (isControl && box.width > 0) {
      // A label belongs to what can be touched.
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      const needed = element.closest('.transport') ? transport : least;
      if (Math.min(width, height) < needed - 0.01) problems.push(`${nameOf(element)} is ${width}x${height}`);
      if (element.scrollWidth > element.clientWidth + 1 && element.matches('button:not(.rows *, .plain *), [role=tab]'))
        problems.push(`the text of ${nameOf(element)} is cut`);
      const { box: seen, scrolls } = clipOf(element.parentElement);
      const shown = meet(seen, { ...whole, left: 0, right: root.clientWidth });
      if (
        !scrolls &&
        (box.left < shown.left - 1 ||
          box.right > shown.right + 1 ||
          box.top < shown.top - 1 ||
          box.bottom > shown.bottom + 1)
      )
        problems.push(`${nameOf(element)} is cut off`);
      rects.push(box);
    }
    const clip = clipOf(element).box;
    for (const rect of rects) {
      // The height of a line contains room above and below its letters.
      const room = rect === box ? 0.5 : rect.height * 0.15;
      const part = meet(clip, {
        left: rect.left + 0.5,
        right: rect.right - 0.5,
        top: rect.top + room,
        bottom: rect.bottom - room,
      });
      if (!empty(part)) parts.push({ element, part, layer: layerOf(element) });
    }
  }
  parts.sort((a, b) => a.part.top - b.part.top);
  const said = new Set();
  parts.forEach((one, at) => {
    for (let next = at + 1; next < parts.length && parts[next].part.top < one.part.bottom; ++next) {
      const other = parts[next];
      if (one.layer !== other.layer || one.element.contains(other.element) || other.element.contains(one.element))
        continue;
      if (one.element.closest('label')?.contains(other.element)) continue;
      if (empty(meet(one.part, other.part))) continue;
      said.add(`${nameOf(one.element)} and ${nameOf(other.element)} cover each other`);
    }
  });
  return [...problems, ...said].slice(0, 20);
}

// Texts whose contrast is below that of WCAG AA, from computed styles: the effect of every rule, opacity and parent.
export function faintTexts() {
  const parse = (text) => (/^rgba?\(([^)]*)\)/.exec(text)?.[1] ?? '0 0 0 / 0').split(/[ ,/]+/).map(Number);
  const over = ([r, g, b, a = 1], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a)];
  const light = (colour) =>
    colour
      .map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const found = new Map();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.offsetParent || element.closest('option, :disabled, .canvas-host')) continue;
    const chain = [];
    for (let at = element; at; at = at.parentElement) chain.unshift(getComputedStyle(at));
    let under = [255, 255, 255];
    let through = 1;
    for (const style of chain) {
      under = over(parse(style.backgroundColor), under);
      through *= Number(style.opacity);
    }
    const [r, g, b, a = 1] = parse(chain.at(-1).color);
    const [low, high] = [light(over([r, g, b, a * through], under)), light(under)].sort((x, y) => x - y);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5)
      found.set(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`, element.textContent.slice(0, 30));
  }
  return [...found];
}
