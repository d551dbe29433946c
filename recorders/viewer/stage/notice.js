// A sentence over the picture: what is not drawn, and why.

export class Notice {
  #box;
  constructor(host, colours) {
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    this.#box = document.createElement('p');
    this.#box.className = 'stage-notice';
    this.#box.setAttribute('role', 'status');
    this.#box.hidden = true;
    Object.assign(this.#box.style, {
      position: 'absolute',
      left: '50%',
      bottom: '12px',
      transform: 'translateX(-50%)',
      margin: '0',
      maxWidth: 'min(90%, 46em)',
      padding: '6px 12px',
      borderRadius: '6px',
      pointerEvents: 'none',
      font: 'clamp(14px, 0.62vw, 26px)/1.4 system-ui, sans-serif',
      color: colours.text,
      background: colours.plate,
      textAlign: 'center',
    });
    host.append(this.#box);
  }
  show(sentence) {
    if (this.#box.textContent !== sentence) this.#box.textContent = sentence;
    this.#box.hidden = false;
  }
  hide() {
    this.#box.hidden = true;
  }
  dispose() {
    this.#box.remove();
  }
}
