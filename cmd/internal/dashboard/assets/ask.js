// Asking: the question, its phases as they run, the answer with its sources.

import { events, get, post, place } from './api.js';
import { aloud, copy, copyableCode, fill, h, plural, sanitised, say } from './dom.js';
import { phaseList } from './phases.js';
import { suggestions } from './suggest.js';

const kinds = [['', 'as the question suggests'], ['fact_lookup', 'a fact'], ['tutorial', 'how to do something'], ['api_reference', 'reference'], ['troubleshooting', 'something that fails']];

// certainty is how sure an answer is, in the words of the terminal app.
const unsure = 'not sure';

function certainty(a) {
  const r = a.phases['1.5'];
  if (a.phases['1']?.search_stats?.nearest) return 'not in your documentation: the nearest by spelling';
  if (r?.state !== 'reranked') return '';
  if (r.unanswered) return 'probably not in your documentation';
  return r.below_threshold ? unsure : 'likely the answer';
}

// markOmissions makes one faint mark of each line that says what is left out between two parts.
// Before the first part and behind the last there is none: the sources say which lines are shown.
function markOmissions(body) {
  for (const p of body.querySelectorAll('p')) {
    const [, lines] = /^\[… (lines? [\d–]+) omitted …\]$/.exec(p.textContent.trim()) ?? [];
    if (!lines) continue;
    const [text, mark] = [body.textContent.trim(), p.textContent.trim()];
    if (text.startsWith(mark) || text.endsWith(mark)) { p.remove(); continue; }
    p.className = 'omitted';
    p.title = `${lines} left out`;
    fill(p, h('span', { 'aria-hidden': 'true' }, '⋯'), h('span', { class: 'sr' }, p.title));
  }
}

// The question that this tab asked last, for when its page is loaded anew. A browser may keep nothing for the page.
const lastAsked = 'docent.asked';
const noteAsked = (question) => { try { sessionStorage.setItem(lastAsked, question); } catch { /* nothing is asked again then */ } };
const askedHere = () => { try { return sessionStorage.getItem(lastAsked); } catch { return null; } };

export function askView() {
  let running = null; // the AbortController of a question
  let answer = null;
  let asked = ''; // the question whose answer is shown
  const past = new Map(); // answers by their questions, in this tab alone: Back leads to them
  const input = h('input', { type: 'text', id: 'q', name: 'q', autocomplete: 'off', spellcheck: 'true', enterkeyhint: 'search', placeholder: 'How do I …?', 'aria-describedby': 'q-hint', oninput: () => suggest(),
    onkeydown: (e) => { if (e.key === 'ArrowDown' && !input.value.trim()) { e.preventDefault(); offered.show(askedBefore('')); } } });
  const offered = suggestions(input);
  const button = h('button', { class: 'main', type: 'submit' }, 'Ask');
  const extent = h('select', { id: 'extent' }, h('option', { value: 'sections' }, 'the sections that answer'), h('option', { value: 'documents' }, 'whole pages'));
  const kind = h('select', { id: 'kind' }, kinds.map(([value, text]) => h('option', { value }, text)));
  const threshold = h('input', { type: 'number', id: 'threshold', min: '0', max: '1', step: '0.05', placeholder: 'by kind' });
  const scope = h('div', { class: 'scopes' });
  const scopeName = h('span', {}, 'all doc sets');
  const options = h('details', { class: 'options' }, h('summary', {}, 'Options: ', h('span', { class: 'soft' }, 'in ', scopeName)),
    h('div', { class: 'fields' },
      h('div', {}, h('label', { for: 'extent' }, 'Answer with'), extent),
      h('div', {}, h('label', { for: 'kind' }, 'Kind of question'), kind),
      h('div', {}, h('label', { for: 'threshold' }, 'Keep sections from'), threshold, h('p', { class: 'fine' }, '0 keeps all, 1 only the surest')),
      h('fieldset', { class: 'wide' }, h('legend', {}, 'Search in'), scope)));
  const out = h('div', { class: 'outcome' });
  const form = h('form', { class: 'ask', role: 'search', onsubmit: (e) => { e.preventDefault(); run(); } },
    h('label', { class: 'sr', for: 'q' }, 'Question'), h('div', { class: 'line' }, input, button, offered.element),
    h('p', { class: 'sr', id: 'q-hint' }, 'The answer is text of your documentation, with its sources.'), options);
  const title = h('h1', { tabindex: '-1' }, 'Ask your documentation');
  const element = h('div', { class: 'asking fresh' }, title, form, out);
  welcome();

  function welcome() {
    fill(out, h('p', { class: 'lead soft' }, 'The answer is text of your pages, word for word, with its sources. Every step that leads to it is laid open. Press ', h('kbd', {}, '?'), ' for the keys.'));
  }

  let listed = false;
  async function listScopes() {
    if (listed) return;
    listed = true;
    try {
      const { sets } = await get('/api/docsets');
      fill(scope, ...sets.map((s) => h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'set', value: s.set, onchange: nameScope }), h('span', {}, s.name, ' ', h('span', { class: 'soft' }, s.version)))));
    } catch (err) {
      listed = false;
      fill(scope, h('p', { class: 'fine' }, err.message));
    }
  }

  const chosen = () => [...scope.querySelectorAll('input:checked')].map((i) => i.value);
  function nameScope() { scopeName.textContent = chosen().join(', ') || 'all doc sets'; }

  function request() {
    const q = { query: input.value.trim(), extent: extent.value, explain: true };
    if (kind.value) q.scene = kind.value;
    if (threshold.value !== '') q.threshold = Number(threshold.value);
    if (chosen().length) q.doc_sets = chosen();
    return q;
  }

  async function run() {
    const q = request();
    if (!q.query) { input.focus(); return; }
    running?.abort();
    clearTimeout(resting);
    offered.hide();
    element.classList.remove('fresh');
    const now = running = new AbortController();
    answer = null;
    const address = `#/ask?q=${encodeURIComponent(q.query)}`;
    if (asked && asked !== q.query) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    name(q.query);
    noteAsked(q.query);
    const phases = phaseList();
    const stop = h('button', { type: 'button', class: 'small', onclick: () => now.abort() }, 'Stop');
    const left = h('div', { class: 'answer' }, h('div', { class: 'working panel', 'aria-busy': 'true' }, h('p', {}, h('span', { class: 'chip busy' }, 'working'), ' ', stop)));
    fill(out, h('div', { class: 'columns' }, left, phases.element));
    aloud('The question is being answered.');
    try {
      for await (const e of events('POST', '/api/ask', q, now.signal)) {
        if (e.name === 'phase') phases.event(e.data);
        else if (e.name === 'error') throw new Error(e.data.message);
        else if (e.name === 'result') {
          answer = e.data;
          phases.result(e.data);
          await showAnswer(left, e.data, now.signal);
          remember(q.query);
        }
      }
      if (!answer) throw new Error('the answer broke off; ask again');
    } catch (err) {
      if (now.signal.aborted) {
        if (running === now) fill(left, h('p', { class: 'notice' }, 'Stopped.'));
        return;
      }
      fill(left, h('p', { class: 'notice bad', role: 'alert' }, err.message));
      phases.stopped();
    } finally {
      if (running === now) running = null;
    }
  }

  // name makes a question the one of the page's title.
  function name(question) {
    asked = question;
    document.title = `${question} · docent`;
  }

  // remember keeps the answer that is shown, for Back, and its question for the line.
  const mostPast = 20;
  function remember(question) {
    past.delete(question);
    past.set(question, { answer, nodes: [...out.childNodes] });
    if (past.size > mostPast) past.delete(past.keys().next().value);
  }

  // askedBefore are the questions asked before that have all words of a text, the last first.
  function askedBefore(text) {
    const words = text.toLowerCase().split(/\s+/);
    return [...past.keys()].reverse().filter((q) => q !== text && words.every((w) => q.toLowerCase().includes(w))).slice(0, 5)
      .map((q) => ({ text: q, where: 'asked before', take: () => { input.value = q; run(); } }));
  }

  // sectionsOf are the best sections of a search: two a page.
  const sectionsOf = (pages) => pages.slice(0, 5).flatMap((p) => p.headings.slice(0, 2).map((head) => {
    const text = head.text.replace(/^#+\s*/, '') || p.page_title;
    return { text: text === p.page_title ? text : `${p.page_title} › ${text}`, where: p.doc_set,
      take: () => { location.hash = place(p.doc_set, p.file_path, { at: head.anchor, line: head.section_lines?.[0] }); } };
  }));

  // suggest offers questions asked before, and sections for what is typed when the typing rests.
  const rest = 300; // milliseconds
  let resting;
  function suggest() {
    clearTimeout(resting);
    const text = input.value.trim();
    if (text.length < 3 || running) { offered.hide(); return; }
    offered.show(askedBefore(text));
    resting = setTimeout(async () => {
      try {
        const found = await post('/api/phases/1', { query: [text], doc_sets: chosen().join(',') });
        if (input.value.trim() === text && !running && document.activeElement === input) offered.show([...askedBefore(text), ...sectionsOf(found.results)]);
      } catch { /* without suggestions one types on */ }
    }, rest);
  }

  // recall shows an answer that was shown before.
  function recall(question) {
    running?.abort();
    running = null;
    answer = past.get(question).answer;
    input.value = question;
    fill(out, past.get(question).nodes);
    name(question);
    aloud('The answer to the question before.');
  }

  async function copyBlock() {
    if (!answer?.final) { say('There is no answer to copy yet.'); return; }
    const done = await copy(answer.final);
    say(done ? 'The answer with its sources is in the clipboard.' : 'The browser does not let this page copy. Open “The block as text” and copy it there.', !done);
  }

  async function showAnswer(left, a, signal) {
    const done = a.phases['3'] ?? {};
    const docs = done.documents ?? [];
    const rerank = a.phases['1.5'];
    // What the search notes stands above the answer too: a doc set that was not searched, say. That doc sets
    // compete is said in the page's own words.
    const searched = (rerank?.search_stats?.notes ?? a.phases['1']?.search_stats?.notes ?? []).filter((n) => !rerank?.which || !rerank.which.every((w) => n.includes(w)));
    const notes = [...new Set([...(done.context?.notes ?? rerank?.context?.notes ?? []), ...searched])];
    const none = docs.length === 0 || !a.final;
    const parts = [];
    for (const d of docs) {
      const first = d.quoted?.[0];
      const body = h('div', { class: 'prose' });
      const text = done.contents?.[d.key ?? d.title] ?? '';
      try {
        const shown = await post('/api/html', { markdown: text, doc_set: d.doc_set, file_path: d.file_path }, signal);
        body.append(sanitised(shown.html));
        const first = body.querySelector('section > h1');
        if (first?.textContent.trim() === d.title.trim() && !first.previousElementSibling) first.remove(); // it stands above
        markOmissions(body);
        copyableCode(body);
        if (!shown.whole) body.append(h('p', { class: 'notice' }, 'This page is long: its beginning is shown. The block has all of it.'));
      } catch (err) {
        if (signal.aborted) throw err;
        body.append(h('pre', { class: 'plain' }, text));
      }
      parts.push(h('article', { class: 'panel page' },
        h('header', {}, h('h3', {}, h('a', { href: place(d.doc_set, d.file_path, { line: first?.lines[0], to: first?.lines[1] }), 'data-item': true }, d.title)),
          h('p', { class: 'fine' }, d.doc_set, ' · ', d.file_path, d.changed && ' · changed since it was indexed')), body));
    }
    const verdict = h('span', { class: 'verdict', role: 'status' });
    const sure = none ? '' : certainty(a);
    const head = h('div', { class: 'head' }, h('h2', { tabindex: '-1', id: 'answer-title' }, none ? 'Nothing was found' : 'Answer'),
      !none && h('span', { class: 'fine' }, sure && h('span', { class: 'sure' }, sure), sure && ' · ', `${plural(done.line_count ?? 0, 'line')} from ${plural(docs.length, 'page')}`),
      !none && h('div', { class: 'row push' },
        h('button', { type: 'button', class: 'small', onclick: () => check(verdict, a.final) }, 'Check it'),
        h('button', { type: 'button', class: 'main small', id: 'copy', title: 'y', onclick: copyBlock }, 'Copy with sources')));
    fill(left, head, verdict,
      h('div', {}, rerank?.unanswered && !none && h('p', { class: 'notice warn' }, 'This is probably not in your documentation. Here is what comes nearest to it.'),
        sure === unsure && h('p', { class: 'notice warn' }, 'Not sure: nothing reaches the threshold; this is the best there is.'),
        none && h('p', { class: 'notice' }, 'No section answers this. Try other words, other doc sets, or a lower number under “Keep sections from”.'),
        notes.map((n) => h('p', { class: 'notice' }, n)),
        rerank?.which && h('p', { class: 'notice' }, `Which do you mean: ${rerank.which.join(' or ')}? A question that names one is answered from it alone.`),
        (a.degraded ?? []).map((d) => h('p', { class: 'notice warn' }, `${d.used} answered in place of ${d.wanted}: ${d.reason}`))),
      parts, !none && sources(a), !none && h('details', { class: 'block panel' }, h('summary', {}, 'The block as text'), h('pre', { tabindex: '0', 'aria-label': 'The block as text' }, a.final)));
    aloud(none ? 'Nothing was found.' : `The answer is there${sure && `, ${sure}`}: ${plural(done.line_count ?? 0, 'line')} from ${plural(docs.length, 'page')}.`);
  }

  function sources(a) {
    return h('section', { class: 'sources', 'aria-labelledby': 'sources-title' }, h('h2', { id: 'sources-title' }, 'Sources'),
      h('ol', {}, (a.citations ?? []).map((c) => h('li', {},
        h('a', { href: place(c.doc_set, c.file_path, { line: c.lines[0], to: c.lines[1] }), 'data-item': true }, (c.heading_path ?? [c.page_title]).join(' › ') || c.page_title),
        h('span', { class: 'fine' }, ` ${c.doc_set} · ${c.file_path} · lines ${c.lines[0]}–${c.lines[1]}`)))));
  }

  async function check(verdict, block) {
    verdict.className = 'verdict';
    verdict.textContent = 'Checking …';
    try {
      const r = await post('/api/verify', { block });
      const good = r.state === 'verified';
      verdict.className = `verdict notice ${good ? '' : 'warn'}`;
      verdict.textContent = good ? `Checked: each of its ${plural(r.lines, 'line')} stands in its source.` : { unverified: 'The quoted lines stand in their sources; others were written by a model.', source_changed: 'A page changed since it was indexed, so nobody can tell.', source_missing: 'A page is gone, so nobody can tell.' }[r.state] ?? 'Some lines do not stand in their sources.';
    } catch (err) {
      verdict.className = 'verdict notice bad';
      verdict.textContent = err.message;
    }
  }

  return {
    get title() { return asked || 'Ask'; }, section: 'ask', element,
    keys: { y: copyBlock },
    opened: listScopes,
    focus: () => { input.focus({ preventScroll: true }); return true; },
    question: () => { scrollTo(0, 0); input.focus(); input.select(); },
    // A question in the address is offered and not asked: a link of elsewhere runs nothing. The one that this tab
    // asked last is asked again: the page was loaded anew.
    offer: (q) => {
      if (past.has(q) && q !== asked) recall(q);
      else if (q && !answer && !running && q === askedHere()) { input.value = q; run(); }
      else if (q && q !== asked && !running) input.value = q; // also above the answer to another one
    },
    back: () => { if (running) { running.abort(); return true; } return false; },
  };
}
