// The phases of a question laid open: the same eight steps as in the terminal app. The
// queries can be changed: the phases behind them are asked again, one by one.

import { place, post } from './api.js';
import { aloud, fill, h, plural } from './dom.js';

const steps = [
  ['Queries', 'what is searched for', ['0a'], queries],
  ['Kind', 'what kind of question it is', ['0b'], kindOf],
  ['Scope', 'where is searched, and how', ['merge'], scope],
  ['Hits', 'the sections that are found', ['1'], hits],
  ['Ranking', 'how well each section answers', ['1.5'], ranking],
  ['Pages', 'the pages that are read', ['2'], pages],
  ['Cuts', 'what is left out, and why', ['2.5', '3'], cuts],
  ['Answer', 'the text to copy, with its sources', ['cite'], cited],
];

const scenes = { fact_lookup: 'a fact', tutorial: 'how to do something', api_reference: 'reference', troubleshooting: 'something that fails' };
const strategies = { original: 'as asked', translation: 'translated', decomposition: 'a part of it', expansion: 'other words' };
const languages = { en: 'English', zh: 'Chinese', ja: 'Japanese', ko: 'Korean', de: 'German', ru: 'Russian', fr: 'French', es: 'Spanish' };

// phaseList is the list of steps; event and result fill it.
export function phaseList() {
  const rows = steps.map(([name, about, phases, content], i) => {
    const says = h('span', { class: 'says' }, about);
    const time = h('span', { class: 'time' });
    const mark = h('span', { class: 'mark', 'aria-hidden': 'true' }, String(i + 1));
    const state = h('span', { class: 'sr' }, 'waits');
    const body = h('div', { class: 'body' });
    const details = h('details', { class: 'phase', 'data-state': 'waits' },
      h('summary', { 'data-item': true }, mark, h('span', { class: 'name' }, name), ' ', state, ' ', says, time), body);
    return { name, phases, content, says, time, state, body, details, ms: 0 };
  });
  const set = (row, state, word) => { row.details.dataset.state = state; row.state.textContent = word; };
  const element = h('section', { class: 'phases panel', 'aria-labelledby': 'phases-title' }, h('h2', { id: 'phases-title' }, 'How it was found'), rows.map((r) => r.details));

  // again asks phases 1 and 1.5 with other queries and shows what they find.
  async function again(a, query) {
    const merged = a.phases.merge;
    const found = await post('/api/phases/1?explain=true', { ...merged, query, context: { ...merged.context, queries: query } });
    const order = await post('/api/phases/1.5', found);
    const changed = { ...a, phases: { ...a.phases, 1: found, '1.5': order } };
    const sections = (pages) => pages.reduce((sum, page) => sum + page.headings.length, 0);
    const n = sections(order.results.filter((page) => !page.listed));
    const all = plural(sections(found.results), 'section');
    for (const [name, text] of [['Hits', `${all} found by your queries`], ['Ranking', `${n} of ${all} kept`]]) {
      const row = rows.find((r) => r.name === name);
      fill(row.body, row.content(changed));
      row.says.textContent = text;
      row.time.textContent = '';
      row.details.open = true;
    }
    return `${all} found, ${n} kept: see Hits and Ranking. The answer is still that of the queries above; a question in these words gives another.`;
  }

  return {
    element,
    event(e) {
      const row = rows.find((r) => r.phases.includes(e.phase));
      if (!row) return;
      if (e.kind === 'started') { set(row, 'runs', 'runs'); aloud(row.name); }
      if (e.text && e.kind !== 'text') row.says.textContent = e.text.replaceAll(/,(?=\S)/g, ', ');
      if (e.kind === 'failed') set(row, 'failed', 'failed');
      if (e.kind === 'done') {
        row.ms += e.elapsed_ms ?? 0;
        row.time.textContent = milliseconds(row.ms);
        set(row, 'done', 'done');
      }
    },
    result(a) {
      for (const row of rows) {
        fill(row.body, row.content(a, (query) => again(a, query)));
        const engine = a.engine?.[row.phases[0]];
        if (engine && engine !== 'builtin') row.body.append(h('p', { class: 'fine' }, `Answered by ${engine}.`));
        if (row.details.dataset.state !== 'done') set(row, 'skipped', 'was not needed');
      }
    },
    stopped() { for (const r of rows) if (r.details.dataset.state === 'runs') set(r, 'failed', 'failed'); },
  };
}

const milliseconds = (ms) => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const list = (words) => words.join(', ');
const facts = (...pairs) => h('dl', { class: 'facts' }, pairs.filter(([, v]) => v).map(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]));

// others is a form for other queries.
function others(a, change) {
  const area = h('textarea', { rows: '4', spellcheck: 'true', 'aria-label': 'Queries, one a line' }, a.phases.merge.query.join('\n'));
  const button = h('button', { type: 'submit', class: 'small' }, 'Search with these');
  const note = h('p', { class: 'fine', role: 'status' });
  return h('details', { class: 'fold' }, h('summary', { 'data-item': true }, 'Change the queries'),
    h('form', { class: 'change', onsubmit: async (e) => {
      e.preventDefault();
      const query = area.value.split('\n').map((q) => q.trim()).filter(Boolean);
      if (!query.length) { area.focus(); return; }
      button.disabled = true;
      note.className = 'fine';
      try {
        note.textContent = await change(query);
      } catch (err) {
        note.className = 'error';
        note.textContent = err.message;
      } finally {
        button.disabled = false;
      }
    } }, area, h('p', { class: 'fine' }, 'One a line, the most important first.'), button, note));
}

function queries(a, change) {
  const p = a.phases['0a'];
  if (!p) return null;
  const q = p.query_analysis ?? {};
  return [h('ol', { class: 'queries' }, p.optimized_queries.map((o) => h('li', {}, h('strong', {}, o.query), h('span', { class: 'fine' }, ` ${o.strategy === 'original' ? 'as asked' : `${strategies[o.strategy] ?? o.strategy} · ${o.reason}`}`)))),
    facts(['Language', languages[q.language] ?? q.language], ['Things', list(q.domain_nouns ?? [])], ['Actions', list(q.predicate_verbs ?? [])]),
    a.phases.merge && change && others(a, change)];
}

function kindOf(a) {
  const p = a.phases['0b'];
  if (!p) return null;
  return [facts(['Kind', scenes[p.scene] ?? p.scene], ['Sure by', p.confidence === undefined ? '' : `${Math.round(p.confidence * 100)} %`], ['Keeps sections from', String(p.reranker_threshold)]),
    p.evidence?.length > 0 && h('p', { class: 'fine' }, 'Decided by these words: ', list(p.evidence.map((e) => `“${e.split(': ')[0]}”`)))];
}

function scope(a) {
  const p = a.phases.merge;
  if (!p) return null;
  return facts(['Searched in', p.doc_sets ? p.doc_sets.split(',').join(', ') : 'all doc sets'], ['With', plural(p.query.length, 'query', 'queries')], ['Keeps sections from', String(p.reranker_threshold)]);
}

const bare = (text) => text.replace(/^#+\s*/, '');
const open = (page, heading) => place(page.doc_set, page.file_path, { at: heading.anchor, line: heading.section_lines?.[0] });

// headings lists the headings of pages, the best page first. The first pages are seen.
const firstPages = 5;

function headings(results, more) {
  if (results.length <= firstPages + 1) return pageList(results, more);
  const rest = results.slice(firstPages);
  return [pageList(results.slice(0, firstPages), more), h('details', { class: 'fold' }, h('summary', { 'data-item': true }, `${rest.length} more pages`), pageList(rest, more))];
}

function pageList(results, more) {
  return h('ol', { class: 'hits' }, results.map((page) => h('li', {},
    h('p', { class: 'where' }, page.page_title, h('span', { class: 'fine' }, ` ${page.doc_set}`)),
    h('ul', {}, page.headings.map((head) => h('li', { class: 'hit' }, h('a', { href: open(page, head), 'data-item': true }, bare(head.text) || page.page_title), more(head)))))));
}

function hits(a) {
  const p = a.phases['1'];
  if (!p) return null;
  const c = p.search_stats?.coverage;
  return [c?.note && h('p', { class: 'fine' }, c.note.charAt(0).toUpperCase() + c.note.slice(1) + '.'),
    (p.search_stats?.notes ?? []).map((n) => h('p', { class: 'fine' }, n)),
    headings(p.results, (head) => head.explain?.why && h('p', { class: 'why' }, head.explain.why))];
}

// score is a bar and a number: the meaning is not in the colour alone.
function score(value) {
  return h('span', { class: 'score' }, h('meter', { min: '0', max: '1', value: String(value), 'aria-hidden': 'true' }), ' ', h('span', { class: 'num' }, value.toFixed(2)));
}

const ranked = (head) => typeof head.rerank_sim === 'number' && score(head.rerank_sim);

const key = (page, head) => [page.doc_set, page.file_path, head.anchor, head.chunk_index].join('\n');

function ranking(a) {
  const p = a.phases['1.5'];
  if (!p) return null;
  const good = p.results.filter((page) => !page.listed); // the others are only named, as the nearest
  const kept = new Set(good.flatMap((page) => page.headings.map((head) => key(page, head))));
  const dropped = (a.phases['1']?.results ?? []).map((page) => ({ ...page, headings: page.headings.filter((head) => !kept.has(key(page, head))) })).filter((page) => page.headings.length);
  const n = dropped.reduce((sum, page) => sum + page.headings.length, 0);
  const sims = new Map(p.results.flatMap((page) => page.headings.map((head) => [head.span_id, head.rerank_sim])));
  const s = p.rerank_stats ?? {};
  return [facts(['Kept', plural(kept.size, 'section')], ['Left out', n ? `${plural(n, 'section')} below ${s.threshold ?? ''}` : ''], ['Answered here', s.answerable === undefined ? '' : `${Math.round(s.answerable * 100)} % likely`]),
    p.below_threshold && h('p', { class: 'fine' }, 'Nothing reaches the number that is asked for: these come nearest.'),
    headings(good, ranked),
    n > 0 && h('details', { class: 'fold' }, h('summary', { 'data-item': true }, `What was left out (${n})`), headings(dropped, (head) => ranked({ rerank_sim: sims.get(head.span_id) })))];
}

function pages(a) {
  const p = a.phases['2'];
  if (!p) return null;
  return [h('ul', { class: 'plainlist' }, (p.documents ?? []).map((d) => h('li', {}, h('a', { href: place(d.doc_set, d.file_path), 'data-item': true }, d.title),
    h('span', { class: 'fine' }, ` ${plural(d.lines, 'line')}${d.changed ? ' · changed since it was indexed' : ''}`)))),
  p.not_found?.length > 0 && h('p', { class: 'fine' }, `Not found: ${list(p.not_found)}`)];
}

const actions = { full: 'as it stands, whole', unchanged: 'as it stands', compressed: 'shortened by whole paragraphs', summarized: 'a model wrote in place of long sections' };

function cuts(a) {
  const check = a.phases['2.5'];
  const p = a.phases['3'];
  if (!p) return null;
  const docs = p.documents ?? [];
  const total = check?.total_line_count ?? p.line_count; // line_count has the lines that stand for omissions too
  const kept = total - (p.omitted ?? []).reduce((sum, o) => sum + o.lines[1] - o.lines[0] + 1, 0);
  return [facts(['Why', check?.reason], ['Text', actions[p.action] ?? p.action], ['Lines', `${kept} of ${total}`]),
    p.omitted?.length > 0 && h('ul', { class: 'plainlist' }, p.omitted.map((o) => {
      const d = docs.find((x) => (x.key ?? x.title) === o.title);
      const text = `${o.title}, lines ${o.lines[0]}–${o.lines[1]}`;
      return h('li', { class: 'fine' }, 'left out: ', d ? h('a', { href: place(d.doc_set, d.file_path, { line: o.lines[0], to: o.lines[1] }), 'data-item': true }, text) : text);
    }))];
}

function cited(a) {
  const total = Object.values(a.timings_ms ?? {}).reduce((sum, ms) => sum + ms, 0);
  return facts(['Sources', plural((a.citations ?? []).length, 'section')], ['Pages', plural((a.phases['3']?.documents ?? []).length, 'page')], ['Time', milliseconds(total)]);
}
