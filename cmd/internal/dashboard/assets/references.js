// What leads on from a page, and what leads to it: asked for when it is opened.

import { get, pagePath, place } from './api.js';
import { fill, h } from './dom.js';

// The most relations of each side.
const most = 40;

const words = {
  from: { REQUIRES: 'requires', WARNS_ABOUT: 'warns of', SUPERSEDES: 'replaces', REFERENCES: 'refers to', RELATED_TO: 'related' },
  to: { REQUIRES: 'required by', SUPERSEDES: 'replaced by', REFERENCES: 'referred to by', RELATED_TO: 'named as related by' },
};

export function referencesOf(set, path) {
  const body = h('div', {}, h('p', { class: 'fine' }, 'One moment …'));
  let asked = false;
  const element = h('details', { class: 'fold panel around', ontoggle: () => {
    if (!element.open || asked) return;
    asked = true;
    load().catch((err) => fill(body, h('p', { class: 'notice bad', role: 'alert' }, err.message)));
  } }, h('summary', {}, 'Leads on, leads here'), body);

  async function load() {
    const r = await get(`/api/docsets/${encodeURIComponent(set)}/references/${pagePath(path)}?limit=${most}`);
    const lists = [...side(r.from, 'from'), ...side(r.to, 'to')];
    fill(body, lists.length ? lists : h('p', { class: 'empty' }, 'Nothing leads here or from here.'));
  }

  function side(all, way) {
    return Object.entries(words[way]).flatMap(([type, said]) => {
      const seen = new Set();
      const items = all.filter((x) => x.edge_type === type).map((x) => item(x, seen)).filter(Boolean);
      return items.length ? [h('p', { class: 'fine', 'aria-hidden': 'true' }, said), h('ul', { 'aria-label': said }, items)] : [];
    });
  }

  function item(x, seen) {
    const n = x.node;
    const text = !n ? x.target : n.message || n.name || n.section_path || n.title;
    const to = n && place(n.doc_set, n.path, n.node_type === 'Section' ? { at: n.anchor ?? '' } : { line: n.line });
    if (!text || seen.has(text + to)) return null;
    seen.add(text + to);
    return h('li', {}, to ? h('a', { href: to }, text) : text, n && n.path !== path && h('span', { class: 'fine' }, ` ${n.path}`));
  }

  return element;
}
