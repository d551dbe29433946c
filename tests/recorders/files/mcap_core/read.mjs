// Reads a file with @mcap/core, and prints a line of JSON for each message: topic, log time, data as a text. The last line is the
// summary. Both of its readers must return the same; CRCs and schemas are checked.
// ATTACHED is the only attachment, if it is given.
//
//   node read.mjs FILE [ATTACHED]     in a folder with the packages of package.json
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { decompress } from 'fzstd';

const file = await open(process.argv[2]);
const { size } = await file.stat();
const readable = {
  size: async () => BigInt(size),
  read: async (offset, length) => {
    const bytes = new Uint8Array(Number(length));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(offset));
    if (bytesRead !== bytes.length) throw new Error(`no ${length} bytes at ${offset}`);
    return bytes;
  },
};
const decompressHandlers = { zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))) };
const text = new TextDecoder('utf-8', { fatal: true });
const lineOf = (topic, message) => JSON.stringify([topic, String(message.logTime), text.decode(message.data)]);

// As Foxglove reads a schema: objects of members whose types it knows.
function checkSchema(schema, path) {
  if (schema.oneOf) return schema.oneOf.forEach((each) => check(typeof each.const === 'number', path));
  if (schema.type === 'object') {
    for (const [name, each] of Object.entries(schema.properties)) checkSchema(each, `${path}.${name}`);
  } else if (schema.type === 'array') {
    check(schema.items.type !== 'array', path);
    checkSchema(schema.items, `${path}[]`);
  } else {
    check(['boolean', 'string', 'number', 'integer'].includes(schema.type), path);
  }
}
function check(holds, what) {
  if (!holds) throw new Error(what);
}

const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
check(reader.statistics.messageCount === 0n || reader.chunkIndexes.length > 0, 'chunk indexes');
for (const { name, encoding, data } of reader.schemasById.values()) {
  check(encoding === 'jsonschema', encoding);
  const schema = JSON.parse(text.decode(data));
  check(schema.type === 'object', name);
  checkSchema(schema, name);
}
const topics = new Map([...reader.channelsById.values()].map(({ id, topic }) => [id, topic]));
const indexed = [];
for await (const message of reader.readMessages({ validateCrcs: true })) {
  JSON.parse(text.decode(message.data));
  indexed.push(lineOf(topics.get(message.channelId), message));
}

const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
const streamed = [];
const chunk = new Uint8Array(100_000);
for (let offset = 0; offset < size; ) {
  const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
  stream.append(chunk.subarray(0, bytesRead));
  offset += bytesRead;
  for (let record; (record = stream.nextRecord()); ) {
    if (record.type === 'Message') streamed.push(lineOf(topics.get(record.channelId), record));
  }
}
check(stream.done(), 'the end');
check(streamed.slice().sort().join('\n') === indexed.slice().sort().join('\n'), 'both readers');
const attached = process.argv.slice(3);
check(reader.statistics.attachmentCount === attached.length, 'the number of attachments');
for await (const { name, data } of reader.readAttachments({ validateCrcs: true }))
  check(name === basename(attached[0]) && (await readFile(attached[0])).equals(data), 'the attachment');
const metadata = {};
for await (const record of reader.readMetadata()) metadata[record.name] = Object.fromEntries(record.metadata);
const statistics = { messages: Number(reader.statistics.messageCount), chunks: reader.statistics.chunkCount };
process.stdout.write([...streamed, JSON.stringify({ statistics, metadata })].join('\n') + '\n');
