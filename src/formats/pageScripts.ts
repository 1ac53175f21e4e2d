/** The scripts in the files of an app, as text to search in. Nothing is run, and each file takes time in proportion to its length. */

interface Span {
  readonly start: number;
  readonly end: number;
}

const SCRIPT = /\.[cm]?js$/i;
const PAGE = /\.html?$/i;

/** Whether a file may have scripts: it's a script or a page. */
export function mayHaveScripts(path: string): boolean {
  return SCRIPT.test(path) || PAGE.test(path);
}

/**
 * The scripts of a file, without comments. Everything else is blank, so that each offset and line is that of the file.
 *
 * @param path decides whether it's a script or a page; of another file, nothing is left
 */
export function scriptsIn(path: string, text: string): string {
  if (SCRIPT.test(path)) {
    return withoutComments(text);
  }
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of PAGE.test(path) ? scriptSpans(text) : []) {
    parts.push(blank(text.slice(at, start)), withoutComments(text.slice(start, end)));
    at = end;
  }
  parts.push(blank(text.slice(at)));
  return parts.join('');
}

function blank(text: string): string {
  return text.replace(/[^\r\n]+/g, (run) => ' '.repeat(run.length));
}

// Pages

const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:babel|jsx))$/i;
const ATTRIBUTE = /\b(on[a-z]{2,30}|href|type)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** The scripts that are written in a page, and those in the attributes of its elements. */
function scriptSpans(html: string): readonly Span[] {
  const spans: Span[] = [];
  let at = html.indexOf('<');
  while (at >= 0) {
    if (html.startsWith('<!--', at)) {
      at = indexAfter(html, '-->', at + 4);
    } else if (/[a-z]/i.test(html[at + 1] ?? '')) {
      const end = endOfTag(html, at);
      const isScript = /^<script[\s/>]/i.test(html.slice(at, at + 8));
      let isJavaScript = true;
      for (const { index, 0: whole, 1: name = '', 2: double, 3: single, 4: plain } of html
        .slice(at, end)
        .matchAll(ATTRIBUTE)) {
        const value = double ?? single ?? plain ?? '';
        if (name.toLowerCase() === 'type') {
          isJavaScript = JAVASCRIPT.test(value.trim());
        } else if (name.toLowerCase() !== 'href' || /^\s{0,20}javascript:/i.test(value)) {
          const start = at + index + whole.lastIndexOf(value);
          spans.push({ start, end: start + value.length });
        }
      }
      at = end;
      if (isScript) {
        const close = endOfScript(html, end);
        if (isJavaScript) {
          spans.push({ start: end, end: close });
        }
        at = close;
      }
    } else {
      at += 1;
    }
    at = html.indexOf('<', at);
  }
  return spans;
}

function indexAfter(text: string, searched: string, from: number): number {
  const index = text.indexOf(searched, from);
  return index < 0 ? text.length : index + searched.length;
}

/** @param at where the tag starts */
function endOfTag(html: string, at: number): number {
  let quote = '';
  for (let index = at; index < html.length; index += 1) {
    const character = html[index] ?? '';
    if (quote !== '') {
      quote = character === quote ? '' : quote;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '>') {
      return index + 1;
    }
  }
  return html.length;
}

function endOfScript(html: string, from: number): number {
  const end = /<\/script/gi;
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

// Scripts

/** A script whose comments are blank. */
function withoutComments(script: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of commentsIn(script)) {
    parts.push(script.slice(kept, start), blank(script.slice(start, end)));
    kept = end;
  }
  parts.push(script.slice(kept));
  return parts.join('');
}

/**
 * Where the comments of a script are. Where it can't tell a division from a regular expression, it sees the former. So that a mistake
 * costs little in a script of one long line, neither `://`, as in an address, nor `\//` begins a comment.
 */
function commentsIn(script: string): readonly Span[] {
  const comments: Span[] = [];
  /** For each `${` that is open: the braces that are open in it. */
  const braces: number[] = [];
  const lastBlockEnd = script.lastIndexOf('*/');
  let at = 0;
  const readTemplate = (): void => {
    at = endOfTemplateText(script, at);
    if (script[at - 1] === '{') {
      braces.push(0);
    }
  };
  while (at < script.length) {
    const start = at;
    const next = script[start + 1];
    at += 1;
    switch (script[start] ?? '') {
      case '"':
      case "'":
        at = endOfString(script, start);
        break;
      case '`':
        readTemplate();
        break;
      case '{':
      case '}': {
        const open = braces.pop();
        if (open === 0 && script[start] === '}') {
          readTemplate();
        } else if (open !== undefined) {
          braces.push(script[start] === '{' ? open + 1 : open - 1);
        }
        break;
      }
      case '/':
        if (next === '*' && lastBlockEnd > at) {
          at = script.indexOf('*/', at + 1) + 2;
          comments.push({ start, end: at });
        } else if (next === '/' && !/[:\\]/.test(script[start - 1] ?? '')) {
          at = endOfLine(script, at);
          comments.push({ start, end: at });
        } else if (next !== '/' && mayBeginExpression(script, start)) {
          at = endOfExpression(script, at);
        }
        break;
    }
  }
  return comments;
}

/** @param at of the quote. @returns the end of the line for a string without an end */
function endOfString(script: string, at: number): number {
  for (let index = at + 1; index < script.length; index += 1) {
    if (script[index] === script[at]) {
      return index + 1;
    }
    if (script[index] === '\\') {
      index += 1;
    } else if (script[index] === '\n') {
      return index;
    }
  }
  return script.length;
}

/** Behind the quote that ends a template, or behind `${`. */
function endOfTemplateText(script: string, from: number): number {
  for (let index = from; index < script.length; index += 1) {
    if (script[index] === '`') {
      return index + 1;
    }
    if (script[index] === '\\') {
      index += 1;
    } else if (script[index] === '$' && script[index + 1] === '{') {
      return index + 2;
    }
  }
  return script.length;
}

const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{;+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|delete|void|throw|else|do|await|yield))$/;

/** Whether a slash may begin a regular expression, by what stands before it. */
function mayBeginExpression(script: string, slash: number): boolean {
  let end = slash;
  while (end > 0 && /[ \t]/.test(script[end - 1] ?? '')) {
    end -= 1;
  }
  return BEFORE_EXPRESSION.test(script.slice(Math.max(0, end - 7), end));
}

/** @param from behind the first slash. @returns the end of the line where it has no end */
function endOfExpression(script: string, from: number): number {
  let isInClass = false;
  for (let index = from; index < script.length; index += 1) {
    const character = script[index];
    if (character === '\n') {
      return index;
    }
    if (character === '\\') {
      index += 1;
    } else if (character === '[' || character === ']') {
      isInClass = character === '[';
    } else if (character === '/' && !isInClass) {
      return index + 1;
    }
  }
  return script.length;
}

function endOfLine(script: string, from: number): number {
  const end = script.indexOf('\n', from);
  return end < 0 ? script.length : end;
}

// Libraries

/** Folders for third-party code. */
const LIBRARY_FOLDERS: ReadonlySet<string> = new Set(
  'lib libs vendor vendors bower_components node_modules jspm_packages third-party third_party'.split(' '),
);
/** A Cordova plugin's own folder. */
const PLUGIN_FOLDER = /^(?:cordova-plugin|phonegap-plugin|org\.apache\.cordova)\b/;

/** Libraries whose file names go on in any way: `jquery.mobile.js`, `angular-route.js`. */
const LIBRARY_FAMILIES = ['jquery', 'angular', 'ng-cordova', 'ngcordova', 'ionic.bundle'];
/** Libraries by the name of their file, without {@link BUILD_WORDS}. */
const LIBRARIES: ReadonlySet<string> = new Set(
  (
    'cordova phonegap cordova_plugins ionic ionic-angular zepto react react-dom preact vue vue-router vuex ember backbone underscore ' +
    'lodash knockout handlebars mustache require requirejs polyfill polyfills core-js modernizr bootstrap popper materialize ' +
    'framework7 onsenui kendo ext-all sencha-touch dojo mootools prototype fastclick hammer iscroll swiper slick moment dayjs d3 ' +
    'highcharts echarts leaflet mapbox-gl maplibre-gl three pixi phaser createjs easeljs howler socket.io axios firebase pouchdb ' +
    'localforage dexie sql-wasm crypto-js html5-qrcode qrcode jsqr quagga instascan zxing sweetalert sweetalert2 toastr sizzle'
  ).split(' '),
);
/** What may follow a library's name: its version, or how it was built. */
const BUILD_WORDS =
  /[-._](?:v?\d\w{0,20}|min|slim|prod|production|dev|development|debug|all|full|bundle|core|umd|global|iife|esm|runtime|browser|src|pkgd|android|ios)$/;

/** Whether a file is a known library rather than a script of the app's own, by its name and folder. */
export function isLibrary(path: string): boolean {
  const folders = path.toLowerCase().split('/');
  let name = (folders.pop() ?? '').replace(SCRIPT, '');
  if (
    folders.some((folder) => LIBRARY_FOLDERS.has(folder) || PLUGIN_FOLDER.test(folder)) ||
    LIBRARY_FAMILIES.some((family) => name.startsWith(family))
  ) {
    return true;
  }
  while (!LIBRARIES.has(name)) {
    const shorter = name.replace(BUILD_WORDS, '');
    if (shorter === name) {
      return false;
    }
    name = shorter;
  }
  return true;
}
