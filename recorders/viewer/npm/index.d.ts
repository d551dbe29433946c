/** A failure of the reader. `code` is its name, such as "truncated". */
export class TickreelError extends Error {
  readonly code: string;
  readonly offset: number | null;
}

/** What `tickreel info --json` prints, without "file". */
export interface Info {
  format: string;
  format_version: number;
  bytes: number;
  ticks: number;
  keyframes: number;
  duration_ms: number;
  players: { name: string; team?: string; [fact: string]: unknown }[];
  health: 'whole' | 'incomplete' | 'recovered' | 'damaged';
  [fact: string]: unknown;
}

/** One tick, as `tickreel cat` prints it. */
export interface Tick {
  tick: number;
  time_ms: number;
  [member: string]: unknown;
}

export interface Event {
  tick: number;
  type: string;
  [member: string]: unknown;
}

/** `tick` and `time_ms`, and those that were asked for. A tick without the value has NaN. */
export interface Columns {
  tick: Float64Array;
  time_ms: Float64Array;
  [path: string]: Float64Array;
}

export class Recording implements Iterable<Tick> {
  private constructor();
  readonly info: Info;
  readonly format: string;
  readonly firstTick: number;
  /** The lines that `tickreel cat` prints, from a tick on. */
  lines(from?: number): Generator<string, void, void>;
  [Symbol.iterator](): Iterator<Tick>;
  /** That tick, or the next one where there is none of that number; null behind the last. */
  at(tick: number): Tick | null;
  /** Those before damage that ends the reading, then the error. */
  events(): Generator<Event, void, void>;
  /** The paths of all numbers that ticks have. */
  fields(): { path: string; unit?: string; meaning?: string }[];
  /** The numbers at paths such as "session.disc.position[0]", of at most 100,000 ticks. */
  columns(paths: Iterable<string>): Columns;
  /** What `tickreel verify --json` prints. */
  verify(): { ok: boolean; ticks: number; findings: { severity: string; offset: number | null; message: string }[] };
  /** Sentences about what was missing; empty if nothing was. */
  losses(): string[];
}

/** Opens a recording of any format. The bytes are copied. */
export function open(bytes: ArrayBuffer | ArrayBufferView | Blob): Promise<Recording>;
