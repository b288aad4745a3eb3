// Documents that are handed in: uploading, how each stands, trying again, deleting.

import { events, get, post, place, remove, upload } from './api.js';
import { aloud, ago, confirmed, fill, h, plural, say, size, when } from './dom.js';

const perPage = 20;
const words = { PENDING: ['waiting', 'warn'], PROCESSING: ['being read', 'busy'], COMPLETED: ['ready', 'good'], FAILED: ['failed', 'bad'] };
const filters = [['', 'All'], ['PENDING', 'Waiting'], ['PROCESSING', 'Being read'], ['COMPLETED', 'Ready'], ['FAILED', 'Failed']];

export function documentsView() {
  let status = '';
  let offset = 0;
  let total = 0;
  let rows = new Map(); // by id: {document, element}
  const picked = new Set();

  const live = h('span', { class: 'live fine' });
  const list = h('ul', { class: 'documents', 'aria-label': 'Documents' });
  const paging = h('nav', { class: 'row paging', 'aria-label': 'Parts of the list' });
  const bulk = h('div', { class: 'row bulk', hidden: true, role: 'group', 'aria-label': 'Chosen documents' });
  const uploads = h('ul', { class: 'uploads', 'aria-label': 'Uploads' });
  const ocr = h('select', { id: 'ocr' }, h('option', { value: 'auto' }, 'where there is no text'), h('option', { value: 'force' }, 'always'), h('option', { value: 'never' }, 'never'));
  const picker = h('input', { type: 'file', id: 'files', class: 'sr', multiple: true, tabindex: '-1', 'aria-label': 'Files to hand in', accept: '.pdf,.json,.txt,.md,.markdown', onchange: () => { handIn(picker.files); picker.value = ''; } });
  const choose = h('button', { type: 'button', class: 'main', id: 'choose', title: 'u', onclick: () => picker.click() }, 'Choose files');
  const drop = h('section', { class: 'drop', 'aria-labelledby': 'drop-title' },
    h('div', {}, h('h2', { id: 'drop-title' }, 'Hand files in'), h('p', { class: 'fine' }, 'Drop them here, or choose them: PDF, Markdown, text or JSON, up to 50 MB each.')),
    h('div', { class: 'row' }, h('label', { for: 'ocr', class: 'fine' }, 'Read pictures of text (OCR)'), ocr, choose, picker));
  const buttons = filters.map(([value, text]) => h('button', { type: 'button', class: 'small', 'aria-pressed': String(value === ''), onclick: () => filter(value) }, text));
  const element = h('div', { class: 'documenting' },
    h('div', { class: 'head' }, h('h1', { tabindex: '-1' }, 'Documents'), h('span', { class: 'push' }, live)),
    drop, uploads, h('div', { class: 'row filters', role: 'group', 'aria-label': 'Show' }, buttons), bulk, list, paging);

  // Dropping files, anywhere in the view.
  let inside = 0;
  const files = (e) => [...(e.dataTransfer?.types ?? [])].includes('Files');
  element.addEventListener('dragenter', (e) => { if (files(e)) { e.preventDefault(); inside++; drop.classList.add('over'); } });
  element.addEventListener('dragover', (e) => { if (files(e)) { e.preventDefault(); e.dataTransfer.dropEffect = 'copy'; } });
  element.addEventListener('dragleave', () => { if (--inside <= 0) { inside = 0; drop.classList.remove('over'); } });
  element.addEventListener('drop', (e) => {
    if (!files(e)) return;
    e.preventDefault();
    inside = 0;
    drop.classList.remove('over');
    handIn(e.dataTransfer.files);
  });

  // Files go up two at a time, so that the server has room for others.
  const queue = [];
  let going = 0;
  function handIn(chosen) {
    const n = chosen.length;
    for (const file of chosen) queue.push(uploading(file, ocr.value));
    if (n) aloud(`${plural(n, 'file')} will be handed in.`);
    next();
  }

  function next() {
    while (going < 2 && queue.length) {
      going++;
      queue.shift()().finally(() => { going--; next(); });
    }
  }

  function uploading(file, mode) {
    const stop = new AbortController();
    const bar = h('progress', { max: '1', value: 0, 'aria-label': `Upload of ${file.name}` });
    const text = h('span', { class: 'fine' }, 'waits');
    const cancel = h('button', { type: 'button', class: 'quiet small', onclick: () => stop.abort() }, 'Cancel');
    const row = h('li', { class: 'panel' }, h('div', { class: 'row' }, h('strong', { class: 'grow' }, file.name), h('span', { class: 'fine' }, size(file.size)), text, cancel), bar);
    uploads.append(row);
    return async () => {
      try {
        stop.signal.throwIfAborted();
        if (file.size > 50 * 2 ** 20) throw new Error('it is larger than 50 MB');
        text.textContent = 'goes up';
        await upload(file, mode, (part) => { bar.value = part; text.textContent = part < 1 ? `${Math.round(part * 100)} %` : 'is being kept'; }, stop.signal);
        row.remove();
        say(`${file.name} was handed in and waits to be read.`);
        load();
      } catch (err) {
        bar.remove();
        const known = err.code === 'DUPLICATE_DOCUMENT';
        text.textContent = stop.signal.aborted ? 'cancelled' : known ? 'is there already' : err.message;
        text.className = known || stop.signal.aborted ? 'fine' : 'error';
        cancel.replaceWith(h('button', { type: 'button', class: 'quiet small', 'aria-label': `Take away the line of ${file.name}`, onclick: () => row.remove() }, 'Close'));
        aloud(`${file.name}: ${text.textContent}`, true);
      }
    };
  }

  function filter(value) {
    status = value;
    offset = 0;
    buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(filters[i][0] === value)));
    load();
  }

  // A list can be older than the changes that come while it is on its way. They are put
  // into it when it is drawn.
  let loading = null;
  let meanwhile = [];
  async function load() {
    loading?.abort();
    const now = loading = new AbortController();
    meanwhile = [];
    try {
      const q = new URLSearchParams({ details: 'true', limit: String(perPage), offset: String(offset) });
      if (status) q.set('status', status);
      const a = await get(`/api/documents?${q}`, now.signal);
      if (a.documents.length === 0 && offset > 0) { offset = Math.max(0, Math.floor((a.total - 1) / perPage) * perPage); return load(); }
      loading = null;
      total = a.total;
      draw(a.documents);
      meanwhile.splice(0).forEach(changed);
    } catch (err) {
      if (now.signal.aborted) return;
      loading = null;
      fill(list, h('li', { class: 'notice bad', role: 'alert' }, err.message));
    }
  }

  function draw(documents) {
    const at = document.activeElement?.closest?.('[data-id]')?.dataset.id;
    rows = new Map();
    for (const id of [...picked]) if (!documents.some((d) => d.id === id)) picked.delete(id);
    fill(list, ...documents.map((d) => {
      const element = row(d);
      rows.set(d.id, { document: d, element });
      return element;
    }));
    if (!documents.length) list.append(h('li', { class: 'empty' }, status ? 'No document stands like this now.' : 'No document was handed in yet.'));
    const pages = Math.ceil(total / perPage);
    const page = offset / perPage + 1;
    const turn = (by) => { offset += by * perPage; load().then(() => element.querySelector('h1').focus()); };
    fill(paging, ...(pages < 2 ? [] : [
      h('button', { type: 'button', class: 'small', disabled: page === 1, onclick: () => turn(-1) }, '← Newer'),
      h('span', { class: 'fine' }, `${page} of ${pages}, ${plural(total, 'document')}`),
      h('button', { type: 'button', class: 'small', disabled: page === pages, onclick: () => turn(1) }, 'Older →')]));
    drawBulk();
    if (at) rows.get(at)?.element.querySelector('[data-item]')?.focus({ preventScroll: true });
  }

  function row(d) {
    const [word, tone] = words[d.status] ?? [d.status, ''];
    const ready = d.status === 'COMPLETED' && d.page;
    const name = ready ? h('a', { href: place(...parted(d.page)), 'data-item': true, class: 'filename' }, d.filename) : h('span', { class: 'filename', tabindex: '0', 'data-item': true }, d.filename);
    const box = h('input', { type: 'checkbox', 'aria-label': `Choose ${d.filename}`, checked: picked.has(d.id), onchange: () => { if (box.checked) picked.add(d.id); else picked.delete(d.id); drawBulk(); } });
    const [code, reason] = d.failReason ? cut(d.failReason) : ['', ''];
    return h('li', { class: 'panel document', 'data-id': d.id, 'data-status': d.status }, box,
      h('div', { class: 'what' }, name,
        h('p', { class: 'fine' }, [size(d.fileSize), d.format, `${d.lane} lane`, d.chunkCount === undefined ? '' : plural(d.chunkCount, 'passage'), d.retryCount ? `tried again ${plural(d.retryCount, 'time')}` : ''].filter(Boolean).join(' · '), ' · ', when(d.createdAt)),
        reason && h('p', { class: 'error' }, reason, code && h('code', { class: 'fine' }, ` ${code}`))),
      h('span', { class: `chip ${tone}` }, word),
      h('div', { class: 'row acts' },
        d.status === 'FAILED' && h('button', { type: 'button', class: 'small', onclick: () => retry([d.id]) }, 'Try again', h('span', { class: 'sr' }, `: ${d.filename}`)),
        h('button', { type: 'button', class: 'quiet small danger', onclick: () => erase([d.id], d.filename) }, 'Delete', h('span', { class: 'sr' }, ` ${d.filename}`))));
  }

  const cut = (reason) => { const [, code, text] = reason.match(/^([A-Z_]+): (.*)$/s) ?? [null, '', reason]; return [code, text]; };
  const parted = (page) => { const i = page.indexOf('/'); return [page.slice(0, i), page.slice(i + 1)]; };

  function drawBulk() {
    bulk.hidden = picked.size === 0;
    if (!picked.size) return;
    const failed = [...picked].filter((id) => rows.get(id)?.document.status === 'FAILED');
    fill(bulk, h('span', { class: 'fine' }, `${plural(picked.size, 'document')} chosen`),
      h('button', { type: 'button', class: 'small', disabled: !failed.length, onclick: () => retry(failed) }, 'Try again'),
      h('button', { type: 'button', class: 'small danger', onclick: () => erase([...picked], plural(picked.size, 'document')) }, 'Delete'),
      h('button', { type: 'button', class: 'quiet small', onclick: () => { picked.clear(); load(); } }, 'Choose none'));
  }

  async function retry(ids) {
    try {
      const a = await post('/api/documents/retry', { ids });
      say(a.failed.length ? a.failed[0].message : `${plural(a.done.length, 'document')} will be read again.`, a.failed.length > 0);
    } catch (err) { say(err.message, true); }
    load();
  }

  async function erase(ids, what) {
    if (!await confirmed(`Delete ${what}?`, 'The file and its page go. This cannot be undone.', 'Delete')) return;
    try {
      const a = ids.length === 1 ? await remove(`/api/documents/${encodeURIComponent(ids[0])}`) : await post('/api/documents/delete', { ids });
      ids.forEach((id) => picked.delete(id));
      say(a.failed.length ? a.failed[0].message : `${plural(a.done.length, 'document')} deleted.`, a.failed.length > 0);
    } catch (err) { say(err.message, true); }
    await load();
    element.querySelector('[data-item]')?.focus({ preventScroll: true });
  }

  // changed puts a change in the place of a row; what is new or went has the list drawn
  // anew, once for several.
  let soon = 0;
  function changed(change) {
    if (loading) meanwhile.push(change);
    const { document: d, gone } = change;
    const old = rows.get(d.id);
    if (gone || !old || status && d.status !== status) {
      if (gone && !old) return;
      clearTimeout(soon);
      soon = setTimeout(load, 150);
      return;
    }
    if (old.document.status !== d.status) aloud(`${d.filename}: ${words[d.status]?.[0] ?? d.status}`);
    const focused = old.element.contains(globalThis.document.activeElement);
    const element = row(d);
    old.element.replaceWith(element);
    rows.set(d.id, { document: d, element });
    if (focused) element.querySelector('[data-item]').focus({ preventScroll: true });
    drawBulk();
  }

  // Changes are told while the view is seen: a browser opens six connections to a server,
  // and every hidden tab would hold one. Where the stream cannot be had, the list is asked
  // for every few seconds.
  let following = null;
  async function follow() {
    following?.abort();
    const now = following = new AbortController();
    let tries = 0;
    while (!now.signal.aborted) {
      try {
        for await (const e of events('GET', '/api/documents/events', undefined, now.signal)) {
          if (e.name === 'ready') { tries = 0; live.textContent = 'live'; live.dataset.state = 'on'; await load(); }
          if (e.name === 'document') changed(e.data);
          if (e.name === 'error') throw new Error(e.data.message);
        }
      } catch (err) {
        if (err.status === 401) return;
      }
      if (now.signal.aborted) return;
      tries++;
      live.dataset.state = 'off';
      live.textContent = tries > 1 ? 'asked again every few seconds' : 'connecting …';
      if (tries > 1) await load();
      await new Promise((resolve) => { setTimeout(resolve, Math.min(5000, 300 * 2 ** tries)); });
    }
  }

  const seen = () => { if (document.hidden) following?.abort(); else follow(); };
  // Times that are a while ago grow older while they are looked at.
  let clock = 0;
  return {
    title: 'Documents', section: 'documents', element,
    keys: { u: () => picker.click() },
    opened() {
      load();
      follow();
      document.addEventListener('visibilitychange', seen);
      clock = setInterval(() => { for (const t of list.querySelectorAll('time')) t.textContent = ago(t.dateTime); }, 30_000);
    },
    left() {
      following?.abort();
      document.removeEventListener('visibilitychange', seen);
      clearInterval(clock);
    },
    focus: () => { element.querySelector('h1').focus({ preventScroll: true }); return true; },
  };
}
