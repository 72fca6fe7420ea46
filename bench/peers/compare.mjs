// node compare.mjs NPUBIN ARMNN_PEER DATA_FOLDER [--seconds S] [--rounds R] [--threads 1,2] [--only NAME]
//
// Times npubin and its peers on the same models and inputs, in turn (A B C A B C ...), one process each, and prints
// the ratio of medians round by round as a Markdown table. A peer that is not installed, or cannot load a model, is
// reported, not failed. Float models reach ONNX Runtime through `npubin convert X.armnn X.onnx`; its outputs are held
// against npubin's. Quantised models are timed against their own float32 twins as well.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readNpy, writeNpy } from './npy.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const [npubin, armnnPeer, data, ...rest] = process.argv.slice(2);
const option = (name, otherwise) => { const at = rest.indexOf(name); return at < 0 ? otherwise : rest[at + 1]; };
const seconds = option('--seconds', '1.5'), rounds = Number(option('--rounds', '3')), only = option('--only', '');
const threadCounts = option('--threads', '1,2').split(',');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'npubin-bench-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

// Work: a model, its twin for each peer, and inputs (files, or shapes for seeded random ones).
const MODELS = [
  { name: 'face detection f32', file: 'face/face_detection_f32.armnn', tflite: 'face/face_detection_f32.tflite', inputs: ['face/inputs/astronaut_f32.npy'] },
  { name: 'hand landmarks f32', file: 'armnn/models/hand_landmark_lite/model.armnn', tflite: 'armnn/models/hand_landmark_lite/model.tflite' },
  { name: 'SSD MobileNet v3 f32', file: 'armnn/models/ssd_mobilenet_v3/model.armnn', tflite: 'armnn/models/ssd_mobilenet_v3/model.tflite' },
  { name: 'face detection f32, one output', file: 'face/armnn_single_output/face_detection_f32.regressors.armnn', armnn: true, inputs: ['face/inputs/astronaut_f32.npy'] },
  { name: 'face detection int8', file: 'face/face_detection_int8.tflite', tflite: 'face/face_detection_int8.tflite', inputs: ['face/inputs/astronaut_int8.npy'], integer: true },
  { name: 'MobileNet v2 int8', file: 'mobilenet_v2/mobilenet_v2_int8.tflite', tflite: 'mobilenet_v2/mobilenet_v2_int8.tflite', inputs: ['mobilenet_v2/coffee_int8.npy'], integer: true },
  { name: 'person detection int8', file: 'ethos/net_person_detect/model.tflite', tflite: 'ethos/net_person_detect/model.tflite', inputs: ['ethos/net_person_detect/seed1/in0.npy'], integer: true },
  { name: 'MobileNet v2 f32', file: 'mobilenet_v2/mobilenet_v2_int8.tflite', dequantize: true },
];

const run = (program, args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 300000 });
const reason = (error) => String(error.stderr || error.message).trim().split('\n').slice(-1)[0].slice(0, 120);

function interfaceOf(file) {
  const report = JSON.parse(run(npubin, ['inspect', '--json', file]));
  return report.inputs ? report : report.subgraphs[0];
}

function inputFiles(model, file) {
  if (model.inputs) return model.inputs.map((input) => path.join(data, input));
  return interfaceOf(file).inputs.map((input, i) => {
    const shape = typeof input.shape === 'string' ? JSON.parse(input.shape) : input.shape;
    const count = shape.reduce((a, b) => a * b, 1);
    let state = 12345 + i;
    const values = Float32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
    const name = path.join(scratch, `in${i}.npy`);
    writeNpy(name, '<f4', shape, values);
    return name;
  });
}

function largestDifference(a, b) {
  let worst = 0, range = 0;
  for (let k = 0; fs.existsSync(`${a}/out${k}.npy`) && fs.existsSync(`${b}/out${k}.npy`); ++k) {
    const x = readNpy(`${a}/out${k}.npy`).data, y = readNpy(`${b}/out${k}.npy`).data;
    for (let i = 0; i < Math.min(x.length, y.length); ++i) {
      worst = Math.max(worst, Math.abs(Number(x[i]) - Number(y[i])));
      range = Math.max(range, Math.abs(Number(y[i])));
    }
  }
  return { worst, range };
}

// The same network without quantisation.
function floatTwin(file) {
  const twin = path.join(scratch, 'twin.tflite');
  run(npubin, ['convert', file, twin, '--dequantize', '--no-verify']);
  return twin;
}

function contestants(model, file, inputs, threads) {
  // Empty: what another model left there is not this one's.
  const folder = (name) => { const to = path.join(scratch, name); fs.rmSync(to, { recursive: true, force: true }); fs.mkdirSync(to, { recursive: true }); return to; };
  const list = [{ name: 'npubin', time: () => JSON.parse(run(npubin, ['bench', file, '--json', '--threads', threads, '--duration', seconds, ...inputs.flatMap((i) => ['--input', i])])).median_ms }];
  run(npubin, ['run', file, '-o', folder('npubin'), ...inputs.flatMap((i) => ['--input', i])]);
  const script = (peer, twin) => ({
    name: peer, out: folder(peer),
    time: () => JSON.parse(run('node', [path.join(here, `${peer}.mjs`), twin, folder(peer), seconds, threads, ...inputs])).median_ms,
  });
  if (!model.integer) {
    const onnx = path.join(scratch, 'model.onnx');
    try {
      run(npubin, ['convert', file, onnx]);
      list.push(script('onnxruntime', onnx));
    } catch (error) {
      console.error(`${model.name}: no ONNX twin: ${reason(error)}`);
    }
  }
  if (model.integer) {
    const twin = floatTwin(file);
    list.push({ name: 'npubin on the float32 twin', time: () => JSON.parse(run(npubin, ['bench', twin, '--json', '--threads', threads, '--duration', seconds])).median_ms });
  }
  if (model.tflite) list.push(script('tflite_wasm', path.join(data, model.tflite)));
  if (model.armnn && fs.existsSync(armnnPeer) && threads === '1') {
    const { inputs: names, outputs } = interfaceOf(file);
    const args = [file, folder('armnn_cpuref'), '--repeat', '3', ...names.flatMap((n, i) => ['--input', `${n.name}=${inputs[i]}`]), ...outputs.flatMap((o) => ['--output', o.name])];
    list.push({ name: 'armnn_cpuref', out: folder('armnn_cpuref'), time: () => Number(run(armnnPeer, args)) });
  }
  return list;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
console.log(`| model | threads | engine | ms (median) | npubin / engine (median, min..max of ${rounds} rounds) | largest difference |`);
console.log('|---|---|---|---|---|---|');
for (const model of MODELS) {
  if (only && !model.name.includes(only)) continue;
  const source = path.join(data, model.file);
  if (!fs.existsSync(source)) { console.error(`${model.name}: ${model.file} is not here`); continue; }
  const file = model.dequantize ? floatTwin(source) : source;
  const inputs = inputFiles(model, file);
  for (const threads of threadCounts) {
    let all = contestants(model, file, inputs, threads);
    const times = new Map(all.map((c) => [c.name, []]));
    for (let round = 0; round < rounds; ++round)
      for (const c of all) {
        try {
          times.get(c.name).push(c.time());
        } catch (error) {
          if (c.name === 'npubin') throw error;
          console.error(`${model.name}: ${c.name} left out: ${reason(error)}`);
          all = all.filter((other) => other !== c);
        }
      }
    const own = times.get('npubin');
    for (const c of all) {
      const t = times.get(c.name), ratios = t.map((value, i) => own[i] / value);
      const difference = c.out ? largestDifference(path.join(scratch, 'npubin'), c.out) : null;
      console.log(`| ${model.name} | ${threads} | ${c.name} | ${median(t).toFixed(3)} | ${c.name === 'npubin' ? '' : `${median(ratios).toPrecision(3)} (${Math.min(...ratios).toPrecision(3)}..${Math.max(...ratios).toPrecision(3)})`} | ${difference ? `${difference.worst.toPrecision(3)} of ${difference.range.toPrecision(3)}` : ''} |`);
    }
  }
}
