// Writes a file with @mcap/core: two topics of JSON, one of another encoding, an attachment and metadata.
//
//   node write.mjs none|zstd|unchunked FILE     in a folder with the packages of package.json
import { writeFileSync } from 'node:fs';
import { McapWriter } from '@mcap/core';

const [, , layout, output] = process.argv;
const pieces = [];
let size = 0;
const writable = {
  position: () => BigInt(size),
  write: async (bytes) => {
    pieces.push(bytes.slice());
    size += bytes.length;
  },
};

// A zstd frame of blocks that are not compressed.
function frameOf(data) {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), Buffer.alloc(4)];
  parts[1].writeUInt32LE(data.length);
  for (let at = 0; at === 0 || at < data.length; at += 100_000) {
    const block = data.subarray(at, at + 100_000);
    const head = Buffer.alloc(3);
    head.writeUIntLE(block.length * 8 + (at + 100_000 >= data.length ? 1 : 0), 0, 3);
    parts.push(head, block);
  }
  return Buffer.concat(parts);
}

const options = { writable, useChunks: layout !== 'unchunked', chunkSize: 400 };
if (layout === 'zstd') options.compressChunk = (data) => ({ compression: 'zstd', compressedData: frameOf(data) });
const writer = new McapWriter(options);
const bytes = (text) => new TextEncoder().encode(text);
await writer.start({ profile: 'robot', library: 'a test' });
const schemaId = await writer.registerSchema({ name: 'Pose', encoding: 'jsonschema', data: bytes('{"type":"object"}') });
const channel = (topic, messageEncoding, id) =>
  writer.registerChannel({ topic, messageEncoding, schemaId: id, metadata: new Map([['frame', 'map']]) });
const pose = await channel('/pose', 'json', schemaId);
const state = await channel('/state "a"', 'json', 0);
const image = await channel('/image', 'cdr', 0);
const start = 1_700_000_000_000_000_000n;
let sequence = 0;
const message = (channelId, ms, text) => {
  const logTime = start + BigInt(Math.round(ms * 1e6));
  return writer.addMessage({ channelId, sequence: sequence++, logTime, publishTime: logTime - 1n, data: bytes(text) });
};
for (let tick = 0; tick < 20; ++tick) {
  await message(pose, tick * 50, `{"x": ${tick},\n "name": "a b"}`);
  if (tick % 2 === 0) await message(state, tick * 50, `[${tick},null]`);
  if (tick % 5 === 0) await message(image, tick * 50, '\u0001\u0002');
}
// The same topic at the same time, and a time before that of the message before.
await message(pose, 1000, '{"x":100}');
await message(pose, 1000, '{"x":101}');
await message(pose, 975.5, '{"x":102}');
await message(pose, 1100, '{"x":');
await writer.addAttachment({ name: 'note.txt', mediaType: 'text/plain', logTime: start, createTime: start, data: bytes('hello') });
await writer.addMetadata({ name: 'facts', metadata: new Map([['key', 'value']]) });
await writer.end();
writeFileSync(output, Buffer.concat(pieces));
