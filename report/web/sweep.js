// Quantities over what the experiment varied; intervals are bands.
function startSweeps() {
  const charts = data.sweeps;
  if (!$('sweeps') || !charts.length) return;
  const g = newGroup('sweeps', charts[0].lo, charts[0].hi, .1, null), choice = $('sweepchoice');
  const show = k => {
    g.plots.splice(0).forEach(u => u.destroy());
    Object.assign(g, {lo: charts[k].lo, hi: charts[k].hi});
    drawSweep(g, charts[k]);
    sweepKey(charts[k]);
  };
  charts.forEach((c, k) => choice.append(el('option', {value: k, textContent: c.title})));
  choice.parentNode.hidden = charts.length < 2;
  choice.addEventListener('change', () => show(Number(choice.value)));
  on('scheme', () => sweepKey(charts[Number(choice.value)]));
  show(0);
}

function drawSweep(g, chart) {
  const holder = $('sweepplots'), ticks = chart.ticks, last = chart.panels.length - 1, reads = [];
  holder.replaceChildren();
  chart.panels.forEach((p, i) => {
    const read = el('span', {className: 'dim'}), box = el('div', {className: 'plot'}, el('h3', {textContent: p.label + ' '}, read));
    box.firstChild.append(read);
    holder.append(box);
    reads.push(read);
    addPlot(g, box, {
      height: i === last ? 214 : 190, bare: i !== last, data: uPlot.join(p.curves.map(c => [c.points.map(q => q[0]), c.points.map(q => q[1])])),
      x: {label: chart.axis, labelSize: 16, size: 30, splits: () => ticks.map(t => t.at), values: () => ticks.map(t => t.label), filter: (u, s) => s, space: 1},
      series: p.curves.map(c => ({stroke: () => paint(c), width: 1, spanGaps: true, points: {show: false}})),
      scales: {y: {range: [p.lo, p.hi]}}, y: axis({size: 56, space: 34}), cursor: {points: {show: false}, drag: {x: false, setScale: false}},
      draw: u => p.curves.forEach(c => drawBand(u, c, chart.names.indexOf(c.name))),
    });
  });
  g.hover = x => {
    const t = x == null ? null : ticks[nearest(ticks.map(t => t.at), x)];
    chart.panels.forEach((p, i) => {
      reads[i].textContent = !t ? '' : '· ' + p.curves.map(c => {
        const q = c.points.find(q => Math.abs(q[0] - t.at) < 1e-4);
        return q ? `${c.name} ${Number(q[1].toPrecision(5))}` : '';
      }).filter(Boolean).join(', ');
    });
  };
}

// drawBand fills the interval of a curve and puts a mark on each mean.
function drawBand(u, curve, mark) {
  const at = (q, k) => [u.valToPos(q[0], 'x', true), u.valToPos(q[k], 'y', true)];
  const outline = [...curve.points.map(q => at(q, 3)), ...curve.points.map(q => at(q, 2)).reverse()];
  besides(u, c => {
    c.fillStyle = paint(curve);
    c.globalAlpha = .2;
    c.fill(new Path2D('M' + outline.map(p => p.join(' ')).join('L') + 'Z'));
    c.globalAlpha = 1;
    for (const q of curve.points) c.fill(new Path2D(shape(mark, ...at(q, 1), 4.2 * devicePixelRatio)));
  });
}

function sweepKey(chart) {
  const curves = chart.names.map(name => chart.panels.flatMap(p => p.curves).find(c => c.name === name));
  marksKey($('sweepkey'), curves);
}
