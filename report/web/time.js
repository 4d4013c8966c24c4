// What happened over time: packets by fate, queues and windows.
function startTime() {
  const lanes = data.packets.lanes || [], panels = data.panels || [];
  let end = 0;
  if (lanes.length) end = lanes[0].counts[0].length * data.packets.bin;
  for (const p of panels) for (const t of p.traces) if (t.t.length) end = Math.max(end, t.t[t.t.length - 1]);
  if (!end) return;
  const pick = data.seconds.length ? s => setFrame(data.frames[nearest(data.seconds, s)]) : null;
  const g = newGroup('time', 0, end, .1, pick);
  g.readers = [];
  g.hover = s => g.readers.forEach(f => f(s));
  if (lanes.length) startLanes(g, lanes);
  if (panels.length) startPanels(g, panels);
}

// momentNow is the presentation time of the chosen frame.
const momentNow = () => data.seconds.length ? data.seconds[frameNow()] : null;
const markMoment = u => { const t = momentNow(); if (t != null) marker(u, t); };

const laneInk = k => {
  const c = data.packets.colors[k];
  return c === '#222222' && state.scheme === 'dark' ? '#f4f4f4' : c;
};

function startLanes(g, lanes) {
  const {places, bin} = data.packets, holder = $('lanes');
  places.forEach((name, k) => {
    const mark = chip(laneInk(k));
    on('scheme', () => { mark.style.background = laneInk(k); });
    $('places').append(el('span', {}, mark, k ? 'lost: ' + name : name));
  });
  $('places').append(el('span', {textContent: `packets sent in ${Number((bin * 1e3).toPrecision(3))} ms`}));
  const bins = lanes[0].counts[0].length, x = Array.from({length: bins}, (_, i) => i * bin);
  const total = (l, i) => l.counts.reduce((s, c) => s + c[i], 0);
  const top = Math.max(1, ...lanes.map(l => Math.max(...x.map((_, i) => total(l, i)))));
  lanes.forEach((l, n) => {
    const read = el('span', {className: 'dim'}), box = el('div', {className: 'plot'}, el('h3', {}, laneTitle(l), read));
    holder.append(box);
    addPlot(g, box, {
      height: n === lanes.length - 1 ? 118 : 92, bare: n < lanes.length - 1, x: {label: 'Time, s', labelSize: 16, size: 30},
      series: [{show: false}], data: [x, x.map((_, i) => total(l, i))], cursor: {points: {show: false}},
      scales: {y: {range: [0, top * 1.05]}}, y: axis({size: 50, space: 24}),
      draw: u => { clipped(u, c => drawBars(u, c, l, bin)); markMoment(u); },
    });
    g.readers.push(s => { read.textContent = s == null ? '' : laneReading(l, Math.min(bins - 1, Math.max(0, Math.floor(s / bin))), bin); });
  });
}

function laneTitle(l) {
  const sent = l.totals.reduce((a, b) => a + b, 0), lost = sent - l.totals[0];
  const where = data.packets.places.slice(1).map((p, k) => [p, l.totals[k + 1]]).filter(w => w[1]).map(w => `${w[0]} ${w[1]}`).join(', ');
  return `${l.name}: ${sent} packets, ${lost} lost` + (where ? ` (${where})` : '') + ' ';
}

function laneReading(l, i, bin) {
  const parts = data.packets.places.map((p, k) => [p, l.counts[k][i]]).filter(w => w[1]).map(w => `${w[1]} ${w[0]}`);
  return `· from ${(i * bin).toFixed(2)} s: ${parts.join(', ') || 'none'}`;
}

// drawBars stacks the fates of each bin, the losses on top of what arrived.
function drawBars(u, c, l, bin) {
  const base = u.valToPos(0, 'y', true), per = base - u.valToPos(1, 'y', true);
  const w = Math.max(1, u.valToPos(bin, 'x', true) - u.valToPos(0, 'x', true) - .5);
  const y = new Float64Array(l.counts[0].length).fill(base);
  l.counts.forEach((counts, k) => {
    c.fillStyle = laneInk(k);
    counts.forEach((n, i) => {
      if (!n) return;
      const h = n * per;
      c.fillRect(u.valToPos(i * bin, 'x', true), y[i] -= h, w, h);
    });
  });
}

function startPanels(g, panels) {
  const holder = $('times'), seen = new Set();
  for (const t of panels.flatMap(p => p.traces)) {
    if (seen.has(t.name)) continue;
    seen.add(t.name);
    $('traces').append(el('span', {}, sample(t, lineMark(t.name, [...seen])), t.name));
  }
  panels.forEach((p, n) => {
    const read = el('span', {className: 'dim'}), box = el('div', {className: 'plot'}, el('h3', {}, p.label + ' ', read));
    holder.append(box);
    const joined = uPlot.join(p.traces.map(t => [t.t, t.v])), last = n === panels.length - 1;
    addPlot(g, box, {
      height: last ? 176 : 150, bare: !last, x: {label: 'Time, s', labelSize: 16, size: 30}, data: joined,
      series: p.traces.map(t => ({stroke: () => paint(t), width: 1, spanGaps: true, mark: lineMark(t.name, [...seen]), dash: pattern(lineMark(t.name, [...seen])), points: {show: false}, paths: p.steps ? uPlot.paths.stepped({align: 1}) : undefined})),
      scales: {y: {range: (u, lo, hi) => [0, hi > 0 ? hi * 1.08 : 1]}}, y: axis({size: 50, space: 28}), cursor: {points: {show: false}}, draw: markMoment,
    });
    g.readers.push(s => {
      read.textContent = s == null ? '' : `· at ${s.toFixed(2)} s: ` + p.traces.map(t => `${t.name} ${valueAt(t, s)}`).join(', ');
    });
  });
}

// lineMark is the pattern's number of a trace: that of the transport whose name
// it has, else its place among the traces.
function lineMark(name, traces) {
  const i = data.curves.findIndex(c => c.name === name);
  return i >= 0 ? i : traces.indexOf(name);
}

// valueAt is the last value of a trace at or before s.
function valueAt(t, s) {
  let i = nearest(t.t, s);
  if (t.t[i] > s && i > 0) i--;
  return t.v[i] == null ? '–' : String(Number(t.v[i].toPrecision(4)));
}
