// node tflite_wasm.mjs MODEL.tflite OUT_DIR SECONDS THREADS in0.npy [in1.npy ...]
// Runs a model in TensorFlow Lite (WebAssembly, XNNPACK), writes out<k>.npy and prints {"median_ms", "runs", "version"}.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { measure, readNpy, writeNpy } from './npy.mjs';

const [model, outDir, seconds, threads, ...inputs] = process.argv.slice(2);
const require = createRequire(process.env.NPUBIN_PEERS ? `${process.env.NPUBIN_PEERS}/package.json` : import.meta.url);
const folder = path.join(path.dirname(require.resolve('@tensorflow/tfjs-tflite/package.json')), 'wasm');
const CODES = { float32: '<f4', int32: '<i4', uint8: '|u1', int8: '|i1', int16: '<i2', bool: '|b1', int64: '<i8' };

// The module is made for browsers: it is loaded by hand, with its binary passed in.
const source = fs.readFileSync(path.join(folder, 'tflite_web_api_cc_simd.js'), 'utf8');
const factory = new Function('document', 'window', 'self', `${source}; return tflite_web_api_ModuleFactory;`)(
  undefined, undefined, globalThis);
const quiet = () => {};
const wasm = await factory({
  wasmBinary: fs.readFileSync(path.join(folder, 'tflite_web_api_cc_simd.wasm')), print: quiet, printErr: quiet,
});
const bytes = fs.readFileSync(model);
const pointer = wasm._malloc(bytes.length);
wasm.HEAPU8.set(bytes, pointer);
const created = wasm.TFLiteWebModelRunner.CreateFromBufferAndOptions(pointer, bytes.length, {
  numThreads: Number(threads), enableWebNNDelegate: false, webNNDevicePreference: 0, enableProfiling: false, maxProfilingBufferEntries: 0,
});
if (!created.ok()) throw new Error(`TensorFlow Lite refuses the model: ${created.errorMessage()}`);
const runner = created.value();
const list = (vector) => Array.from({ length: vector.size() }, (_, i) => vector.get(i));
list(runner.GetInputs()).forEach((tensor, i) => {
  const { data } = readNpy(inputs[i]);
  new Uint8Array(tensor.data().buffer, tensor.data().byteOffset, tensor.data().byteLength)
    .set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
});
const figure = await measure(() => { if (!runner.Infer()) throw new Error('the run failed'); }, Number(seconds));
list(runner.GetOutputs()).forEach((tensor, k) => {
  const shape = tensor.shape.split(',').filter(Boolean).map(Number);
  writeNpy(`${outDir}/out${k}.npy`, CODES[tensor.dataType] ?? '<f4', shape, tensor.data().slice());
});
console.log(JSON.stringify({ ...figure, version: require('@tensorflow/tfjs-tflite/package.json').version }));
