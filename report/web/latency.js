// Quality under a playout deadline, with a mark of its own shape for each curve.
function startLatency() {
  const charts = (data.latency || []).filter(c => c.curves.length);
  if (!$('latency') || !charts.length) return;
  const g = newGroup('latency', charts[0].lo, charts[0].hi, .1, null), buttons = [];
  const show = k => {
    g.plots.splice(0).forEach(u => u.destroy());
    Object.assign(g, {lo: charts[k].lo, hi: charts[k].hi});
    drawLatency(g, charts[k]);
    buttons.forEach((b, i) => b.setAttribute('aria-checked', String(i === k)));
  };
  charts.forEach((c, k) => {
    const b = el('button', {type: 'button', textContent: c.metric.toUpperCase()});
    b.setAttribute('role', 'radio');
    b.addEventListener('click', () => show(k));
    buttons.push(b);
  });
  if (charts.length > 1) $('metrics').append(...buttons);
  on('scheme', () => latencyKey(charts[0]));
  latencyKey(charts[0]);
  show(0);
}

function drawLatency(g, chart) {
  const holder = $('deadlines');
  const points = chart.curves.map(c => [c.points.map(p => p[0]), c.points.map(p => p[1])]);
  const all = chart.curves.flatMap(c => c.points.flatMap(p => p.slice(1))), log = chart.metric === 'mse';
  let lo = Math.min(...all), hi = Math.max(...all);
  const pad = Math.max((hi - lo) * .06, 1e-4);
  const range = log ? [10 ** Math.floor(Math.log10(Math.max(lo, floor))), 10 ** Math.ceil(Math.log10(Math.max(hi, 10 * floor)))] : [lo - pad, hi + pad];
  holder.replaceChildren(el('div', {className: 'plot'}, el('h3', {textContent: chart.label})));
  const read = el('span', {className: 'dim'});
  holder.firstChild.firstChild.append(' ', read);
  const ticks = chart.ticks;
  addPlot(g, holder.firstChild, {
    height: 300, data: uPlot.join(points.map(([x, y]) => [x, log ? y.map(v => Math.max(v, floor)) : y])),
    x: {label: 'Playout deadline, ms (logarithmic)', labelSize: 16, size: 30, splits: () => ticks.map(t => t.at), values: () => ticks.map(t => t.label), filter: (u, s) => s, space: 1},
    series: chart.curves.map(c => ({stroke: () => paint(c), width: 1, spanGaps: true, points: {show: false}})),
    scales: {y: log ? {distr: 3, range} : {range}}, y: axis({size: 56, space: 34}), cursor: {points: {show: false}, drag: {x: false, setScale: false}},
    draw: u => chart.curves.forEach((c, i) => drawPoints(u, c, i, chart)),
  });
  g.hover = x => {
    const t = x == null ? null : ticks[nearest(ticks.map(t => t.at), x)];
    read.textContent = !t ? '' : `· deadline ${t.label || '?'}: ` + chart.curves.map(c => {
      const p = c.points.find(p => Math.abs(p[0] - t.at) < 1e-5);
      return p ? `${c.name} ${Number(p[1].toPrecision(5))}` : '';
    }).filter(Boolean).join(', ');
  };
}

// drawPoints draws intervals and marks, a little apart where curves meet.
function drawPoints(u, curve, i, chart) {
  const c = u.ctx, d = devicePixelRatio, aside = (i - (chart.curves.length - 1) / 2) * 3 * d;
  c.save();
  c.strokeStyle = c.fillStyle = paint(curve);
  c.lineWidth = 1.5 * d;
  const y = v => u.valToPos(chart.metric === 'mse' ? Math.max(v, floor) : v, 'y', true);
  for (const [at, mean, lo, hi] of curve.points) {
    const x = u.valToPos(at, 'x', true) + aside;
    if (Math.abs(y(lo) - y(hi)) > d) {
      c.beginPath();
      for (const v of [lo, hi]) { c.moveTo(x - 3 * d, y(v)); c.lineTo(x + 3 * d, y(v)); }
      c.moveTo(x, y(lo));
      c.lineTo(x, y(hi));
      c.stroke();
    }
    c.fill(new Path2D(shape(i, x, y(mean), 4.2 * d)));
  }
  c.restore();
}

// shape is the i-th mark as an SVG path: disc, square, triangle, diamond, cross.
function shape(i, x, y, r) {
  const at = pts => 'M' + pts.map(([a, b]) => `${x + a * r} ${y + b * r}`).join('L') + 'Z';
  switch (i % 5) {
    case 1: return at([[-.85, -.85], [.85, -.85], [.85, .85], [-.85, .85]]);
    case 2: return at([[0, -1.1], [1.05, .85], [-1.05, .85]]);
    case 3: return at([[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]]);
    case 4: return at([[-.35, -1], [.35, -1], [.35, -.35], [1, -.35], [1, .35], [.35, .35], [.35, 1], [-.35, 1], [-.35, .35], [-1, .35], [-1, -.35], [-.35, -.35]]);
  }
  return `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;
}

const latencyKey = chart => marksKey($('latencykey'), chart.curves);

// marksKey explains the marks of curves.
function marksKey(holder, curves) {
  const svg = 'http://www.w3.org/2000/svg';
  holder.replaceChildren(...curves.map((c, i) => {
    const s = document.createElementNS(svg, 'svg'), p = document.createElementNS(svg, 'path');
    for (const [k, v] of [['width', 14], ['height', 14], ['aria-hidden', 'true']]) s.setAttribute(k, v);
    p.setAttribute('d', shape(i, 7, 7, 5));
    p.setAttribute('fill', paint(c));
    s.append(p);
    return el('span', {}, s, c.name);
  }));
}
