// Players as bodies: with bones if a recording has them, else head, trunk, arms and hands. All players
// together need five draw calls.

import { CapsuleGeometry, CircleGeometry, Color, CylinderGeometry, MeshBasicMaterial, MeshLambertMaterial, TorusGeometry } from "three";
import { ballGeometry } from "./ball.js";
import { boneCount, leftOf } from "./echo_state.js";
import { Shapes } from "./shapes.js";

const longestBone = 1.3;  // metres: a longer bone is invalid data

export class Bodies {
  #left = new Float32Array(3);
  #at = new Float32Array(3);
  #shade = new Color();
  #eye = new Color();

  constructor(parent, colours) {
    this.colours = colours;
    this.team = [new Color(colours.blue), new Color(colours.orange), new Color(colours.spectators)];
    this.stunned = new Color(colours.stunned);
    this.marked = new Color(colours.disc);
    this.visor = new Color(colours.name === "dark" ? "#0b0f14" : "#ffffff");
    const matt = () => new MeshLambertMaterial({ flatShading: false });
    this.balls = new Shapes(parent, ballGeometry(1), matt(), 64);
    // Twenty per player, each a few pixels.
    this.joints = new Shapes(parent, ballGeometry(0), matt(), 256);
    this.links = new Shapes(parent, new CylinderGeometry(1, 1, 1, 6, 1, true), matt(), 256);
    this.trunks = new Shapes(parent, new CapsuleGeometry(0.22, 0.42, 2, 8), matt(), 16);
    this.rings = new Shapes(parent, new TorusGeometry(0.62, 0.025, 4, 24), new MeshBasicMaterial(), 16);
    // Shadows on the floor below all players show their height.
    const dark = { transparent: true, opacity: colours.name === "dark" ? 0.4 : 0.16, depthWrite: false };
    this.shadows = new Shapes(parent, new CircleGeometry(1, 16), new MeshBasicMaterial(dark), 16);
    this.shadow = new Color("#000000");
    this.floor = [new Float32Array([1, 0, 0]), new Float32Array([0, 0, -1]), new Float32Array([0, 1, 0])];
    this.all = [this.shadows, this.balls, this.joints, this.links, this.trunks, this.rings];
  }

  draw(state, order, { bones, hidden, floorY }) {
    for (const each of this.all) each.begin();
    for (let i = 0; i < state.count; ++i) {
      const player = state.players[i];
      if (player !== hidden) this.#player(player, order, bones);
      this.#cast(player.head, floorY, 0.45);
    }
    if (state.hasDisc) this.#cast(state.disc, floorY, 0.25);
    for (const each of this.all) each.end();
  }

  #cast([x, y, z], floorY, size) {
    if (floorY === null || y < floorY) return;
    this.#at[0] = x;
    this.#at[1] = floorY + 0.04;
    this.#at[2] = z;
    const wide = size * (1 + Math.max(0, y - floorY) * 0.03);
    this.shadows.turned(this.#at, ...this.floor, wide, wide, 1, this.shadow);
  }

  #player(player, order, bones) {
    const colour = this.#shade.copy(this.team[player.team]);
    // A stunned player is paler and has a horizontal ring; the player with the disc has a vertical one.
    // Labels show it, too.
    if (player.stunned) colour.lerp(this.stunned, 0.45);
    if (bones && player.hasBones) this.#skeleton(player, order, colour);
    else this.#simple(player, colour);
    leftOf(player.forward, player.up, this.#left);
    if (player.stunned) this.rings.turned(player.head, this.#left, player.forward, player.up, 1, 1, 1, this.stunned);
    if (player.possession) this.rings.turned(player.head, this.#left, player.up, player.forward, 0.9, 0.9, 0.9, this.marked);
  }

  #head(x, y, z, player, colour) {
    const { forward, up } = player;
    leftOf(forward, up, this.#left);
    const at = this.#at;
    at[0] = x;
    at[1] = y;
    at[2] = z;
    this.balls.turned(at, this.#left, up, forward, 0.15, 0.17, 0.17, colour);
    for (let i = 0; i < 3; ++i) at[i] += forward[i] * 0.1 + up[i] * 0.02;
    this.balls.turned(at, this.#left, up, forward, 0.12, 0.06, 0.09, this.#eye.copy(this.visor));
  }

  #skeleton(player, { parents, head, hands }, colour) {
    const b = player.bones;
    for (let i = 0; i < boneCount; ++i) {
      const p = parents[i];
      if (p < 0) continue;
      const thick = i >= 9 && i <= 12 ? 0.09 : 0.055;
      this.links.link(b[p * 3], b[p * 3 + 1], b[p * 3 + 2], b[i * 3], b[i * 3 + 1], b[i * 3 + 2], thick, colour, longestBone);
    }
    for (let i = 0; i < boneCount; ++i) {
      if (i === head) continue;
      const hand = hands.includes(i);
      const size = hand ? 0.09 : 0.06;
      (hand ? this.balls : this.joints).ball(b[i * 3], b[i * 3 + 1], b[i * 3 + 2], size, size, size, colour);
    }
    this.#head(b[head * 3], b[head * 3 + 1], b[head * 3 + 2], player, colour);
  }

  #simple(player, colour) {
    const { head, body, bodyUp: up, bodyForward: forward, hands, hasHand } = player;
    leftOf(forward, up, this.#left);
    this.#head(head[0], head[1], head[2], player, colour);
    const at = this.#at;
    for (let i = 0; i < 3; ++i) at[i] = body[i] - up[i] * 0.55;
    leftOf(forward, up, this.#left);
    this.trunks.turned(at, this.#left, up, forward, 1, 1, 0.7, colour);
    for (let side = 0; side < 2; ++side) {
      if (!hasHand[side]) continue;
      const hand = hands[side];
      const out = side === 0 ? 0.22 : -0.22;
      for (let i = 0; i < 3; ++i) at[i] = body[i] - up[i] * 0.28 + this.#left[i] * out;
      this.links.link(at[0], at[1], at[2], hand[0], hand[1], hand[2], 0.05, colour, 2);
      this.balls.ball(hand[0], hand[1], hand[2], 0.09, 0.09, 0.09, colour);
    }
  }
}
