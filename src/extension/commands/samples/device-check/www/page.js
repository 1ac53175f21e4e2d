/* Shows the checks, runs them, and writes the report. Stores the results, so that they persist when Android kills the app. */
'use strict';

const LIMIT_MS = 10000;
const WORDS = {
  good: 'Good',
  bad: 'Bad',
  none: 'Not supported',
  open: 'To do',
  waiting: 'Waiting',
  phone: 'Needs a phone',
};
const isPhone = /Android/.test(navigator.userAgent);
/** Results, keyed by the check's title: `result` is a key of WORDS, `text` has the details. */
const found = JSON.parse(localStorage.getItem('found') || '{}');
/** Rows, keyed by the check's title. */
const rows = new Map();
/** The waiting check. Its title is also stored, because the page may restart in the meantime. */
let waiting;
let device = navigator.userAgent;

const element = (id) => document.getElementById(id);

function make(tag, attributes, children) {
  const made = Object.assign(document.createElement(tag), attributes);
  (children || []).forEach((child) => made.appendChild(child));
  return made;
}

function button(label, check, className, onClick) {
  const made = make('button', { type: 'button', textContent: label, className, onclick: onClick });
  made.setAttribute('aria-label', `${label}: ${check.title}`);
  return made;
}

/** Returns the result of a check: a key of WORDS, and a description. */
function resultFor(check) {
  const isElsewhere = check.needsPhone && !isPhone;
  return isElsewhere ? { result: 'phone', text: '' } : found[check.title] || { result: 'open', text: '' };
}

function buttonsFor(check, result) {
  const judge = (label, judgment) => button(label, check, '', () => end(check, judgment, resultFor(check).text));
  const failed = judge('It didn’t', 'bad');
  const judges = [judge('It worked', 'good'), failed];
  if (check.isAutomatic || result === 'phone') {
    return [];
  }
  if (result === 'open') {
    return check.start ? [button('Start', check, '', () => run(check))] : judges;
  }
  if (result === 'waiting') {
    return check.isJudged ? judges : [failed];
  }
  return [button('Again', check, '', () => (check.start ? run : end)(check, 'open'))];
}

function draw(check) {
  const { result, text } = resultFor(check);
  const { row, badge, todo, detail, buttons } = rows.get(check.title);
  const hasFocus = buttons.contains(document.activeElement);
  row.dataset.result = result;
  badge.textContent = WORDS[result];
  todo.hidden = check.isAutomatic && result !== 'open';
  detail.textContent = text;
  buttons.textContent = '';
  buttonsFor(check, result).forEach((each) => buttons.appendChild(each));
  if (hasFocus) {
    buttons.firstChild.focus({ preventScroll: true });
  }
}

function addRow(list, check) {
  const title = make('h3', { textContent: check.title });
  const badge = make('b');
  const todo = make('span', { textContent: check.todo });
  const detail = make('small');
  const buttons = make('div', { className: 'buttons' });
  const row = make('li', {}, [title, badge, todo, detail, buttons]);
  rows.set(check.title, { check, row, badge, todo, detail, buttons });
  list.appendChild(row);
  draw(check);
}

function set(check, result, text) {
  found[check.title] = { result, text: text || '' };
  localStorage.setItem('found', JSON.stringify(found));
  draw(check);
  report();
}

/** Ends a waiting check, or one that the user only looks at. */
function end(check, result, text) {
  if (waiting && waiting.check === check) {
    waiting = undefined;
    localStorage.removeItem('waiting');
    if (window.undo) {
      window.undo();
      window.undo = undefined;
    }
  }
  set(check, result, text);
  if (result !== 'open') {
    announce(lineFor(check));
  }
}

/** Announces text to screen readers. */
function announce(text) {
  element('status').textContent = text;
}

function lineFor(check) {
  const { result, text } = resultFor(check);
  return `${WORDS[result]}: ${check.title}${text ? ` (${text})` : ''}`;
}

function begin(check) {
  return new Promise((resolve) => resolve(check.start()));
}

function toResult(error) {
  return error.isUnavailable ? 'none' : 'bad';
}

/** Starts a check in place of the waiting one. Ignores its result if another check has started in the meantime. */
function run(check) {
  if (waiting) {
    end(waiting.check, 'open');
  }
  const turn = { check };
  waiting = turn;
  localStorage.setItem('waiting', check.title);
  set(check, 'waiting');
  begin(check).then(
    (text) => waiting === turn && (check.isJudged ? set(check, 'waiting', text) : end(check, 'good', text)),
    (error) => waiting === turn && end(check, toResult(error), error.message)
  );
}

function isRunAtStart(check) {
  return check.isAutomatic && resultFor(check).result !== 'phone';
}

function runAutomatic(check) {
  const timeout = new Promise((resolve, reject) =>
    setTimeout(() => reject(new Error(`No response within ${LIMIT_MS / 1000} s`)), LIMIT_MS)
  );
  return Promise.race([begin(check), timeout]).then(
    (text) => set(check, text === undefined ? 'open' : 'good', text),
    (error) => set(check, toResult(error), error.message)
  );
}

/** Handles a page that restarted during a check. One of the checks waits for that. */
function goOn({ isEnding, note }) {
  const { check } = rows.get(localStorage.getItem('waiting')) || {};
  localStorage.removeItem('waiting');
  history.replaceState({ note }, '');
  if (check && check.start === awaitEnd && isEnding) {
    set(check, 'good', `The page is back${note ? `, with “${note}”` : ''}.`);
  } else if (check) {
    set(check, 'bad', 'The page restarted in the meantime.');
  }
}

function report() {
  const all = Array.from(rows.values(), ({ check }) => check);
  const count = (...results) => all.filter((check) => results.indexOf(resultFor(check).result) >= 0).length;
  const counts = [count('good'), count('bad'), count('open', 'waiting')];
  const [none, phone] = [count('none'), count('phone')];
  const summary = [
    `${counts[0]} good, ${counts[1]} bad, ${counts[2]} to do`,
    none && `${none} not supported`,
    phone && `${phone} need a phone`,
  ]
    .filter(Boolean)
    .join(', ');
  element('summary').textContent = summary;
  counts.forEach((each, index) => (element('bar').children[index].style.flexGrow = each));
  element('report').value = [
    `Device Check 1.0.0: ${summary}`,
    `${new Date().toISOString().slice(0, 10)}, ${device}`,
    `${innerWidth} × ${innerHeight}, density ${devicePixelRatio}, ${navigator.language}, ${location.origin}`,
    navigator.userAgent,
    '',
  ]
    .concat(all.map(lineFor))
    .join('\n');
}

function showDevice(model, android, webView) {
  const browser = /; wv\)/.test(navigator.userAgent) ? 'WebView' : 'browser';
  device = [model, isPhone && `Android ${android}`, `${browser} ${webView}`].filter(Boolean).join(', ');
  element('device').textContent = device;
  report();
}

/** Finds the model and the versions. Newer WebViews hide them in the user agent but provide them on request. */
function findDevice() {
  const [, version, model] = /Android ([\d.]+); ([^;)]+?)(?: Build\/|[;)])/.exec(navigator.userAgent) || [];
  const [, chromium] = /Chrome\/([\d.]+)/.exec(navigator.userAgent) || [];
  showDevice(model, version, chromium);
  const data = navigator.userAgentData;
  if (data) {
    data
      .getHighEntropyValues(['model', 'platformVersion', 'uaFullVersion'])
      .then((all) => showDevice(all.model || model, all.platformVersion || version, all.uaFullVersion || chromium))
      .catch(() => undefined);
  }
}

function copyReport() {
  const tell = (isCopied) => (element('copied').textContent = isCopied ? 'Copied.' : 'Select the report, and copy it.');
  const select = () => {
    element('report').select();
    tell(document.execCommand('copy'));
  };
  new Promise((resolve) => resolve(navigator.clipboard.writeText(element('report').value))).then(
    () => tell(true),
    select
  );
}

Object.keys(GROUPS).forEach((group) => {
  const list = make('ul');
  element('checks').appendChild(make('section', {}, [make('h2', { textContent: group }), list]));
  GROUPS[group].forEach(([title, todo, start, words]) => {
    const [isAutomatic, isJudged, needsPhone] = ['itself', 'judged', 'phone'].map(
      (word) => (words || '').indexOf(word) >= 0
    );
    addRow(list, { title, todo, start, isJudged, needsPhone, isAutomatic });
  });
});
element('outside').hidden = Boolean(window.cordova);
element('copy').onclick = copyReport;
element('reset').onclick = () => {
  if (confirm('Delete all results?')) {
    localStorage.clear();
    location.reload();
  }
};
// The shell restores the history with its state.
const note = element('note');
const { note: typed } = history.state || {};
note.value = typed || '';
note.oninput = () => history.replaceState(Object.assign({}, history.state, { note: note.value }), '');
goOn(history.state || {});
findDevice();
Promise.all(Array.from(rows.values(), ({ check }) => isRunAtStart(check) && runAutomatic(check))).then(() =>
  announce(element('summary').textContent)
);
