// A map file of StarCraft II with a minimap: an archive of members that are neither compressed nor encrypted.
const rounds = new Uint32Array(0x500);
for (let index = 0, seed = 0x100001; index < 0x100; ++index) {
  for (let at = index; at < 0x500; at += 0x100) {
    const next = () => (seed = (seed * 125 + 3) % 0x2aaaab);
    const high = (next() & 0xffff) << 16;
    rounds[at] = high | (next() & 0xffff);
  }
}

function hashOf(text, kind) {
  let [one, two] = [0x7fed7fed, 0xeeeeeeee];
  for (const letter of Buffer.from(text.toUpperCase())) {
    one = (rounds[kind * 0x100 + letter] ^ (one + two)) >>> 0;
    two = (letter + one + two + (two << 5) + 3) >>> 0;
  }
  return one;
}

function encrypted(words, key) {
  const out = Buffer.alloc(words.length * 4);
  let two = 0xeeeeeeee;
  words.forEach((word, at) => {
    two = (two + rounds[0x400 + (key & 0xff)]) >>> 0;
    out.writeUInt32LE((word ^ (key + two)) >>> 0, at * 4);
    key = (((~key << 21) + 0x11111111) | (key >>> 11)) >>> 0;
    two = (word + two + (two << 5) + 3) >>> 0;
  });
  return out;
}

// members: [[name, bytes]], at most eight.
export function archiveOf(members) {
  const entries = 16;
  const hashes = new Array(entries * 4).fill(0xffffffff);
  const blocks = [];
  const inSinglePiece = 0x81000000;
  let offset = 32;
  members.forEach(([name, bytes], number) => {
    let slot = hashOf(name, 0) % entries;
    while (hashes[slot * 4 + 3] !== 0xffffffff) slot = (slot + 1) % entries;
    hashes.splice(slot * 4, 4, hashOf(name, 1), hashOf(name, 2), 0, number);
    blocks.push(offset, bytes.length, bytes.length, inSinglePiece);
    offset += bytes.length;
  });
  const head = Buffer.alloc(32);
  head.write('MPQ\x1a', 'latin1');
  [32, offset + entries * 16 + blocks.length * 4].forEach((value, at) => head.writeUInt32LE(value, 4 + at * 4));
  head.writeUInt16LE(3, 14);
  [offset, offset + entries * 16, entries, members.length].forEach((value, at) =>
    head.writeUInt32LE(value, 16 + at * 4),
  );
  return Buffer.concat([
    head,
    ...members.map(([, bytes]) => bytes),
    encrypted(hashes, hashOf('(hash table)', 3)),
    encrypted(blocks, hashOf('(block table)', 3)),
  ]);
}

// `edges`: left, bottom, right, top of the playable part of a map of `size` units, or of [width, height] units;
// `colourAt(x, y)` of it: [red, green, blue] of the part, from 0 to 1, rows from the top.
export function mapFile(size, edges, colourAt) {
  const [across, up] = Array.isArray(size) ? size : [size, size];
  const words = (...list) => Buffer.from(Uint32Array.from(list).buffer);
  const info = Buffer.concat([
    words(0x4d617049, 0x27, 0, 0, across, up, 1, 1),
    Buffer.from('\0\0'),
    words(1, 0),
    Buffer.from('Dark\0Char\0'),
    words(...edges, 0),
  ]);
  const [left, bottom, right, top] = edges;
  const [wide, high] = [right - left, top - bottom];
  // As the editor does.
  const [width, height] = [wide, high].map((side) => 2 ** Math.ceil(Math.log2(side)));
  const [x0, y0] = [(width - wide) / 2, (height - high) / 2].map(Math.floor);
  const head = Buffer.alloc(18);
  head[2] = 2;
  head.writeUInt16LE(width, 12);
  head.writeUInt16LE(height, 14);
  head[16] = 24;
  head[17] = 0x20;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < high; ++y)
    for (let x = 0; x < wide; ++x) {
      const [red, green, blue] = colourAt(x / wide, y / high);
      pixels.set([blue, green, red], ((y0 + y) * width + x0 + x) * 3);
    }
  return archiveOf([
    ['MapInfo', info],
    ['Minimap.tga', Buffer.concat([head, pixels])],
  ]);
}
