// Just enough .npy for the peers: C order, little endian.
import fs from 'node:fs';

const TYPES = {
  '<f4': Float32Array, '|u1': Uint8Array, '|i1': Int8Array, '<i2': Int16Array, '<i4': Int32Array,
  '<i8': BigInt64Array, '|b1': Uint8Array, '<f2': Uint16Array, '<u2': Uint16Array,
};

export function readNpy(file) {
  const raw = fs.readFileSync(file);
  const size = raw[6] === 1 ? raw.readUInt16LE(8) : raw.readUInt32LE(8);
  const start = (raw[6] === 1 ? 10 : 12) + size;
  const header = raw.subarray(raw[6] === 1 ? 10 : 12, start).toString('latin1');
  const code = /'descr': '([^']+)'/.exec(header)[1];
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').map((s) => s.trim()).filter(Boolean).map(Number);
  if (/'fortran_order': True/.test(header) || !TYPES[code]) throw new Error(`${file}: unsupported .npy (${header.trim()})`);
  const copy = new Uint8Array(raw.length - start);
  copy.set(raw.subarray(start));
  return { code, shape, data: new TYPES[code](copy.buffer) };
}

export function writeNpy(file, code, shape, data) {
  let header = `{'descr': '${code}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  header += ' '.repeat((64 - ((10 + header.length + 1) % 64)) % 64) + '\n';
  const head = Buffer.alloc(10);
  head.write('\x93NUMPY\x01\x00', 'latin1');
  head.writeUInt16LE(header.length, 8);
  fs.writeFileSync(file, Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}

// Median milliseconds of one call: warm-up, then as many as fit into `seconds`, at least `least`.
export async function measure(call, seconds, least = 5) {
  for (let i = 0; i < 2; ++i) await call();
  const times = [];
  const end = performance.now() + seconds * 1000;
  while (times.length < least || (performance.now() < end && times.length < 10000)) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return { median_ms: times[times.length >> 1], runs: times.length };
}
