// node onnxruntime.mjs MODEL.onnx OUT_DIR SECONDS THREADS in0.npy [in1.npy ...]
// Runs a model in ONNX Runtime, writes out<k>.npy and prints {"median_ms", "runs", "version"}.
import { createRequire } from 'node:module';
import { measure, readNpy, writeNpy } from './npy.mjs';

const [model, outDir, seconds, threads, ...inputs] = process.argv.slice(2);
const require = createRequire(process.env.NPUBIN_PEERS ? `${process.env.NPUBIN_PEERS}/package.json` : import.meta.url);
const ort = require('onnxruntime-node');
const TYPES = { '<f4': 'float32', '|u1': 'uint8', '|i1': 'int8', '<i2': 'int16', '<i4': 'int32', '<i8': 'int64', '|b1': 'bool' };
const CODES = Object.fromEntries(Object.entries(TYPES).map(([code, name]) => [name, code]));

const session = await ort.InferenceSession.create(model, {
  executionProviders: ['cpu'], graphOptimizationLevel: 'all', intraOpNumThreads: Number(threads), interOpNumThreads: 1,
});
const feeds = {};
session.inputNames.forEach((name, i) => {
  const { code, shape, data } = readNpy(inputs[i]);
  feeds[name] = new ort.Tensor(TYPES[code], data, shape);
});
let results;
const figure = await measure(async () => { results = await session.run(feeds); }, Number(seconds));
session.outputNames.forEach((name, k) => {
  const out = results[name];
  writeNpy(`${outDir}/out${k}.npy`, CODES[out.type], out.dims, out.data);
});
console.log(JSON.stringify({ ...figure, version: require('onnxruntime-node/package.json').version }));
