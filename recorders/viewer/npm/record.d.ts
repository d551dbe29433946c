type Number_ = 'f32' | 'f64' | 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64' | 'bool';

/**
 * A number, a text of that many bytes (1 to 65535), the different names of an enumeration (0, 1, ...), or the members of a
 * struct (at most 64, and 1 MiB).
 */
export type FieldType = Number_ | `text:${number}` | string[] | Fields;

export interface FieldOptions {
  /** The number of elements of an array, which cannot be optional. */
  count?: number;
  /** The value may be null. */
  optional?: boolean;
  /** For display: "m/s". */
  unit?: string;
  /** A hint: floats with at most so many digits after the point take fewer bytes. */
  decimals?: number;
  /** The error that is allowed for a float; without it floats are exact. */
  tolerance?: number;
  /** A relation to the members in `of`: it saves bytes. `rate`: of integral_of, in ticks per second. */
  relation?: 'same_as' | 'relative_to' | 'unit_vector' | 'cross' | 'orthogonal' | 'rotation' | 'integral_of';
  of?: string | string[];
  rate?: number;
}

export interface Field extends FieldOptions {
  readonly type: FieldType;
}

/** A member with options; a type alone is one without, and [4, 'f32'] an array. */
export function field(type: FieldType, options?: FieldOptions): Field;

/** By name, which has none of .[]?#. */
export interface Fields {
  [name: string]: FieldType | Field | [number, FieldType];
}

export interface RecordOptions {
  /** Ticks per second; 0: each push has the time of the clock. */
  rate?: number;
  /** The name of the struct; "state" without it. */
  name?: string;
  /** Events by name, each with at least one member, and at most 1024 bytes. */
  events?: { [name: string]: Fields };
  metadata?: { [key: string]: string };
  /** Bytes are passed on at most this long after their tick; 1000 without it. */
  sealIntervalMs?: number;
  /**
   * Receives the bytes of the reel in their order. Without it the recorder keeps them. It must not call the recorder, except
   * counters(). If it throws, it is not called again, and close() throws that error.
   */
  onBytes?: (bytes: Uint8Array) => void;
}

export interface Counters {
  /** Nothing was dropped, lost or refused. */
  isWhole: boolean;
  pushed: number;
  dropped: number;
  refused: number;
  written: number;
  lost: number;
  events: number;
  eventsLost: number;
  rawBytes: number;
  storedBytes: number;
  /** 1: `onBytes` threw, and does not have all bytes. */
  receiverFailed: number;
}

type Values = { [member: string]: unknown };

export class Recorder {
  private constructor();
  /** Records one tick. Members that `values` lacks stay as they were. False if the tick was refused, which is counted. */
  push(values?: Values): boolean;
  /** The same with the tick's number, which rises, and its time in microseconds since the start. */
  pushAt(tick: number | bigint, timeUs: number | bigint, values?: Values): boolean;
  /** Records an event at the tick pushed last. Members that `values` lacks are 0 or empty. */
  event(name: string, values?: Values): boolean;
  /** Passes on what is due; push() and event() do it too. For pauses. */
  pump(): void;
  counters(): Counters;
  /** The bytes so far; empty with `onBytes`. */
  bytes(): Uint8Array;
  /** Ends the reel; returns its bytes, which are empty with `onBytes`. */
  close(): Uint8Array;
}

/** Begins a reel. Throws a TickreelError if readers would reject the description. */
export function record(fields: Fields, options?: RecordOptions): Promise<Recorder>;
