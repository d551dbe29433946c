// Prints a Parquet file as an independent reader sees it: node read.mjs FOLDER FILE
//
// FOLDER is where node_modules is. The first line is the number of groups of rows, the second one the columns as NAME:TYPE, then
// a line for each row; tabs separate cells. A cell is n (null), i:DECIMAL, d:BITS in hexadecimal (d:nan) or t:UTF-8 in hexadecimal.
// Last come the facts about the file: KEY=VALUE.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [folder, name] = process.argv.slice(2);
const from = createRequire(`${folder}/package.json`);
const { parquetMetadata, parquetRead } = await import(pathToFileURL(from.resolve('hyparquet')));
const { decompress } = await import(pathToFileURL(from.resolve('fzstd')));

const bits = new DataView(new ArrayBuffer(8));
function cell(value, type) {
  if (value === null || value === undefined) return 'n';
  if (type === 'INT64') return `i:${BigInt(value)}`;
  if (type === 'DOUBLE') {
    if (Number.isNaN(value)) return 'd:nan';
    bits.setFloat64(0, value);
    return `d:${bits.getBigUint64(0).toString(16)}`;
  }
  return `t:${Buffer.from(value, 'utf8').toString('hex')}`;
}

const bytes = readFileSync(name);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const metadata = parquetMetadata(buffer);
const columns = metadata.schema.slice(1);
const lines = [
  String(metadata.row_groups.length),
  columns.map((each) => `${each.name}:${each.type}`).join('\t'),
];
await parquetRead({
  file: buffer,
  metadata,
  compressors: {
    ZSTD: (input, size) => decompress(input, new Uint8Array(size)),
    GZIP: (input) => new Uint8Array(gunzipSync(input)),
  },
  onComplete: (rows) => {
    for (const row of rows) lines.push(columns.map((each, at) => cell(row[at], each.type)).join('\t'));
  },
});
for (const each of metadata.key_value_metadata ?? []) lines.push(`${each.key}=${each.value}`);
process.stdout.write(`${lines.join('\n')}\n`);
