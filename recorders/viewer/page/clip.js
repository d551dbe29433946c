// A part of a match of Echo VR as an .echoreplay, as `tickreel clip` writes it: the lines of its ticks in a zip
// archive.

const linesAtOnce = 64;

const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
export function crc32(bytes, crc = 0) {
  crc = ~crc;
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

// A zip archive of one file, whose text comes in pieces: an asynchronous iterator of strings. Below 4 GB.
export async function zipOf(name, pieces, comment = '') {
  const utf8 = new TextEncoder();
  const packer = new CompressionStream('deflate-raw');
  const packed = new Response(packer.readable).blob();
  const into = packer.writable.getWriter();
  let crc = 0;
  let size = 0;
  try {
    for await (const piece of pieces) {
      const bytes = utf8.encode(piece);
      crc = crc32(bytes, crc);
      size += bytes.length;
      await into.write(bytes);
    }
    await into.close();
  } catch (error) {
    packed.catch(() => {});
    into.abort(error).catch(() => {});
    throw error;
  }
  const content = await packed;
  if (size > 0xffff_fffe) throw new Error('a clip of more than 4 GB of text is too long');
  const title = utf8.encode(name);
  const words = utf8.encode(comment);
  const view = (...fields) => {
    const out = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
    let at = 0;
    for (const [bytes, value] of fields) {
      if (bytes === 2) out.setUint16(at, value, true);
      else out.setUint32(at, value, true);
      at += bytes;
    }
    return out;
  };
  // Version 2.0, a name in UTF-8, deflated, 1 January 1980.
  const facts = [
    [2, 20],
    [2, 0x800],
    [2, 8],
    [2, 0],
    [2, 0x21],
    [4, crc],
    [4, content.size],
    [4, size],
    [2, title.length],
    [2, 0],
  ];
  const local = view([4, 0x04034b50], ...facts);
  const entry = view([4, 0x02014b50], [2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]);
  const directory = local.byteLength + title.length + content.size;
  const end = view(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, 1],
    [2, 1],
    [4, entry.byteLength + title.length],
    [4, directory],
    [2, words.length],
  );
  return new Blob([local, title, content, entry, title, end, words], { type: 'application/zip' });
}

// Ticks `first` to `last` of a recording of Echo VR: {blob, ticks}. `onpart` is given the share that is done, and stops
// it with false.
export async function clipOf(recording, name, { first, last }, onpart) {
  const since = Math.round(recording.timeOf(first) - recording.firstTimeMs);
  const comment = `tickreel: cut from ${recording.name}, from ${since} ms after its beginning on`;
  let ticks = 0;
  async function* text() {
    for (let from = first; from <= last;) {
      const lines = await recording.gameLines(from, Math.min(linesAtOnce, last - from + 1));
      let out = '';
      for (const { tick, line } of lines) {
        if (tick > last) break;
        out += `${line}\r\n`;
        from = tick + 1;
        ++ticks;
      }
      if (out === '') return;
      yield out;
      if (onpart((from - first) / (last - first + 1)) === false) throw new Error('stopped');
    }
  }
  const blob = await zipOf(name, text(), comment);
  if (ticks === 0) throw new Error('no tick is there');
  return { blob, ticks };
}
