// The frame viewer: two pictures under a divider, the maps, and their values.
function startViewer() {
  if (!$('viewer') || !data.views.length) return;
  const names = ['Reference', ...new Set(data.views.flatMap(v => v.shots.map(s => s.name)))];
  const left = $('left'), right = $('right');
  for (const s of [left, right]) {
    s.append(...names.map(n => el('option', {textContent: n, value: n})));
    s.addEventListener('change', showView);
  }
  // The most telling pair first: the worst transport against the best one.
  const by = n => { const c = data.curves.find(c => c.name === n); return c ? c.psnr[frameNow()] ?? 0 : 0; };
  const ranked = names.slice(1).sort((a, b) => by(b) - by(a));
  left.value = ranked.length > 1 ? ranked[0] : names[0];
  right.value = ranked[ranked.length - 1] ?? names[0];
  document.querySelectorAll('input[name=mode]').forEach(r => r.addEventListener('change', showView));
  $('slider').addEventListener('input', moveDivider);
  $('slider').addEventListener('keydown', coarseSteps);
  const box = $('goto');
  if (data.frames.length) Object.assign(box, {min: data.frames[0], max: data.frames[data.frames.length - 1]});
  box.addEventListener('change', () => { if (box.value !== '') setFrame(Number(box.value)); });
  startJumps();
  on('frame', showView);
  on('scheme', showValuesTable);
  moveDivider();
  showView();
}

function moveDivider() {
  $('compare').style.setProperty('--x', $('slider').value + '%');
}

// An arrow key moves the divider by 2 % instead of the slider's fine step.
function coarseSteps(e) {
  const by = {ArrowLeft: -2, ArrowDown: -2, ArrowRight: 2, ArrowUp: 2, PageDown: -10, PageUp: 10}[e.key];
  if (!by) return;
  e.preventDefault();
  $('slider').value = Number($('slider').value) + by;
  moveDivider();
}

// startJumps makes a button for each embedded frame: the first one asked for,
// then the others from the worst on.
function startJumps() {
  const worst = v => {
    const i = data.frames.indexOf(v.frame);
    let out = {psnr: Infinity, name: ''};
    for (const c of data.curves) if (i >= 0 && c.psnr[i] != null && c.psnr[i] < out.psnr) out = {psnr: c.psnr[i], name: c.name};
    return out;
  };
  const list = data.views.map(v => ({v, w: worst(v)}));
  list.sort((a, b) => (b.v.frame === data.frame) - (a.v.frame === data.frame) || a.w.psnr - b.w.psnr);
  for (const {v, w} of list) {
    const b = el('button', {type: 'button', value: v.frame}, `Frame ${v.frame} `,
      el('small', {textContent: w.name && w.psnr < 100 ? `${w.name} ${w.psnr.toFixed(1)} dB` : ''}));
    b.addEventListener('click', () => setFrame(v.frame));
    $('jumps').append(b);
  }
}

// viewNow is the embedded frame nearest to the chosen one.
const viewNow = () => data.views[nearest(data.views.map(v => v.frame), state.frame)];

function showView() {
  const v = viewNow(), mode = document.querySelector('input[name=mode]:checked').value;
  $('shown').textContent = v.frame;
  $('goto').value = state.frame;
  const other = v.frame !== state.frame;
  $('nearest').hidden = !other;
  if (other) $('nearest').textContent = `Frame ${state.frame} is not embedded in this page; the nearest one that is, frame ${v.frame}, is shown.`;
  for (const b of $('jumps').children) b.setAttribute('aria-pressed', String(Number(b.value) === v.frame));
  $('compare').style.aspectRatio = `${v.width} / ${v.height}`;
  for (const e of [$('compare'), $('compare').previousElementSibling]) e.style.setProperty('--ratio', v.width / v.height);
  const l = picture(v, $('left').value, mode), r = picture(v, $('right').value, mode);
  setImage('leftimage', 'leftname', l, v, '◂ ', '');
  setImage('rightimage', 'rightname', r, v, '', ' ▸');
  $('slider').setAttribute('aria-label', `Divider between ${l.title} on the left and ${r.title} on the right`);
  showScale(mode, v);
  showValuesTable();
}

// picture finds what to show of a transport. The reference has no maps: its
// picture stands in for them.
function picture(v, name, mode) {
  const s = v.shots.find(s => s.name === name);
  if (name === 'Reference' || !s) return {index: name === 'Reference' ? v.image : -1, title: s || name === 'Reference' ? name : name + ': no picture'};
  const title = {picture: name, difference: name + ': difference', ssim: name + ': SSIM map'}[mode];
  return {index: s[mode], title};
}

function setImage(id, tag, p, v, before, after) {
  const img = $(id);
  img.alt = `${p.title}, frame ${v.frame}`;
  if (p.index < 0) img.removeAttribute('src');
  else img.src = data.images[p.index];
  $(tag).textContent = before + p.title + after;
}

// showScale explains the colours of a map.
function showScale(mode, v) {
  const box = $('scale'), colors = data.scales[mode];
  box.hidden = !colors;
  if (!colors) return;
  const [from, bar, to] = box.children;
  from.textContent = mode === 'ssim' ? 'local SSIM ≤ 0' : `|difference of luma| ×${v.gain}: 0`;
  to.textContent = mode === 'ssim' ? '1' : '≥ ' + Math.floor(255 / v.gain);
  bar.style.background = `linear-gradient(to right,${colors.join(',')})`;
}

// showValuesTable lists the values of the frame whose pictures are shown.
function showValuesTable() {
  const v = viewNow(), i = data.frames.indexOf(v.frame);
  if (i < 0) return;
  const head = el('tr', {}, ...['transport', 'SSIM', 'PSNR, dB', 'MSE', 'verdict', 'cause'].map((t, k) => el('th', {scope: 'col', textContent: t, className: k > 3 ? 'left' : ''})));
  const rows = data.curves.map(c => {
    const verdict = data.verdicts[c.verdicts[i]];
    return el('tr', {}, el('th', {scope: 'row'}, chip(paint(c)), c.name),
      ...[fixed(c.ssim[i], 4), fixed(c.psnr[i], 2), fixed(c.mse[i], 2)].map(t => el('td', {textContent: t})),
      verdict ? el('td', {className: 'left'}, chip(verdict.color), verdict.name) : el('td', {className: 'left', textContent: '–'}), el('td', {className: 'left', textContent: cause(c, v.frame)}));
  });
  $('values').replaceChildren(el('thead', {}, head), el('tbody', {}, ...rows));
}

function cause(c, frame) {
  const found = c.causes.find(k => k[0] === frame);
  if (!found) return '';
  const [, lost, where, healed] = found, parts = [];
  if (lost > 0) parts.push(`${lost} packet${lost > 1 ? 's' : ''} lost` + (where ? `: ${where}` : ''));
  else if (where) parts.push(where);
  if (healed >= 0) parts.push(`healed by frame ${healed}`);
  return parts.join(', ');
}
