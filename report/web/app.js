// What the page knows, and the small tools that all parts share.
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);

// state.frame is a frame number; the others are what the reader has chosen.
const state = {frame: data.frame, scheme: 'light', patterns: false, hidden: new Set()};
const listeners = {frame: [], scheme: [], look: []};
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

// Patterns tell curves apart without their colours.
const patterns = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 5], [4, 2, 1, 2]];
const pattern = i => state.patterns ? patterns[i % patterns.length] : [];

// The scheme follows the system until the button says otherwise.
function startTheme() {
  const system = matchMedia('(prefers-color-scheme:dark)'), button = $('theme'), modes = ['auto', 'light', 'dark'];
  let mode = 0, printing = false;
  const apply = () => {
    const scheme = printing ? 'light' : modes[mode] === 'auto' ? (system.matches ? 'dark' : 'light') : modes[mode];
    document.documentElement.dataset.scheme = state.scheme = scheme;
    button.textContent = 'Theme: ' + modes[mode];
    emit('scheme');
  };
  button.addEventListener('click', () => { mode = (mode + 1) % 3; apply(); });
  system.addEventListener('change', apply);
  addEventListener('beforeprint', () => { printing = true; apply(); resizeAll(660); });
  addEventListener('afterprint', () => { printing = false; apply(); resizeAll(); });
  apply();
}
