// The operations of the server. The token of a session lives as long as the tab.

const key = 'docent.token';
let token = '';
try { token = sessionStorage.getItem(key) ?? ''; } catch { /* kept in memory alone */ }

export const loggedIn = () => token !== '';

function keep(t) {
  token = t;
  try {
    if (t) sessionStorage.setItem(key, t);
    else sessionStorage.removeItem(key);
  } catch { /* kept in memory alone */ }
}

// Failed is an answer that is no success. Its message is the server's, for people.
export class Failed extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

let locked = () => {};

// onLocked sets what is done when the server asks for a login.
export function onLocked(f) { locked = f; }

const headers = (more) => (token ? { Authorization: `Bearer ${token}`, ...more } : { ...more });

export async function failure(status, text) {
  let v = {};
  try { v = JSON.parse(text); } catch { /* no JSON: a proxy's */ }
  const code = v.errorCode ?? v.error ?? '';
  return new Failed(status, code, v.message ?? `the server answered ${status}`);
}

async function send(method, path, body, more, signal) {
  let res;
  try {
    res = await fetch(path, { method, signal, cache: 'no-store', credentials: 'omit', body: body === undefined ? undefined : JSON.stringify(body),
      headers: headers(body === undefined ? more : { 'Content-Type': 'application/json', ...more }) });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Failed(0, 'UNREACHABLE', 'the server does not answer; is docent serve running?');
  }
  if (res.status === 401 && path !== '/api/auth/login') {
    keep('');
    locked();
  }
  if (!res.ok) throw await failure(res.status, await res.text());
  return res;
}

export const get = async (path, signal) => (await send('GET', path, undefined, {}, signal)).json();
export const post = async (path, body, signal) => (await send('POST', path, body, {}, signal)).json();
export const remove = async (path) => (await send('DELETE', path, undefined, {})).json();

export async function login(password) {
  keep((await post('/api/auth/login', { password })).token);
}

export async function logout() {
  try { await post('/api/auth/logout', {}); } finally { keep(''); }
}

// events yields the server-sent events of an answer as {name, data}. The browser's own
// EventSource cannot send a token.
export async function* events(method, path, body, signal) {
  const res = await send(method, path, body, { Accept: 'text/event-stream' }, signal);
  const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        ended = true; // there is nothing to cancel, which browsers would call a failed request
        return;
      }
      rest += value;
      const whole = rest.split('\n\n');
      rest = whole.pop();
      for (const event of whole) {
        let name = 'message';
        const data = [];
        for (const line of event.split('\n')) {
          if (line.startsWith('event: ')) name = line.slice(7);
          else if (line.startsWith('data: ')) data.push(line.slice(6));
        }
        if (data.length) yield { name, data: JSON.parse(data.join('\n')) };
      }
    }
  } finally {
    if (!ended) reader.cancel().catch(() => {});
  }
}

// upload hands a file in and tells how far it is, from 0 to 1. fetch cannot tell that.
export function upload(file, ocrMode, progress, signal) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('ocrMode', ocrMode);
    form.append('file', file, file.name);
    const x = new XMLHttpRequest();
    x.open('POST', '/api/documents');
    for (const [name, value] of Object.entries(headers())) x.setRequestHeader(name, value);
    x.upload.addEventListener('progress', (e) => { if (e.lengthComputable) progress(e.loaded / e.total); });
    x.addEventListener('load', async () => {
      if (x.status === 201) return resolve(JSON.parse(x.responseText));
      if (x.status === 401) { keep(''); locked(); }
      reject(await failure(x.status, x.responseText));
    });
    x.addEventListener('error', () => reject(new Failed(0, 'UNREACHABLE', 'the upload broke off: the server does not answer')));
    x.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    signal?.addEventListener('abort', () => x.abort());
    x.send(form);
  });
}

// pagePath is a page's path in an address, each part escaped.
export const pagePath = (path) => path.split('/').map(encodeURIComponent).join('/');

// place is the address of a page in the dashboard.
export function place(docSet, path, where = {}) {
  const q = new URLSearchParams(Object.entries(where).filter(([, v]) => v)).toString();
  return `#/read/${encodeURIComponent(docSet)}/${pagePath(path)}${q ? '?' + q : ''}`;
}
