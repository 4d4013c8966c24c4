// Quality per frame: SSIM, MSE, PSNR and the strip of verdicts.
const floor = 0.01; // an MSE below it lies on the axis

function startCharts() {
  const holder = $('charts'), n = data.frames.length;
  if (!holder || !n) return;
  const first = data.frames[0], last = Math.max(data.frames[n - 1], first + 1);
  const g = newGroup('frames', first, last, 4, setFrame);
  const series = data.order.map(i => data.curves[i]);
  const size = axisSize();
  const add = (title, values, o) => {
    const box = el('div', {className: 'plot'}, el('h3', {textContent: title}));
    holder.append(box);
    return addPlot(g, box, {
      height: innerWidth < 640 ? 150 : 190, bare: true,
      series: series.map((c, k) => ({stroke: () => paint(c), width: 1, dash: pattern(data.order[k]), mark: data.order[k], points: {show: false}})),
      data: [data.frames, ...series.map(values)], draw: u => dots(u, series, values),
      ...o, y: axis({size, space: 30, ...o.y}),
    });
  };
  add('SSIM', c => c.ssim, {scales: {y: {range: rangeSSIM()}}, y: {values: (u, s) => s.map(v => v.toFixed(2))}});
  add('MSE, logarithmic, from ' + floor, c => c.logmse || (c.logmse = c.mse.map(v => v == null ? null : Math.max(v, floor))), {
    scales: {y: {distr: 3, range: rangeMSE()}},
    y: {splits: (u, i, lo, hi) => decades(lo, hi), filter: (u, s) => s, values: (u, s) => s.map(v => v <= floor ? '≤ ' + floor : String(v))},
  });
  add('PSNR, dB (at most 100)', c => c.psnr, {scales: {y: {range: rangePSNR()}}, y: {}});
  addStrip(g, holder, size);
  g.hover = x => showValues(x == null ? frameNow() : nearest(data.frames, x));
  startLegend(g);
  startZoom(g, holder);
  on('frame', () => { follow(g); showValues(frameNow()); });
  showValues(frameNow());
}

// axisSize makes room for the longest name beside the strip of verdicts.
function axisSize() {
  const c = document.createElement('canvas').getContext('2d');
  c.font = font;
  return Math.ceil(Math.max(50, ...data.curves.map(v => c.measureText(v.name).width + 16)));
}

const extent = key => {
  let lo = Infinity, hi = -Infinity;
  for (const c of data.curves) for (const v of c[key]) if (v != null) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
  return [lo, hi];
};
const rangeSSIM = () => { const [lo] = extent('ssim'); return [Math.min(.98, Math.floor(lo * 10 - .2) / 10), 1]; };
const rangePSNR = () => { const [lo, hi] = extent('psnr'); return [Math.max(0, Math.floor(lo / 10) * 10), Math.min(101, Math.ceil((hi + 1) / 10) * 10)]; };
const rangeMSE = () => {
  const [lo, hi] = extent('mse').map(v => Math.log10(Math.max(v, floor)));
  return [10 ** Math.floor(lo), 10 ** Math.max(Math.ceil(hi), Math.floor(lo) + 2)];
};
function decades(lo, hi) {
  const out = [];
  for (let e = Math.round(Math.log10(lo)); 10 ** e <= hi * 1.001; e++) out.push(Number((10 ** e).toPrecision(1)));
  return out;
}

// dots marks the chosen frame with the dashed line and a dot on each curve.
function dots(u, series, values) {
  marker(u, state.frame);
  const i = frameNow();
  besides(u, c => series.forEach((s, k) => {
    const v = values(s)[i];
    if (v == null || !u.series[k + 1].show) return;
    c.fillStyle = paint(s);
    c.beginPath();
    c.arc(u.valToPos(data.frames[i], 'x', true), u.valToPos(v, 'y', true), 3.5 * devicePixelRatio, 0, 7);
    c.fill();
  }));
}

// addStrip draws one row of verdicts for each curve.
function addStrip(g, holder, size) {
  const n = data.curves.length, runs = data.curves.map(c => verdictRuns(c.verdicts));
  const box = el('div', {className: 'plot'}, el('h3', {textContent: 'Verdict'}));
  holder.append(box);
  addPlot(g, box, {
    height: 20 * n + 52, series: [{show: false}], data: [data.frames, data.frames.map(() => null)],
    x: {label: 'Frame', labelSize: 16, size: 30}, scales: {y: {range: [0, n]}},
    y: axis({size, splits: () => data.curves.map((c, i) => n - i - .5), values: () => data.curves.map(c => c.name), filter: (u, s) => s, grid: {show: false}, ticks: {show: false}}),
    draw: u => {
      clipped(u, c => runs.forEach((list, i) => list.forEach(r => verdictBar(u, c, r, n - i - .5))));
      marker(u, state.frame);
    },
  });
}

// verdictRuns joins equal verdicts of neighbours; the worst come last, so that
// a single bad frame is not painted over.
function verdictRuns(verdicts) {
  const runs = [];
  verdicts.forEach((v, i) => {
    const r = runs[runs.length - 1];
    if (r && r.v === v && r.to === data.frames[i] - 1) r.to = data.frames[i];
    else runs.push({v, from: data.frames[i], to: data.frames[i]});
  });
  return runs.filter(r => r.v >= 0).sort((a, b) => a.v - b.v);
}

function verdictBar(u, c, r, mid) {
  const x0 = u.valToPos(r.from - .5, 'x', true), x1 = u.valToPos(r.to + .5, 'x', true);
  const half = (r.v === 0 ? 2.5 : 7) * devicePixelRatio, y = u.valToPos(mid, 'y', true);
  const ink = data.verdicts[r.v].color;
  c.fillStyle = ink === '#222222' && state.scheme === 'dark' ? '#f4f4f4' : ink;
  c.fillRect(x0, y - half, Math.max(x1 - x0, devicePixelRatio), 2 * half);
}

// showValues writes the values of the i-th frame above the charts.
function showValues(i) {
  const line = [el('span', {}, el('b', {textContent: 'Frame ' + data.frames[i]}), el('span', {className: 'dim', textContent: ` at ${fixed(data.seconds[i], 2)} s`}))];
  for (const c of data.curves) {
    if (state.hidden.has(c.name)) continue;
    const v = data.verdicts[c.verdicts[i]];
    line.push(el('span', {}, chip(paint(c)), el('b', {textContent: c.name + ' '}),
      `SSIM ${fixed(c.ssim[i], 4)}, ${fixed(c.psnr[i], 2)} dB, MSE ${fixed(c.mse[i], 2)}, ${v ? v.name : 'no frame'}`));
  }
  $('hover').replaceChildren(...line);
}

// follow keeps the chosen frame inside the zoomed range.
function follow(g) {
  const {min, max} = g.plots[0].scales.x, width = max - min;
  if (state.frame < min || state.frame > max) setRange(g, state.frame - width / 2, state.frame + width / 2);
}

// startLegend makes a button for each curve that shows or hides it everywhere.
function startLegend(g) {
  data.curves.forEach((c, i) => {
    const b = el('button', {type: 'button', className: 'curve'}, sample(c, i), c.name);
    b.setAttribute('aria-pressed', 'true');
    b.addEventListener('click', () => {
      const show = state.hidden.delete(c.name);
      if (!show) state.hidden.add(c.name);
      b.setAttribute('aria-pressed', String(show));
      g.plots.slice(0, 3).forEach(u => u.setSeries(data.order.indexOf(i) + 1, {show}));
      showValues(frameNow());
    });
    $('legend').append(b);
  });
  for (const text of data.equal) $('legend').append(el('span', {className: 'dim', textContent: text}));
  $('patterns').addEventListener('change', e => {
    state.patterns = e.target.checked;
    emit('patterns');
    redrawAll();
  });
}

// startZoom binds the buttons and the keys.
function startZoom(g, holder) {
  const whole = () => setRange(g, g.lo, g.hi);
  $('zoomin').addEventListener('click', () => zoom(g, .5, state.frame));
  $('zoomout').addEventListener('click', () => zoom(g, 2, state.frame));
  $('reset').addEventListener('click', whole);
  const step = by => setFrame(data.frames[Math.min(data.frames.length - 1, Math.max(0, frameNow() + by))]);
  holder.addEventListener('keydown', e => {
    const keys = {
      ArrowLeft: () => step(e.shiftKey ? -10 : -1), ArrowRight: () => step(e.shiftKey ? 10 : 1),
      Home: () => step(-data.frames.length), End: () => step(data.frames.length),
      '+': () => zoom(g, .5, state.frame), '=': () => zoom(g, .5, state.frame), '-': () => zoom(g, 2, state.frame), 0: whole, Escape: whole,
    };
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
}
