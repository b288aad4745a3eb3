// The keyboard. Every action has a button or a link too. Single letters can be switched
// off: whoever speaks to the computer would set them off by words.

import { h } from './dom.js';

const off = 'docent.letters';

function letters() {
  try { return localStorage.getItem(off) !== 'off'; } catch { return true; }
}

const list = [
  ['/', 'go to the question'],
  ['j  k', 'next and previous entry; in a page, section'],
  ['↓  ↑', 'the same, from an entry on'],
  ['enter', 'open the entry'],
  ['esc', 'leave a field; back'],
  ['y', 'copy the answer with its sources'],
  ['u', 'choose files to hand in'],
  ['[  ]', 'previous and next page'],
  ['1  2  3', 'Ask, Documents, Library'],
  ['t', 'light or dark'],
  ['?', 'these keys'],
];

export function showKeys() {
  if (document.querySelector('dialog[open]')) return;
  const box = h('input', { type: 'checkbox', id: 'letters', checked: letters(), onchange: (e) => {
    try { localStorage.setItem(off, e.target.checked ? 'on' : 'off'); } catch { /* not remembered */ }
  } });
  const close = h('button', { type: 'button', class: 'main', onclick: () => d.close() }, 'Close');
  const d = h('dialog', { 'aria-labelledby': 'keys-title', onclose: () => d.remove() },
    h('h2', { id: 'keys-title' }, 'Keys'),
    h('dl', { class: 'keylist' }, list.map(([keys, what]) => [h('dt', {}, keys.split('  ').flatMap((k) => [h('kbd', {}, k), ' '])), h('dd', {}, what)])),
    h('label', { class: 'check', for: 'letters' }, box, 'Keys of a single letter or sign are on'),
    h('div', { class: 'row' }, close));
  document.body.append(d);
  d.showModal();
  close.focus();
}

const writes = (e) => e.matches?.('input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, select, [contenteditable]');

// entries are what j and k go through: those that are seen.
function entries() {
  return [...document.querySelectorAll('#main [data-item]')].filter((e) => e.offsetParent !== null);
}

// step focuses the next entry, or the previous one. Without one, the first on the screen.
function step(by) {
  const all = entries();
  const at = all.indexOf(document.activeElement.closest('[data-item]') ?? document.activeElement);
  let to = all[at + by];
  if (at < 0) to = all.find((e) => e.getBoundingClientRect().bottom > 60) ?? all[0];
  if (!to) return;
  to.focus({ preventScroll: true });
  const section = to.tagName === 'SECTION';
  to.scrollIntoView({ block: section ? 'start' : 'nearest' });
}

// listen begins to act on keys. app is {back, toggleTheme, view, locked, ask}.
export function listen(app) {
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || document.querySelector('dialog[open]')) return;
    if (e.key === 'Escape') {
      if (writes(e.target)) e.target.blur();
      else app.back();
      return;
    }
    if (writes(e.target)) return;
    const arrow = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (arrow && document.activeElement.matches('[data-item]') && document.activeElement.tagName !== 'SECTION') {
      e.preventDefault();
      step(arrow);
      return;
    }
    if (!letters() || app.locked()) return;
    const does = {
      '/': () => app.ask(), j: () => step(1), k: () => step(-1), t: () => app.toggleTheme(), '?': showKeys,
      1: () => { location.hash = '#/ask'; }, 2: () => { location.hash = '#/documents'; }, 3: () => { location.hash = '#/library'; },
    }[e.key] ?? app.view()?.keys?.[e.key];
    if (!does) return;
    e.preventDefault();
    does();
  });
}
