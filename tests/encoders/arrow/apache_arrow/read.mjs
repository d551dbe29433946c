// Prints an Arrow IPC file as an independent reader sees it: node read.mjs FOLDER FILE
//
// FOLDER is where node_modules is. The first line is the number of record batches, the second one the columns as NAME:TYPE, then
// a line for each row; tabs separate cells. A cell is n (null), i:DECIMAL, d:BITS in hexadecimal (d:nan) or t:UTF-8 in hexadecimal.
// Last come the facts about the file, KEY=VALUE, and those about columns, NAME.KEY=VALUE.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, name] = process.argv.slice(2);
const from = createRequire(`${folder}/package.json`);
const { CompressionType, RecordBatchReader, compressionRegistry } = await import(
  pathToFileURL(from.resolve('apache-arrow'))
);
const { decompress } = await import(pathToFileURL(from.resolve('fzstd')));
// A copy of its own is aligned, which the package requires.
compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => Uint8Array.from(decompress(bytes)) });

const bits = new DataView(new ArrayBuffer(8));
function cell(value, type) {
  if (value === null) return 'n';
  if (type === 'Int64') return `i:${value}`;
  if (type === 'Float64') {
    if (Number.isNaN(value)) return 'd:nan';
    bits.setFloat64(0, value);
    return `d:${bits.getBigUint64(0).toString(16)}`;
  }
  return `t:${Buffer.from(value, 'utf8').toString('hex')}`;
}

// The footer names the batches, and the file is read by it.
const reader = RecordBatchReader.from(Uint8Array.from(readFileSync(name))).open();
if (!reader.isFile()) throw new Error('not a file with a footer');
const { schema } = reader;
const rows = [];
let batches = 0;
for (const batch of reader) {
  // A table without rows has one that the file does not contain.
  if (batch.numRows === 0) continue;
  batches += 1;
  const vectors = schema.fields.map((_, at) => batch.getChildAt(at));
  for (let row = 0; row < batch.numRows; row += 1) {
    rows.push(vectors.map((vector, at) => cell(vector.get(row), String(schema.fields[at].type))).join('\t'));
  }
  for (const [at, vector] of vectors.entries()) {
    const nulls = Array.from({ length: batch.numRows }, (_, row) => vector.get(row)).filter(
      (each) => each === null,
    ).length;
    if (nulls !== vector.nullCount) throw new Error(`column ${at} has ${nulls} nulls, not ${vector.nullCount}`);
  }
}
const lines = [String(batches), schema.fields.map((each) => `${each.name}:${each.type}`).join('\t'), ...rows];
for (const [key, value] of schema.metadata) lines.push(`${key}=${value}`);
for (const each of schema.fields) for (const [key, value] of each.metadata) lines.push(`${each.name}.${key}=${value}`);
process.stdout.write(`${lines.join('\n')}\n`);
