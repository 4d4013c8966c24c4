// Charts with a common horizontal axis: one zoom, one cursor.
const groups = [];

// newGroup makes an empty group over [lo, hi]. step is the least range to zoom
// to; pick is called with the value that the reader clicked.
function newGroup(key, lo, hi, step, pick) {
  const g = {key, lo, hi, step, pick, plots: [], hover: null, busy: false};
  groups.push(g);
  return g;
}

const font = '12px system-ui,"Segoe UI",Arial,sans-serif';

// axis is one axis in the page's look.
function axis(o) {
  return Object.assign({stroke: ink, font, labelFont: font, grid: {stroke: rule, width: 1}, ticks: {stroke: rule, width: 1, size: 5}, gap: 4}, o);
}

// addPlot draws one chart into holder and ties it to the group.
//   o: height, axes, scales, series, data, draw(u), bare (no horizontal labels)
function addPlot(g, holder, o) {
  const x = axis(o.bare ? {size: 10, values: (u, s) => s.map(() => '')} : {size: 34, space: 60, ...o.x});
  const u = new uPlot({
    width: Math.max(200, holder.clientWidth), height: o.height, legend: {show: false}, padding: [8, 14, 0, 0],
    cursor: {sync: {key: g.key}, y: false, drag: {x: true, y: false, dist: 5}, points: {size: 7, width: 1}, bind: {dblclick: () => () => setRange(g, g.lo, g.hi)}, ...o.cursor},
    scales: {x: {time: false, auto: false, min: g.lo, max: g.hi}, ...o.scales},
    axes: [x, o.y], series: [{}, ...o.series],
    hooks: {
      draw: [o.draw || (() => {})],
      setScale: [(u, k) => { if (k === 'x') share(g, u); }],
      setCursor: [u => { if (u === g.plots[0] && g.hover) g.hover(u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') : null); }],
    },
  }, o.data, holder);
  u.holder = holder;
  g.plots.push(u);
  bindClicks(g, u);
  bindTouch(g, u);
  return u;
}

// share hands the range of one chart to the others of its group.
function share(g, from) {
  if (g.busy) return;
  g.busy = true;
  const {min, max} = from.scales.x;
  for (const u of g.plots) if (u !== from) u.setScale('x', {min, max});
  g.busy = false;
}

// setRange zooms to [lo, hi], kept inside the whole.
function setRange(g, lo, hi) {
  const width = Math.min(g.hi - g.lo, Math.max(g.step, hi - lo));
  lo = Math.min(Math.max(g.lo, lo), g.hi - width);
  if (g.plots.length) g.plots[0].setScale('x', {min: lo, max: lo + width});
}

// zoom scales the range around at (or its middle).
function zoom(g, factor, at) {
  const {min, max} = g.plots[0].scales.x;
  if (at == null || at < min || at > max) at = (min + max) / 2;
  setRange(g, at - (at - min) * factor, at + (max - at) * factor);
}

// A click picks a value, unless it was the end of a drag or half a double click.
function bindClicks(g, u) {
  let down = 0, timer = 0;
  u.over.addEventListener('mousedown', e => { down = e.clientX; });
  u.over.addEventListener('click', e => {
    if (!g.pick || Math.abs(e.clientX - down) > 4) return;
    clearTimeout(timer);
    const x = u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x');
    if (e.detail < 2) timer = setTimeout(() => g.pick(x), 230);
  });
}

// A finger that moves sideways moves the cursor; up and down scrolls the page.
function bindTouch(g, u) {
  const move = e => {
    if (e.pointerType !== 'touch') return;
    hoverAt(g, u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x'));
  };
  u.over.addEventListener('pointerdown', move);
  u.over.addEventListener('pointermove', move);
}

function hoverAt(g, x) {
  for (const u of g.plots) u.setCursor({left: u.valToPos(x, 'x'), top: 10});
}

// marker draws the dashed line at the value x of a chart.
function marker(u, x) {
  const at = Math.round(u.valToPos(x, 'x', true)) + .5, b = u.bbox;
  if (!(at >= b.left && at <= b.left + b.width)) return;
  const c = u.ctx;
  c.save();
  c.strokeStyle = ink();
  c.lineWidth = devicePixelRatio;
  c.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  c.beginPath();
  c.moveTo(at, b.top);
  c.lineTo(at, b.top + b.height);
  c.stroke();
  c.restore();
}

// clipped runs f with the canvas limited to the chart's data area, and besides
// only to its columns, so that a mark on the edge stays whole.
const clipped = (u, f) => limited(u, f, u.bbox.top, u.bbox.height);
const besides = (u, f) => limited(u, f, 0, u.ctx.canvas.height);

function limited(u, f, top, height) {
  const c = u.ctx, b = u.bbox;
  c.save();
  c.beginPath();
  c.rect(b.left, top, b.width, height);
  c.clip();
  f(c);
  c.restore();
}

// dress gives the lines that have a mark their patterns; redrawAll shows them.
const dress = () => groups.forEach(g => g.plots.forEach(u => u.series.forEach(s => { if (s.mark != null) s.dash = pattern(s.mark); })));

const redrawAll = () => groups.forEach(g => g.plots.forEach(u => u.redraw(false, true)));

function resizeAll(width) {
  for (const g of groups) {
    for (const u of g.plots) {
      const w = Math.max(200, width || u.holder.clientWidth);
      if (w !== u.width) u.setSize({width: w, height: u.height});
    }
  }
}

function startResizing() {
  let pending = 0;
  new ResizeObserver(() => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => resizeAll());
  }).observe(document.querySelector('main'));
}
