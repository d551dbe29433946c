// The meaning of colours, in a corner of the picture.

import { rampText } from "./colours.js";
import { tidyName } from "./text.js";

export class Legend {
  #box;
  #said = "";
  constructor(host, colours) {
    this.host = host;
    this.colours = colours;
    this.#box = document.createElement("div");
    this.#box.className = "stage-legend";
    Object.assign(this.#box.style, {
      position: "absolute", left: "6px", top: "6px", padding: "5px 9px", borderRadius: "6px", pointerEvents: "none",
      font: "clamp(13px, 0.62vw, 26px)/1.5 system-ui, sans-serif", color: colours.text, background: colours.plate, maxWidth: "70%",
    });
    this.#box.hidden = true;
    host.append(this.#box);
  }

  // rows: [{ colour, text }], or one { from, to, text } for the ramp
  show(rows) {
    const said = JSON.stringify(rows);
    if (said === this.#said) return;
    this.#said = said;
    this.#box.hidden = rows.length === 0;
    const most = this.host.clientWidth < 520 ? 5 : 16;
    const shown = rows.length > most ? [...rows.slice(0, most - 1), { text: `and ${rows.length - most + 1} more` }] : rows;
    this.#box.replaceChildren(...shown.map((row) => this.#row(row)));
  }

  // The height at the top of the picture that it covers, if it would hide the content.
  get above() {
    return this.host.clientWidth < 520 && !this.#box.hidden ? this.#box.offsetHeight + 12 : 0;
  }

  dispose() {
    this.#box.remove();
  }

  #row({ colour, from, to, text }) {
    const row = document.createElement("div");
    Object.assign(row.style, { display: "flex", alignItems: "center", gap: "6px", whiteSpace: "nowrap", overflow: "hidden" });
    if (colour !== undefined) row.append(this.#swatch(12, () => colour));
    if (from !== undefined) row.append(from, this.#swatch(96, (share) => rampText(share, this.colours)), to);
    if (text) row.append(tidyName(text, 60));
    return row;
  }

  #swatch(width, colourAt) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = 12;
    canvas.style.flex = "none";
    const pen = canvas.getContext("2d");
    for (let x = 0; x < width; ++x) {
      pen.fillStyle = colourAt(x / Math.max(1, width - 1));
      pen.fillRect(x, 0, 1, 12);
    }
    return canvas;
  }
}
