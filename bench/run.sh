#!/usr/bin/env bash
# ./dev bench: the benchmark programs, then npubin against its peers on the models of the full data collection.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
filter=${1:-}
for program in build/release/bench/bench_*; do
  [ -x "$program" ] || continue
  [[ "$program" == *"$filter"* ]] || continue
  echo "== ${program##*/}"
  "$program" --benchmark_min_time=0.3
done
[ -n "$filter" ] && [ "$filter" != peers ] && exit 0
data=${NPUBIN_SHARED_DATA:-../shared/data}
if ! command -v node >/dev/null || [ ! -d "$data" ]; then
  echo "peers: left out (needs node and the full data collection)"
  exit 0
fi
export NPUBIN_PEERS=${NPUBIN_PEERS:-$PWD/build/peers}
if [ ! -d "$NPUBIN_PEERS/node_modules" ]; then
  mkdir -p "$NPUBIN_PEERS"
  cp bench/peers/package.json "$NPUBIN_PEERS/"
  npm install --prefix "$NPUBIN_PEERS" --ignore-scripts --no-audit --no-fund >"$NPUBIN_PEERS/install.log" 2>&1 ||
    echo "peers: npm could not install them (see $NPUBIN_PEERS/install.log); they are left out"
fi
echo "== against peers"
node bench/peers/compare.mjs build/release/src/npubin build/dev/tests/peers/armnn_peer "$data"
