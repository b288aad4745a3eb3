// The steps of a person in a real browser. Arguments: the server's address, chromium, the
// folder with the packages of npm, the address of a site that may be fetched, and a folder for
// pictures or nothing. Each step ends
// with an error where the page does not do as it says.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const [base, chromiumPath, npm, site, pictures] = process.argv.slice(2);
const require = createRequire(join(npm, 'index.js'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const root = process.getuid?.() === 0; // chromium's sandbox refuses to run for root
const browser = await chromium.launch({ executablePath: chromiumPath, args: root ? ['--no-sandbox'] : [] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' });
await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
const page = await context.newPage();
page.setDefaultTimeout(30_000);

// What may never happen, in any step: an error of a script, a breach of the policy, a
// request to another host.
const faults = [];
page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
page.on('console', (m) => { if (/security policy|trusted/i.test(m.text())) faults.push(m.text()); });
page.on('request', (r) => { if (!r.url().startsWith(base)) faults.push(`request to ${r.url()}`); });
page.on('dialog', (d) => { faults.push(`dialog ${d.message()}`); d.dismiss(); });

const see = (selector, text) => page.locator(selector).filter(text === undefined ? {} : { hasText: text }).first().waitFor();
const key = (k) => page.keyboard.press(k);
const focused = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id || document.activeElement.tagName);
const go = async (hash, selector) => { await page.evaluate((h) => { location.hash = h; }, hash); await see(selector); };

let failed = 0;
async function step(name, f) {
  const began = Date.now();
  try {
    await f();
    assert.deepEqual(faults, []);
    console.log(`ok   ${String(Date.now() - began).padStart(5)} ms  ${name}`);
  } catch (e) {
    failed++;
    faults.length = 0;
    console.log(`FAIL ${name}: ${e.stack}\n${(await page.locator('body').innerText().catch(() => '')).slice(0, 1500)}`);
    if (pictures) await page.screenshot({ path: join(pictures, `failed-${failed}.png`) });
  }
}

// drop lets files fall onto the page, as a file manager does.
async function drop(files) {
  const data = await page.evaluateHandle((list) => {
    const d = new DataTransfer();
    for (const [name, text] of list) d.items.add(new File([text], name, { type: 'text/markdown' }));
    return d;
  }, files);
  await page.dispatchEvent('.documenting', 'dragenter', { dataTransfer: data });
  assert.equal(await page.locator('.drop.over').count(), 1, 'the place for files shows that it takes them');
  await page.dispatchEvent('.documenting', 'drop', { dataTransfer: data });
}

const prose = (what) => `# ${what}\n\n${`The ${what.toLowerCase()} is the largest animal of the sea, and its oil burns in lamps for many hours without any smoke at all. `.repeat(6)}\n`;
const row = (name) => page.locator('.document').filter({ hasText: name });

await step('without the password nothing is seen', async () => {
  await page.goto(`${base}/#/library`);
  await see('form.login');
  assert.equal(await page.locator('#nav').isVisible(), false);
  assert.doesNotMatch(await page.locator('body').innerText(), /Lamps|Docent/);
  await page.keyboard.type('wrong');
  await key('Enter');
  await see('#login-error', 'not the password');
  await page.keyboard.type('open sesame');
  await key('Enter');
  await see('.sets li', 'Docent');
  assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0, 'the token is not kept beyond the tab');
});

await step('files that are dropped go up and become pages before one’s eyes', async () => {
  await key('2');
  await see('.live[data-state=on]', 'live');
  await drop([['whales.md', prose('Blue whale')], ['<img src=x onerror=window.hacked=8>.md', prose('Sperm whale')], ['tiny.txt', 'x']]);
  for (const name of ['whales.md', 'onerror', 'tiny.txt']) await row(name).waitFor();
  await see('.document[data-status=COMPLETED]', 'whales.md');
  await see('.document[data-status=COMPLETED]', '<img src=x onerror=window.hacked=8>.md');
  await see('.document[data-status=FAILED]', 'UNSUPPORTED_FORMAT');
  assert.match(await row('whales.md').innerText(), /md · fast lane · \d+ passages? · just now/);
  await drop([['again.md', prose('Blue whale')]]);
  await see('.uploads li', 'is there already');
});

await step('a list that comes late takes nothing back that was told meanwhile', async () => {
  const token = await page.evaluate(() => sessionStorage.getItem('docent.token'));
  const failed = async () => (await (await page.request.get(`${base}/api/documents?details=true&status=FAILED`, { headers: { Authorization: `Bearer ${token}` } })).json()).documents[0]?.updatedAt;
  const before = await failed();
  let late = 0;
  await page.route('**/api/documents?*', async (r) => {
    const res = await r.fetch();
    const list = await res.json();
    list.documents.find((d) => d.filename === 'tiny.txt').status = 'PROCESSING';
    for (let now = before; !now || now === before;) now = await failed();
    await new Promise((told) => { setTimeout(told, 1000); });
    late++;
    await r.fulfill({ response: res, json: list }).catch(() => {}); // one that was given up
  });
  await row('tiny.txt').getByRole('button', { name: 'Try again' }).click();
  while (!late) await page.waitForTimeout(50);
  await page.unroute('**/api/documents?*');
  await page.waitForTimeout(200);
  await see('.document[data-status=FAILED]', 'tiny.txt');
});

await step('documents are filtered, tried again, chosen and deleted', async () => {
  await page.getByRole('button', { name: 'Failed', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.document').length === 1);
  const updated = () => page.evaluate(async () => (await (await fetch('/api/documents?details=true&status=FAILED', { headers: { Authorization: `Bearer ${sessionStorage.getItem('docent.token')}` } })).json()).documents[0]?.updatedAt);
  const before = await updated();
  await row('tiny.txt').getByRole('button', { name: 'Try again' }).click();
  await see('#toast', 'will be read again');
  for (let now = before; !now || now === before;) now = await updated();
  await see('.document[data-status=FAILED]', 'tiny.txt');
  await row('tiny.txt').getByRole('checkbox').check();
  await see('.bulk', '1 document chosen');
  await page.locator('.bulk').getByRole('button', { name: 'Delete' }).click();
  await see('dialog h2', 'Delete 1 document?');
  await key('Escape');
  assert.equal(await row('tiny.txt').count(), 1, 'escape deletes nothing');
  await row('tiny.txt').getByRole('button', { name: 'Delete tiny.txt' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
  await see('.documents .empty');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.document').length === 2);
});

await step('where the stream is cut the list is asked for again, and the stream comes back', async () => {
  await page.route('**/api/documents/events', (r) => r.abort());
  await go('#/library', '.sets li');
  await go('#/documents', '.document');
  await see('.live[data-state=off]', 'asked again');
  await page.unroute('**/api/documents/events');
  await see('.live[data-state=on]', 'live');
});

let block = '';
await step('a question, by the keyboard alone', async () => {
  await go('#/documents', '.document');
  await key('/');
  await page.waitForFunction(() => document.activeElement.id === 'q');
  await page.keyboard.type('how do I trim the wick?');
  await key('Enter');
  await see('#copy');
  await key('Escape'); // out of the field
  assert.equal(await page.locator('.phase[data-state=done]').count(), 8);
  await see('.page .prose', 'sharp scissors');
  await key('y');
  await see('#toast', 'clipboard');
  block = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(block, /^=== AOP-FINAL .*Trim the wick once a week[^]*=== END-AOP-FINAL ===\s*$/s);
  await page.getByRole('button', { name: 'Check it' }).click();
  await see('.verdict', 'stands in its source');
});

await step('the phases are laid open', async () => {
  for (let i = 0; i < 8; i++) await page.locator('.phase > summary').nth(i).press('Enter');
  const body = async (i) => (await page.locator('.phase .body').nth(i).innerText()).replace(/\s+/g, ' ');
  assert.match(await body(0), /how do I trim the wick.*as asked.*Language English/);
  assert.match(await body(1), /how to do something.*Sure by \d+ %.*“how do i”/);
  assert.match(await body(2), /Searched in .*Keeps sections from 0\.\d+/);
  assert.match(await body(3), /Trimming the wick heading has “Trimming the wick”; 2 of 2 words in this section/);
  assert.match(await body(4), /Kept \d+ sections?.*Trimming the wick 0\.\d\d/);
  assert.match(await body(5), /Lamps \d+ lines/);
  assert.match(await body(6), /only the sections that answer.*Lines \d+ of \d+/);
  assert.match(await body(7), /Sources \d+ section/);
});

await step('a long question is pasted whole', async () => {
  const before = await page.locator('#q').inputValue();
  const long = 'the lamp smokes and '.repeat(200).trim();
  await page.evaluate((text) => navigator.clipboard.writeText(text), long);
  await page.locator('#q').selectText();
  await key('Control+v');
  assert.equal((await page.locator('#q').inputValue()).length, long.length);
  await page.locator('#q').fill(before);
});

await step('an address that leads nowhere says so', async () => {
  const before = await page.evaluate(() => location.hash);
  await page.evaluate(() => { location.hash = '#/nope'; });
  await see('h1', 'There is no such page');
  await see('.lead code', '#/nope');
  assert.match(await page.title(), /^No such page/);
  await go(before, '#q');
});

await step('a way back leads to the question before', async () => {
  const title = (question) => page.waitForFunction((q) => document.title === `${q} · docent`, question);
  await title('how do I trim the wick?');
  await page.locator('#q').fill('cleaning the glass');
  await page.locator('#q').press('Enter');
  await title('cleaning the glass');
  await page.waitForFunction(() => document.querySelectorAll('.phase[data-state=done]').length === 8);
  await see('#copy');
  await page.goBack();
  await title('how do I trim the wick?');
  await see('.page .prose', 'sharp scissors');
  assert.equal(await page.locator('#q').inputValue(), 'how do I trim the wick?');
  assert.match(await page.locator('.answer .head').innerText(), /likely the answer|not sure/, 'how sure it is stands above it');
  assert.equal(await page.locator('.page .prose').getByText('omitted').count(), 0, 'what is left out is a mark');
});

await step('other queries find other sections', async () => {
  await page.getByText('Change the queries').press('Enter');
  assert.match(await page.locator('.change textarea').inputValue(), /^how do I trim the wick\?\n/);
  await page.locator('.change textarea').fill('cleaning glass with vinegar\nsoot');
  await page.getByRole('button', { name: 'Search with these' }).press('Enter');
  await see('.change [role=status]', 'kept');
  await see('.phase .hits', 'Cleaning');
  assert.match(await page.locator('.phase .body').nth(3).innerText(), /heading has “Cleaning”; 2 of 3 words|Cleaning/);
  assert.match(await page.locator('.page .prose').first().innerText(), /sharp scissors/, 'the answer stays');
});

await step('an entry opens the page at its section, and escape leads back', async () => {
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  await key('j'); // the first entry: the page of the answer
  assert.equal(await focused(), 'Lamps');
  await key('ArrowDown');
  await key('k');
  assert.equal(await focused(), 'Lamps');
  await key('Enter');
  await see('.reader section.found', 'Trim the wick once a week');
  await key('Escape');
  await see('#copy');
  assert.equal(await focused(), 'Lamps');
  await page.locator('.sources a').first().press('Enter');
  await see('.reader section.found', 'Trim the wick once a week');
  const url = page.url();
  await key('k'); // from section to section
  await see('.reader section[id=s-lamps]:focus');
  assert.equal(page.url(), url);
});

await step('the library is read by the keyboard alone', async () => {
  await go('#/documents', '.document');
  await key('3');
  await see('.sets li', 'Docent');
  await key('j');
  await key('Enter');
  await see('.pages li', 'lamps.md');
  await page.locator('#narrow').focus();
  await page.keyboard.type('LAMP');
  await page.waitForFunction(() => document.querySelectorAll('.pages a').length === 1);
  await key('Escape');
  await key('j');
  await key('Enter');
  await see('.reader .prose', 'sharp scissors');
  await key('[');
  await see('.reader .prose', 'barnacle');
  await key(']');
  await see('.reader .prose', 'sharp scissors');
  await page.locator('.prose a', { hasText: 'glass' }).press('Enter');
  await see('.reader section.found', 'vinegar');
  await page.locator('.around > summary').press('Enter');
  await page.locator('.around a', { hasText: 'Lamps' }).press('Enter');
  await see('.reader section.found', 'A lamp burns oil');
});

await step('a list that is read again while one walks it keeps its place', async () => {
  await go('#/documents', '.document');
  for (const changed of [false, true]) {
    let answer;
    const held = new Promise((resolve) => { answer = resolve; });
    await page.route('**/api/docsets', async (r) => {
      const response = await r.fetch();
      const json = await response.json();
      if (changed) json.sets[0].pages = 4;
      await held;
      await r.fulfill({ response, json });
    });
    await key('3');
    await see('.sets li', 'Docent');
    await key('j');
    const at = await focused();
    const came = page.waitForResponse('**/api/docsets');
    answer();
    await (await came).finished();
    if (changed) await see('.sets li', '4 pages');
    assert.equal(await focused(), at);
    await page.unroute('**/api/docsets');
    await go('#/documents', '.document');
  }
});

await step('questions and sections are suggested in words that they do not begin with', async () => {
  await go('#/ask', '#q');
  const line = page.locator('#q');
  const offered = page.locator('#suggested li');
  await line.fill('');
  await line.press('ArrowDown');
  const before = await offered.locator('span:first-child').allInnerTexts();
  assert.ok(before.includes('cleaning the glass') && before.includes('how do I trim the wick?'), before.join());
  await line.fill('');
  await line.pressSequentially('what do I need to trim a wick');
  await see('#suggested li', 'Lamps › Trimming the wick');
  await key('ArrowDown');
  assert.equal(await offered.first().getAttribute('aria-selected'), 'true');
  assert.equal(await line.getAttribute('aria-activedescendant'), 'suggested-0');
  await key('Escape'); // the list alone
  assert.equal(await page.locator('#suggested').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'q');
  await line.fill('wick trim');
  await see('#suggested li', 'how do I trim the wick?');
  await see('#suggested li', 'Lamps › Trimming the wick');
  for (const text of await offered.allInnerTexts()) {
    await key('ArrowDown');
    if (text.includes('Trimming the wick')) break;
  }
  await key('Enter');
  await see('.reader section.found', 'Trim the wick once a week');
  await key('Escape');
  await line.fill('trim');
  await see('#suggested li', 'how do I trim the wick?');
  await key('ArrowDown');
  await key('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.phase[data-state=done]').length === 8);
  await see('.page .prose', 'sharp scissors');
});

await step('what the search notes stands above the answer', async () => {
  await go('#/ask', '#q');
  await page.fill('#q', 'trim the scisors');
  await key('Enter');
  await see('.answer .notice', 'showing results for');
});

await step('a file that is no documentation is left out, and no fault', async () => {
  await go('#/library', '.sets li');
  await see('.sets .chip:not(.warn)', '1 file left out');
  assert.equal(await page.locator('.sets .chip.warn').count(), 0);
});

await step('a doc set is brought up to date from the library', async () => {
  await go('#/library', '.sets li');
  await page.getByRole('button', { name: /^Update Docent_Manual@/ }).press('Enter');
  await see('#toast', 'is up to date');
  await page.getByRole('button', { name: /^Update Docent_Manual@/ }).waitFor();
});

await step('documentation is added by its address, and a source that may not be asked is named', async () => {
  await go('#/library', '.sets li');
  await page.locator('#source').fill('react');
  await page.waitForFunction(() => document.querySelectorAll('#known-sources option').length > 0);
  await page.locator('#source').fill('https://elsewhere.example.org/docs/');
  await key('Enter');
  await see('.adding .notice.bad', 'may not fetch from elsewhere.example.org');
  assert.equal(await page.locator('#source').inputValue(), 'https://elsewhere.example.org/docs/', 'it can be mended');
  // Who looks at something else meanwhile comes back to what is being added.
  await page.route('**/api/docsets', async (r) => { if (r.request().method() === 'POST') await new Promise((done) => setTimeout(done, 1500)); await r.continue(); });
  await page.locator('#source').fill(`${site}/guide/`);
  await key('Enter');
  await go('#/ask', '#q');
  await go('#/library', '.adding progress:not([hidden])');
  assert.equal(await page.locator('#source').inputValue(), `${site}/guide/`);
  await see('.sets li', 'guide');
  await page.unroute('**/api/docsets');
  await see('#toast', 'can be asked now');
  assert.equal(await page.locator('.adding .notice').count(), 0);
  await page.locator('.sets a', { hasText: 'guide' }).press('Enter');
  await see('.pages li', 'Anchors');
});

await step('what is being added is cancelled, and nothing of it stays', async () => {
  const waiting = async (want) => { while (await (await fetch(`${site}/waiting`)).text() !== want) await new Promise((done) => setTimeout(done, 50)); };
  await go('#/library', '.sets li');
  await page.locator('#source').fill(`${site}/held/`);
  await key('Enter');
  await see('.adding progress:not([hidden])');
  await waiting('1'); // the server is fetching
  await page.locator('.adding').getByRole('button', { name: 'Cancel' }).press('Enter');
  await see('.adding p.fine', 'Cancelled.');
  await waiting('0'); // and stops, although nobody told the site
  assert.equal(await page.locator('.adding progress').isVisible(), false);
  assert.equal(await page.locator('#source').inputValue(), `${site}/held/`, 'it can be tried again');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'source');
  const sets = await page.evaluate(async () => (await (await fetch('/api/docsets', { headers: { Authorization: `Bearer ${sessionStorage.getItem('docent.token')}` } })).json()).sets.map((s) => s.set));
  assert.ok(!sets.some((s) => s.includes('held')), sets.join());
  // The next one is added as if nothing had been.
  await page.locator('#source').fill(`${site}/guide/`);
  await key('Enter');
  await page.waitForFunction(() => document.querySelector('#source').value === '');
  await page.waitForFunction(() => !document.querySelector('#source').disabled);
  assert.equal(await page.locator('.adding .notice, .adding p.fine:not([hidden])').count(), 0);
});

await step('hostile text does nothing, wherever it is shown', async () => {
  const hacked = () => page.evaluate(() => [window.hacked, getComputedStyle(document.body).display, document.querySelectorAll('main :is(script,style,iframe,svg,object,form[action],img,[onclick],[onerror],[onload],[style])').length]);
  await go('#/read/Docent_Manual/hostile.md', '.reader .prose section');
  await page.locator('.prose').getByText('a link that runs').click();
  for (const a of await page.locator('.prose a').all()) {
    assert.match(await a.getAttribute('href'), /^(https?:\/\/|#\/)/);
    if (await a.getAttribute('target')) assert.match(await a.getAttribute('rel'), /noopener/);
  }
  assert.deepEqual(await hacked(), [undefined, 'block', 0]);
  assert.equal(await page.locator('main .prose', { hasText: 'broken out' }).count(), 1, 'no text leaves its place');
  await go('#/library/Docent_Manual', '.pages li');
  await go('#/ask', '#q');
  await page.fill('#q', 'the barnacle wick <img src=x onerror=window.hacked=9>');
  await key('Enter');
  await see('.page .prose', 'barnacle');
  assert.deepEqual(await hacked(), [undefined, 'block', 0]);
  await go('#/ask?q=%3Cscript%3Ewindow.hacked=10%3C/script%3E', '#q');
  await go('#/read/%3Cimg%20src=x%20onerror=window.hacked=11%3E/x', '.notice.bad');
  await go('#/library/%3Cscript%3Ewindow.hacked=12%3C/script%3E', '.notice.bad');
  assert.deepEqual(await hacked(), [undefined, 'block', 0]);
});

await step('a question in the address is offered and not asked', async () => {
  await page.goto(`${base}/#/ask?q=how%20do%20I%20fill%20it`);
  let asked = 0;
  const count = (r) => { if (r.url().endsWith('/api/ask')) asked++; };
  page.on('request', count);
  await page.reload();
  await page.waitForFunction(() => document.getElementById('q')?.value === 'how do I fill it');
  assert.equal(asked, 0);
  await key('Enter');
  await see('.page .prose', 'whale oil');
  // The page is loaded anew: its own question is asked again, and its answer is there.
  await page.reload();
  await see('.page .prose', 'whale oil');
  assert.equal(asked, 2);
  // Another question in the address, above the answer, is offered too.
  await page.evaluate(() => { location.hash = '#/ask?q=how%20do%20I%20trim%20it'; });
  await page.waitForFunction(() => document.getElementById('q')?.value === 'how do I trim it');
  assert.equal(asked, 2);
  page.off('request', count);
});

await step('tab reaches everything, and the focus is seen', async () => {
  await go('#/library', '.sets li');
  await page.reload();
  await see('.sets li');
  await page.evaluate(() => { document.activeElement.blur(); });
  await key('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await key('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'main');
  await go('#/documents', '.document');
  await page.evaluate(() => document.getElementById('skip').focus());
  const wanted = await page.evaluate(() => [...document.querySelectorAll('a[href], button:not([disabled]), input, select, summary, [tabindex="0"]')].filter((e) => e.checkVisibility() && e.tabIndex >= 0).length);
  const reached = new Set();
  for (let i = 0; i < wanted; i++) {
    reached.add(await page.evaluate(() => {
      const e = document.activeElement;
      const s = getComputedStyle(e);
      if (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2) throw new Error(`the focus is not seen on ${e.outerHTML.slice(0, 200)}`);
      return [...document.querySelectorAll('*')].indexOf(e);
    }));
    await key('Tab');
  }
  assert.equal(reached.size, wanted);
  await key('?');
  await see('dialog', 'Keys');
  await page.locator('#letters').uncheck();
  await key('Escape');
  await key('3');
  assert.match(page.url(), /documents/, 'letters can be switched off');
  await page.locator('#keys').click();
  await page.locator('#letters').check();
  await key('Escape');
});

await step('the theme is the system’s, until one is chosen, which is remembered', async () => {
  await go('#/documents', '.document');
  await page.emulateMedia({ colorScheme: 'light' });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  assert.notEqual(light, dark);
  await key('t');
  assert.equal(await ground(), light);
  await page.reload();
  await see('.document');
  assert.equal(await ground(), light);
  await page.locator('#theme').click();
  assert.equal(await ground(), dark);
});

// Every view in light and dark, wide and small: no breach of WCAG A and AA that axe finds,
// nothing that is wider than the screen.
const views = [
  ['ask', '#/ask', '#q'],
  ['answer', '#/ask', '#q', async () => {
    await page.fill('#q', 'how do I trim the wick?');
    await page.press('#q', 'Enter');
    await see('.page .prose', 'sharp scissors');
    await page.locator('.options > summary').click();
    for (const i of [0, 3, 4, 6]) await page.locator('.phase > summary').nth(i).click();
    await page.getByText('Change the queries').click();
    await page.locator('.block > summary').click();
    await page.evaluate(() => scrollTo(0, 0));
  }],
  ['documents', '#/documents', '.document'],
  ['library', '#/library', '.sets li'],
  ['pages', '#/library/Docent_Manual', '.pages li'],
  ['page', '#/read/Docent_Manual/lamps.md?line=5&to=7', '.prose section.found'],
  ['hostile', '#/read/Docent_Manual/hostile.md', '.prose section'],
  ['keys', '#/library', '.sets li', async () => { await page.locator('#keys').click(); await see('dialog'); }],
  ['login', '', 'form.login', async () => {}],
];

async function lookAt(name, scheme, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}-${scheme}-${width}.png`) });
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })).violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`).join('\n')}`));
  assert.deepEqual(found, [], name);
}

for (const [scheme, width, height] of [['light', 1280, 900], ['dark', 360, 740], ['dark', 1280, 900], ['light', 360, 740]]) {
  await step(`${scheme}, ${width} wide: accessible, and nothing sticks out`, async () => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(() => localStorage.removeItem('docent.theme'));
    await page.goto(`${base}/#/ask`);
    await page.reload();
    await see('#q');
    for (const [name, hash, selector, more] of views) {
      if (name === 'login') {
        const token = await page.evaluate(() => { const t = sessionStorage.getItem('docent.token'); sessionStorage.removeItem('docent.token'); return t; });
        await page.reload();
        await see(selector);
        await lookAt(name, scheme, width);
        await page.evaluate((t) => sessionStorage.setItem('docent.token', t), token);
        continue;
      }
      await go(hash, selector);
      await more?.();
      await lookAt(name, scheme, width);
      if (await page.locator('dialog').count()) await key('Escape');
    }
  });
}

await step('whoever logs out is out', async () => {
  await page.reload();
  await see('#logout');
  const token = await page.evaluate(() => sessionStorage.getItem('docent.token'));
  await page.locator('#logout').click();
  await see('form.login');
  const status = await page.evaluate(async (t) => (await fetch('/api/docsets', { headers: { Authorization: `Bearer ${t}` } })).status, token);
  assert.equal(status, 401);
  await page.goBack();
  await see('form.login');
});

await browser.close();
process.exit(failed ? 1 : 0);
