// What the page knows, and the small tools that all parts share.
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);

// state.frame is a frame number; the others are what the reader has chosen.
const state = {frame: data.frame, scheme: 'light', patterns: false, printing: false, hidden: new Set()};
const listeners = {frame: [], scheme: [], patterns: []};
const on = (what, f) => listeners[what].push(f);
const emit = what => listeners[what].forEach(f => f());

// el makes an element; props are set as properties, text becomes a text node.
function el(tag, props, ...children) {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
}

// chip is a small square in a colour. (A style attribute would be refused by
// the page's policy, a property is not.)
function chip(color) {
  const e = el('span', {className: 'chip'});
  e.style.background = color;
  return e;
}

// sample is a chip for a line: when patterns are on it is a piece of the line
// with the i-th pattern. It follows the scheme and the patterns.
function sample(c, i) {
  const e = el('span', {className: 'chip'}), show = () => {
    const dash = pattern(i), color = paint(c);
    e.classList.toggle('line', patterned());
    e.style.background = dash.length ? `repeating-linear-gradient(to right,${stripes(dash, color)})` : color;
  };
  on('scheme', show);
  on('patterns', show);
  show();
  return e;
}

// stripes lists the colour stops of one period of a pattern.
function stripes(dash, color) {
  let at = 0;
  return dash.map((n, k) => { const c = k % 2 ? 'transparent' : color; return `${c} ${at}px ${at += n}px`; }).join(',');
}

// nearest returns the index of the value in an ascending list that is closest to v.
function nearest(list, v) {
  let lo = 0, hi = list.length - 1;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid] < v) lo = mid + 1; else hi = mid;
  }
  return lo > 0 && v - list[lo - 1] <= list[lo] - v ? lo - 1 : lo;
}

// frameNow is the index of the chosen frame in data.frames.
const frameNow = () => nearest(data.frames, state.frame);

function setFrame(f) {
  if (!Number.isFinite(f)) return;
  state.frame = data.frames.length ? data.frames[nearest(data.frames, f)] : f;
  emit('frame');
}

const fixed = (v, n) => v == null ? '–' : v.toFixed(n);
const paint = c => state.scheme === 'dark' ? c.dark : c.color;
const ink = () => state.scheme === 'dark' ? '#aeb6c0' : '#4a525c';
const rule = () => state.scheme === 'dark' ? '#2b3037' : '#e6e8ec';

// Patterns tell curves apart without their colours: when the reader asks for
// them, and on paper.
const patterns = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 5], [4, 2, 1, 2]];
const patterned = () => state.patterns || state.printing;
const pattern = i => patterned() ? patterns[i % patterns.length] : [];

// The scheme follows the system until the button says otherwise.
function startTheme() {
  const system = matchMedia('(prefers-color-scheme:dark)'), button = $('theme'), modes = ['auto', 'light', 'dark'];
  let mode = 0;
  const apply = () => {
    const scheme = state.printing ? 'light' : modes[mode] === 'auto' ? (system.matches ? 'dark' : 'light') : modes[mode];
    document.documentElement.dataset.scheme = state.scheme = scheme;
    button.textContent = 'Theme: ' + modes[mode];
    emit('scheme');
  };
  const paper = now => { state.printing = now; emit('patterns'); apply(); };
  button.addEventListener('click', () => { mode = (mode + 1) % 3; apply(); });
  system.addEventListener('change', apply);
  addEventListener('beforeprint', () => { paper(true); resizeAll(660); });
  addEventListener('afterprint', () => { paper(false); resizeAll(); });
  apply();
}
