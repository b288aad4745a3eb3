// A page of a doc set to read, at the section that a link names.

import { get, pagePath, place } from './api.js';
import { copyableCode, fill, h, plural, sanitised } from './dom.js';
import { nameOf } from './library.js';
import { referencesOf } from './references.js';

// The most headings that are listed beside a page.
const mostHeads = 300;

export function readerView(set, path, query) {
  const at = query.get('at') ?? '';
  const line = Number(query.get('line')) || 0;
  const to = Number(query.get('to')) || 0;
  const title = h('h1', { tabindex: '-1' }, '…');
  const body = h('div', { 'aria-busy': 'true' }, h('p', { class: 'empty' }, 'One moment …'));
  const element = h('div', { class: 'reader' },
    h('nav', { 'aria-label': 'Where this is', class: 'crumbs' }, h('a', { href: '#/library' }, 'Library'), ' › ', h('a', { href: `#/library/${encodeURIComponent(set)}` }, nameOf(set)), ' › ', h('span', { 'aria-current': 'page' }, path)),
    title, body);
  let page = null;
  const view = {
    title: path, section: 'library', element,
    keys: { '[': () => turn('before'), ']': () => turn('after') },
    focus: () => { title.focus({ preventScroll: true }); return true; },
    back: () => { if (history.length > 1) history.back(); else location.hash = `#/library/${encodeURIComponent(set)}`; return true; },
  };
  load().catch((err) => { title.textContent = path; fill(body, h('p', { class: 'notice bad', role: 'alert' }, err.message)); }).finally(() => body.removeAttribute('aria-busy'));

  function turn(which) { if (page?.[which]) location.hash = place(set, page[which].file_path); }

  async function load() {
    const q = new URLSearchParams(Object.entries({ at, line: line || '', part: query.get('part') ?? '' }).filter(([, v]) => v));
    page = await get(`/api/docsets/${encodeURIComponent(set)}/html/${pagePath(path)}?${q}`);
    title.textContent = page.page_title;
    document.title = `${page.page_title} · docent`;
    view.title = page.page_title;
    const text = h('article', { class: 'prose panel' });
    text.append(sanitised(page.html));
    tidy(text);
    copyableCode(text);
    const turning = (which, arrow) => (page[which] ? h('a', { class: 'turn', href: place(set, page[which].file_path) }, h('span', { class: 'fine' }, arrow), page[which].page_title) : h('span'));
    fill(body,
      h('p', { class: 'fine' }, plural(page.lines, 'line'), page.url && [' · ', h('a', { href: page.url, target: '_blank', rel: 'noopener noreferrer nofollow' }, 'on the web')], page.parts > 1 && ` · part ${page.part} of ${page.parts}`),
      page.changed && h('p', { class: 'notice warn' }, 'This page changed since it was indexed: this is how its file stands now.'),
      h('div', { class: 'reading' }, contents(text), h('div', {}, text, parts(), referencesOf(set, path), h('nav', { class: 'turns', 'aria-label': 'Pages beside this one' }, turning('before', '← Previous'), turning('after', 'Next →')))));
    find(text);
  }

  // tidy leaves out the heading that is the title, lets wide tables and code be scrolled
  // by keys, and makes sections entries for j and k.
  function tidy(text) {
    const first = text.querySelector('section > h1');
    if (first && first.textContent.trim() === page.page_title.trim() && !first.previousElementSibling) first.remove();
    for (const wide of text.querySelectorAll('pre, table')) {
      if (wide.tagName === 'TABLE') {
        const around = h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Table' });
        wide.replaceWith(around);
        around.append(wide);
      } else wide.tabIndex = 0;
    }
    for (const s of text.querySelectorAll('section[id]')) {
      s.tabIndex = -1;
      s.setAttribute('data-item', '');
    }
  }

  function contents(text) {
    const heads = page.toc.filter((t, i) => t.level <= 3 && t.text && (i > 0 || t.text !== page.page_title));
    if (heads.length < 2) return null;
    return h('details', { class: 'toc', open: matchMedia('(min-width: 64rem)').matches },
      h('summary', {}, 'On this page'),
      h('ul', {}, heads.slice(0, mostHeads).map((t) => h('li', { 'data-level': String(t.level) }, h('a', { href: place(set, path, { at: t.anchor }), onclick: (e) => {
        if (t.part !== page.part) return; // another part is loaded
        e.preventDefault();
        const s = document.getElementById(`s-${t.anchor}`);
        s?.scrollIntoView({ block: 'start' });
        s?.focus({ preventScroll: true });
        history.replaceState(null, '', place(set, path, { at: t.anchor }));
      } }, t.text))), heads.length > mostHeads && h('li', { class: 'fine' }, `and ${plural(heads.length - mostHeads, 'heading')} more`)));
  }

  function parts() {
    if (page.parts < 2) return null;
    const link = (part, words) => (part >= 1 && part <= page.parts ? h('a', { class: 'button small', href: place(set, path, { part }) }, words) : null);
    return h('nav', { class: 'row paging', 'aria-label': 'Parts of this page' }, link(page.part - 1, '← Part before'), link(page.part + 1, 'Part behind →'));
  }

  // find goes to the section that the address names, and marks its lines.
  function find(text) {
    const sections = [...text.querySelectorAll('section[data-from]')];
    let found = at ? sections.filter((s) => s.id === `s-${at}`) : [];
    if (!found.length && line) {
      const last = Math.max(to, line);
      found = sections.filter((s) => Number(s.dataset.from) <= last && Number(s.dataset.to) >= line);
    }
    if (!found.length) return;
    for (const s of found) s.classList.add('found');
    // At once: a key pressed before the next frame has to start from this section.
    if (found[0] !== sections[0]) found[0].scrollIntoView({ block: 'start' });
    found[0].tabIndex = -1;
    found[0].focus({ preventScroll: true });
  }

  return view;
}
