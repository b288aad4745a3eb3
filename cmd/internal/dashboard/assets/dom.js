// Elements, and the one way by which HTML comes into the page.

// h makes an element. Text of documents is passed as a child: it becomes a text node and
// nothing else.
export function h(tag, attrs, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') e[name] = value;
    else e.setAttribute(name, value === true ? '' : value);
  }
  return fill(e, children);
}

// fill puts children in the place of those that an element has. Lists are taken apart,
// and what is false or nothing is left out.
export function fill(e, ...children) {
  e.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

const policy = globalThis.trustedTypes?.createPolicy('docent', { createHTML: (s) => s });

// sanitised makes nodes of HTML that the server sanitised. It is parsed in a document of
// its own, where nothing is run or loaded.
export function sanitised(html) {
  const parsed = new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html');
  const out = document.createDocumentFragment();
  out.append(...parsed.body.childNodes);
  return out;
}

let hide;

// say shows a message for a while, and has it read aloud.
export function say(text, bad = false) {
  const toast = document.getElementById('toast');
  toast.textContent = text;
  toast.classList.toggle('bad', bad);
  toast.hidden = false;
  clearTimeout(hide);
  hide = setTimeout(() => { toast.hidden = true; }, bad ? 9000 : 4000);
  aloud(text, bad);
}

// aloud has a text read to whoever cannot see the page.
export function aloud(text, urgent = false) {
  const region = document.getElementById(urgent ? 'urgent' : 'polite');
  region.textContent = '';
  setTimeout(() => { region.textContent = text; }, 50);
}

// copy puts a text into the clipboard. Browsers give pages their clipboard over HTTPS and
// on this machine alone; elsewhere the older way is taken.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* the older way */ }
  const back = document.activeElement;
  const area = h('textarea', { class: 'sr', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try { done = document.execCommand('copy'); } catch { done = false; }
  area.remove();
  back?.focus();
  return done;
}

// copyableCode puts a button that copies it at each block of code.
export function copyableCode(root) {
  for (const pre of root.querySelectorAll('pre')) {
    const code = pre.textContent;
    const button = h('button', { type: 'button', class: 'small copycode', 'aria-label': 'Copy this code', onclick: async () => {
      const done = await copy(code);
      say(done ? 'The code is in the clipboard.' : 'The browser does not let this page copy.', !done);
    } }, 'Copy');
    const box = h('div', { class: 'code' });
    pre.replaceWith(box);
    box.append(pre, button);
  }
}

export const plural = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export function size(bytes) {
  if (bytes < 1000) return plural(bytes, 'byte');
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

// ago says how long ago a time was.
export function ago(time) {
  const s = Math.max(0, (Date.now() - new Date(time)) / 1000);
  if (s < 60) return 'just now';
  if (s < 3600) return plural(Math.floor(s / 60), 'minute') + ' ago';
  if (s < 86400) return plural(Math.floor(s / 3600), 'hour') + ' ago';
  return new Date(time).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

// time is an element with a time, whole where it is pointed at.
export function when(time) {
  return h('time', { datetime: time, title: new Date(time).toLocaleString('en') }, ago(time));
}

// confirmed asks before something that cannot be undone.
export function confirmed(question, detail, yes) {
  return new Promise((resolve) => {
    const no = h('button', { type: 'button', onclick: () => d.close() }, 'Cancel');
    const d = h('dialog', { 'aria-labelledby': 'confirm-question', onclose: () => { d.remove(); resolve(d.returnValue === 'yes'); } },
      h('h2', { id: 'confirm-question' }, question), h('p', { class: 'soft' }, detail),
      h('div', { class: 'row' }, no, h('button', { type: 'button', class: 'main', onclick: () => d.close('yes') }, yes)));
    document.body.append(d);
    d.showModal();
    no.focus();
  });
}
