// Doc sets, and the pages of one.

import { events, get, place } from './api.js';
import { aloud, fill, h, plural, say, size } from './dom.js';

const fresh = { fresh: ['up to date', 'good'], stale: ['files changed', 'warn'], missing: ['its folder is not there', 'bad'] };
const atOnce = 200;

export function libraryView(set) {
  const body = h('div', { 'aria-busy': 'true' }, h('p', { class: 'empty' }, 'One moment …'));
  const title = h('h1', { tabindex: '-1' }, set ? nameOf(set) : 'Library');
  const count = h('span', { class: 'fine' });
  const element = h('div', { class: 'library' },
    set && h('nav', { 'aria-label': 'Where this is', class: 'crumbs' }, h('a', { href: '#/library' }, 'Library'), ' › ', h('span', { 'aria-current': 'page' }, set)),
    h('div', { class: 'head' }, title, count), !set && adding(sets), body);
  let opened = false;
  let listed = ''; // the doc sets that are shown
  read();

  function read() {
    (set ? pages() : sets()).catch((err) => fill(body, h('p', { class: 'notice bad', role: 'alert' }, err.message))).finally(() => body.removeAttribute('aria-busy'));
  }

  // update brings a doc set up to date, and says how far it is in place of its chip.
  async function update(set, button, chip) {
    button.disabled = true;
    chip.className = 'chip busy';
    chip.textContent = 'updating';
    try {
      let result = null;
      for await (const e of events('POST', `/api/docsets/${encodeURIComponent(set)}/update`)) {
        if (e.name === 'error') throw new Error(e.data.message);
        if (e.name === 'result') result = e.data;
        if (e.name === 'phase' && e.data.total > 0) chip.textContent = `updating: ${e.data.done ?? 0} of ${e.data.total}`;
      }
      if (!result) throw new Error('the update broke off; try again');
      say(`${set} is up to date.`);
    } catch (err) {
      say(err.message, true);
    }
    listed = '';
    await sets().catch((err) => say(`The list could not be read again: ${err.message}`, true));
  }

  async function sets() {
    const a = await get('/api/docsets');
    const now = JSON.stringify(a.sets);
    if (now === listed) return;
    listed = now;
    const focused = body.contains(document.activeElement) ? document.activeElement.closest('li')?.querySelector('[data-item]')?.getAttribute('href') : null;
    drawSets(a);
    // Somebody may be on the way through the list that was replaced.
    if (focused) [...body.querySelectorAll('[data-item]')].find((e) => e.getAttribute('href') === focused)?.focus({ preventScroll: true });
  }

  // remarks counts the files that could not be read, and those that are no documentation, which is no fault.
  const remarks = (failed) => [['could not be read', 'chip warn', (f) => f.stage !== 'left out'], ['left out', 'chip', (f) => f.stage === 'left out']]
    .map(([word, look, is]) => [word, look, failed.filter(is)]).filter(([, , files]) => files.length > 0)
    .map(([word, look, files]) => h('span', { class: look, title: files.slice(0, 10).map((f) => `${f.path}: ${f.reason}`).join('\n') }, `${plural(files.length, 'file')} ${word}`));

  function drawSets(a) {
    count.textContent = plural(a.sets.length, 'doc set');
    if (!a.sets.length) { fill(body, h('p', { class: 'empty' }, 'There is no doc set yet. ', h('code', {}, 'docent add FOLDER'), ' adds one.')); return; }
    fill(body, h('ul', { class: 'sets' }, a.sets.map((s) => {
      const [word, tone] = fresh[s.freshness] ?? [s.freshness, ''];
      const chip = h('span', { class: `chip ${tone}` }, word);
      const button = h('button', { type: 'button', class: 'small', 'aria-label': `Update ${s.set}`, onclick: () => update(s.set, button, chip) }, 'Update');
      return h('li', { class: 'panel' }, h('h2', {}, h('a', { href: `#/library/${encodeURIComponent(s.set)}`, 'data-item': true }, s.name), ' ', h('span', { class: 'soft' }, s.version)),
        h('p', { class: 'fine' }, [plural(s.pages, 'page'), plural(s.sections, 'section'), size(s.bytes)].join(' · ')),
        h('p', { class: 'row' }, chip, button, ...remarks(s.failed ?? [])));
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
    opened: () => { if (opened && !set) read(); opened = true; }, // others may have changed the list
    back: () => { if (set) { location.hash = '#/library'; return true; } return false; },
  };
}

// adding is the form that fetches documentation by its name or address; done lists the doc sets anew.
function adding(done) {
  let now = null;
  let typed;
  const names = h('datalist', { id: 'known-sources' });
  const source = h('input', { type: 'text', id: 'source', list: 'known-sources', required: true, autocomplete: 'off', spellcheck: 'false',
    placeholder: 'A name, a repository or a site', oninput: () => { clearTimeout(typed); typed = setTimeout(suggest, 200); } });
  const add = h('button', { type: 'submit', class: 'main' }, 'Add');
  const cancel = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => now?.abort() }, 'Cancel');
  const bar = h('progress', { hidden: true, 'aria-label': 'Adding documentation' });
  const state = h('p', { class: 'fine', hidden: true });

  async function suggest() {
    const words = source.value.trim().split(/[\s@]+/).filter(Boolean);
    if (!words.length || /[/:]/.test(source.value)) { fill(names); return; }
    try {
      const q = new URLSearchParams(words.slice(0, 20).map((w) => ['word', w]));
      const { sources } = await get(`/api/sources?${q}`);
      fill(names, sources.slice(0, 12).map((s) => h('option', { value: s.name }, s.about)));
    } catch { /* a suggestion less */ }
  }

  function working(on) {
    add.disabled = source.disabled = on;
    cancel.hidden = bar.hidden = !on;
  }

  // tell shows how it stands; a failure is shown until the next try.
  function tell(text, bad = false) {
    state.textContent = text;
    state.className = bad ? 'notice bad' : 'fine';
    state.hidden = !text;
    if (bad) aloud(text, true);
  }

  async function submit(e) {
    e.preventDefault();
    if (now) return;
    const mine = now = new AbortController();
    const wanted = source.value.trim();
    let result = null;
    working(true);
    tell('One moment …');
    try {
      for await (const ev of events('POST', '/api/docsets', { source: wanted }, mine.signal)) {
        if (ev.name === 'error') throw new Error(ev.data.message);
        if (ev.name === 'result') result = ev.data;
        if (ev.name !== 'phase') continue;
        if (ev.data.text) tell(ev.data.text);
        if (ev.data.total > 0) { bar.max = ev.data.total; bar.value = ev.data.done ?? 0; } else bar.removeAttribute('value');
      }
      if (!result) throw new Error('adding broke off; add it again, and it goes on where it can');
      const sets = result.sets.map((s) => s.set).join(', ');
      tell(result.not_fetched?.length ? `${plural(result.not_fetched.length, 'part')} could not be fetched: ${result.not_fetched.slice(0, 3).map((f) => f.what).join(', ')}` : '');
      source.value = '';
      say(`${sets} can be asked now.`);
      await done().catch((err) => tell(`The list could not be read again: ${err.message}`, true));
    } catch (err) {
      if (mine.signal.aborted) tell('Cancelled.');
      else tell(err.message, true);
    } finally {
      now = null;
      working(false);
      source.focus();
    }
  }

  return h('form', { class: 'adding', onsubmit: submit }, names,
    h('div', { class: 'row' }, h('label', { for: 'source' }, 'Add documentation'), source, add, cancel), bar, state);
}

export const nameOf = (set) => set.replace(/@/, ' ');
