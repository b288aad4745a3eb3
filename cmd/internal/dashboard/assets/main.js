// The frame: which view is shown, logging in and out, the theme.

import { get, login, logout, loggedIn, onLocked } from './api.js';
import { fill, h, say } from './dom.js';
import { listen, showKeys } from './keys.js';
import { askView } from './ask.js';
import { documentsView } from './documents.js';
import { libraryView } from './library.js';
import { readerView } from './reader.js';

const main = document.getElementById('main');
let shown = null; // the view that is shown
let reached = false; // the address came about by a step inside the page

// A view is {title, element, section, opened(), left(), back()}. Views of asking, of
// documents and of the doc sets are kept while others are shown: a way back leads to what was
// there, and what is being added goes on.
const kept = {};

function keep(name, make) {
  kept[name] ??= make();
  return kept[name];
}

// route finds the view of an address: #/ask, #/documents, #/library/SET, #/read/SET/PAGE.
function route() {
  const [path, search = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const parts = path.split('/').map((p) => { try { return decodeURIComponent(p); } catch { return p; } });
  const query = new URLSearchParams(search);
  switch (parts[0]) {
    case 'documents': return keep('documents', documentsView);
    case 'library': return parts[1] ? libraryView(parts[1]) : keep('library', libraryView);
    case 'read': return readerView(parts[1], parts.slice(2).join('/'), query);
    default: {
      if (parts[0] && parts[0] !== 'ask') return nowhere();
      const view = keep('ask', askView);
      view.offer(query.get('q') ?? '');
      return view;
    }
  }
}

// nowhere is shown for an address that leads to no view.
function nowhere() {
  const title = h('h1', { tabindex: '-1' }, 'There is no such page');
  return {
    title: 'No such page', section: '', focus: () => { title.focus(); return true; },
    element: h('div', { class: 'asking fresh' }, title, h('p', { class: 'lead soft' }, 'Nothing is at the address ', h('code', {}, location.hash), '. ', h('a', { href: '#/ask' }, 'Ask your documentation'), ' or ', h('a', { href: '#/library' }, 'look at the library'), '.')),
  };
}

function show(view, focus = true) {
  if (shown && shown !== view) {
    shown.scroll = scrollY;
    shown.last = document.activeElement;
    shown.left?.();
  }
  const again = view.last;
  shown = view;
  fill(main, view.element);
  document.title = `${view.title} · docent`;
  for (const a of document.querySelectorAll('#nav a')) {
    if (a.dataset.view === view.section) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  scrollTo(0, view.scroll ?? 0);
  view.opened?.();
  if (!focus) return;
  if (again?.isConnected && main.contains(again)) again.focus({ preventScroll: true });
  else if (!view.focus?.()) main.focus({ preventScroll: true });
}

function navigate() {
  if (locked) return;
  const view = route();
  // At first the focus stays where the page begins, but for the question, so that one can type.
  show(view, reached || view.section === 'ask');
  reached = true;
}

// The login, in place of every view, while the server asks for one.
let locked = false;

function lock() {
  if (locked) return;
  locked = true;
  for (const name of Object.keys(kept)) delete kept[name];
  document.getElementById('nav').hidden = true;
  document.getElementById('logout').hidden = true;
  reached = true;
  show(loginView());
}

function unlock() {
  locked = false;
  document.getElementById('nav').hidden = false;
  document.getElementById('logout').hidden = !loggedIn();
  navigate();
}

function loginView() {
  const password = h('input', { type: 'password', id: 'password', name: 'password', autocomplete: 'current-password', required: true, 'aria-describedby': 'login-error' });
  const error = h('p', { id: 'login-error', class: 'error', role: 'alert' });
  const button = h('button', { class: 'main', type: 'submit' }, 'Log in');
  const form = h('form', { class: 'login panel', onsubmit: async (e) => {
    e.preventDefault();
    error.textContent = '';
    button.disabled = true;
    try {
      await login(password.value);
      unlock();
    } catch (err) {
      error.textContent = err.status === 401 ? 'This is not the password.' : sentence(err.message);
      password.select();
      password.focus();
    } finally {
      button.disabled = false;
    }
  } },
  h('h1', {}, 'Log in'), h('p', { class: 'soft' }, 'This server asks for its password.'),
  h('label', { for: 'password' }, 'Password'), password, error, button);
  return { title: 'Log in', section: '', element: form, focus: () => { password.focus(); return true; } };
}

function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1) + '.'; }

// The theme: the system's, until one is chosen.
function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const next = dark ? 'light' : 'dark';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  try {
    if (next === system) { delete root.dataset.theme; localStorage.removeItem('docent.theme'); } else { root.dataset.theme = next; localStorage.setItem('docent.theme', next); }
  } catch { root.dataset.theme = next; }
  say(next === 'dark' ? 'Dark colours' : 'Light colours');
}

// back leads out of the view.
function back() {
  if (locked) return;
  if (shown.back?.()) return;
  if (shown.section !== 'ask') location.hash = '#/ask';
}

// A file that falls beside the place for files would be opened in place of the page.
for (const kind of ['dragover', 'drop']) addEventListener(kind, (e) => { if ([...(e.dataTransfer?.types ?? [])].includes('Files')) e.preventDefault(); });

document.getElementById('theme').addEventListener('click', toggleTheme);
document.getElementById('keys').addEventListener('click', showKeys);
document.getElementById('logout').addEventListener('click', async () => {
  try { await logout(); } catch { /* the session ends by itself */ }
  lock();
});
document.getElementById('skip').addEventListener('click', (e) => { e.preventDefault(); main.focus(); });
addEventListener('hashchange', navigate);
listen({ back, toggleTheme, view: () => shown, locked: () => locked, ask: () => {
  if (shown !== kept.ask) location.hash = '#/ask';
  requestAnimationFrame(() => kept.ask?.question());
} });
onLocked(lock);

// The first request says whether a login is needed.
try {
  await get('/api/documents?limit=1');
} catch (err) {
  if (err.status !== 401) say(sentence(err.message), true);
}
if (!locked) unlock();
