// Doc sets, and the pages of one.

import { get, place } from './api.js';
import { fill, h, plural, size } from './dom.js';

const fresh = { fresh: ['up to date', 'good'], stale: ['files changed', 'warn'], missing: ['its folder is not there', 'bad'] };
const atOnce = 200;

export function libraryView(set) {
  const body = h('div', { 'aria-busy': 'true' }, h('p', { class: 'empty' }, 'One moment …'));
  const title = h('h1', { tabindex: '-1' }, set ? nameOf(set) : 'Library');
  const count = h('span', { class: 'fine' });
  const element = h('div', { class: 'library' },
    set && h('nav', { 'aria-label': 'Where this is', class: 'crumbs' }, h('a', { href: '#/library' }, 'Library'), ' › ', h('span', { 'aria-current': 'page' }, set)),
    h('div', { class: 'head' }, title, count), body);
  (set ? pages() : sets()).catch((err) => fill(body, h('p', { class: 'notice bad', role: 'alert' }, err.message))).finally(() => body.removeAttribute('aria-busy'));

  async function sets() {
    const a = await get('/api/docsets');
    count.textContent = plural(a.sets.length, 'doc set');
    if (!a.sets.length) { fill(body, h('p', { class: 'empty' }, 'There is no doc set yet. ', h('code', {}, 'docent add FOLDER'), ' adds one.')); return; }
    fill(body, h('ul', { class: 'sets' }, a.sets.map((s) => {
      const [word, tone] = fresh[s.freshness] ?? [s.freshness, ''];
      return h('li', { class: 'panel' }, h('h2', {}, h('a', { href: `#/library/${encodeURIComponent(s.set)}`, 'data-item': true }, s.name), ' ', h('span', { class: 'soft' }, s.version)),
        h('p', { class: 'fine' }, [plural(s.pages, 'page'), plural(s.sections, 'section'), size(s.bytes)].join(' · ')),
        h('p', { class: 'row' }, h('span', { class: `chip ${tone}` }, word), s.failed?.length > 0 && h('span', { class: 'chip warn' }, `${plural(s.failed.length, 'file')} could not be read`)));
    })));
  }

  async function pages() {
    const a = await get(`/api/docsets/${encodeURIComponent(set)}/pages`);
    let found = a.pages;
    let shown = atOnce;
    const list = h('ul', { class: 'pages' });
    const more = h('button', { type: 'button', onclick: () => { const from = shown; shown += atOnce; draw(); list.querySelectorAll('[data-item]')[from]?.focus(); } });
    const input = h('input', { type: 'search', id: 'narrow', placeholder: 'Part of a title or path', autocomplete: 'off', oninput: () => {
      const want = input.value.trim().toLowerCase().split(/\s+/);
      found = a.pages.filter((p) => want.every((w) => `${p.page_title}\n${p.file_path}`.toLowerCase().includes(w)));
      shown = atOnce;
      draw();
    } });
    function draw() {
      count.textContent = found.length === a.pages.length ? plural(a.total, 'page') : `${found.length} of ${plural(a.total, 'page')}`;
      fill(list, ...found.slice(0, shown).map((p) => h('li', {}, h('a', { href: place(a.doc_set, p.file_path), 'data-item': true }, h('span', {}, p.page_title), h('span', { class: 'fine' }, p.file_path)))));
      if (!found.length) list.append(h('li', { class: 'empty' }, 'No page is called like this.'));
      more.hidden = found.length <= shown;
      more.textContent = `Show more (${found.length - shown} left)`;
    }
    draw();
    fill(body, h('div', { class: 'row narrow' }, h('label', { for: 'narrow' }, 'Find a page'), input), list, more);
  }

  return {
    title: set ? nameOf(set) : 'Library', section: 'library', element,
    focus: () => { title.focus({ preventScroll: true }); return true; },
    back: () => { if (set) { location.hash = '#/library'; return true; } return false; },
  };
}

export const nameOf = (set) => set.replace(/@/, ' ');
