// What is suggested below the question while one types. A list of the browser's own shows of
// its options only those that have the typed text in them, letter for letter: a question in
// one's own words has no heading in it, so that nothing was ever seen.

import { fill, h } from './dom.js';

// suggestions is the list of a field. An item is {text, where, take}: take is called with the
// item that was chosen. The field keeps the focus; ↓ and ↑ go through the list.
export function suggestions(input) {
  let items = [];
  let at = -1;
  const list = h('ul', { id: 'suggested', role: 'listbox', class: 'suggested', 'aria-label': 'Suggestions', hidden: true });
  for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-controls', 'suggested'], ['aria-expanded', 'false']]) input.setAttribute(name, value);

  // mark marks an item, -1 none.
  function mark(i) {
    at = i;
    [...list.children].forEach((e, n) => e.setAttribute('aria-selected', String(n === i)));
    if (i < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', `suggested-${i}`);
      list.children[i].scrollIntoView({ block: 'nearest' });
    }
  }

  function show(wanted) {
    items = wanted;
    fill(list, ...items.map((item, i) => h('li', { id: `suggested-${i}`, role: 'option', 'aria-selected': 'false', onclick: () => choose(item) },
      h('span', {}, item.text), h('span', { class: 'fine' }, item.where))));
    list.hidden = !items.length;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(-1);
  }

  const hide = () => show([]);

  function choose(item) {
    hide();
    item.take(item);
  }

  list.addEventListener('mousedown', (e) => e.preventDefault()); // the field keeps the focus
  input.addEventListener('blur', hide);
  input.addEventListener('keydown', (e) => {
    if (list.hidden || e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by) mark(Math.min(Math.max(at + by, -1), items.length - 1));
    else if (e.key === 'Escape') hide();
    else if (e.key === 'Enter' && at >= 0) choose(items[at]);
    else return;
    e.preventDefault();
  });
  return { element: list, show, hide };
}
