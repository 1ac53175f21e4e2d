/** Finds the scripts in an app's files, as text to search. The time for each file is linear in its length. */
import { Tokenizer } from 'htmlparser2';
import jsTokens from 'js-tokens';

interface TextRange {
  readonly start: number;
  readonly end: number;
}

const SCRIPT = /\.[cm]?js$/i;
const PAGE = /\.html?$/i;
/** Matches Cordova's own script. It mentions features that an app may not use. */
const CORDOVA_SCRIPT = /(?:^|\/)(?:cordova|phonegap)(?:[-.]\d[\w.-]{0,20})?(?:\.min)?\.js$/i;

/** Reports whether a file may contain scripts of an app: a script or a page, but not Cordova's own script. */
export function mayHaveScripts(path: string): boolean {
  return (SCRIPT.test(path) && !CORDOVA_SCRIPT.test(path)) || PAGE.test(path);
}

/**
 * Returns the text of a file with everything except scripts replaced by spaces, including comments. Offsets and lines
 * don't change.
 *
 * @param path determines whether the file is a script or a page. For any other file, the result is blank
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

/**
 * Replaces the comments in a script with spaces. Keeps text that looks like the start of an unclosed comment, because
 * it usually isn't a comment.
 */
function withoutComments(script: string): string {
  const parts: string[] = [];
  for (const token of jsTokens(script)) {
    const isComment = token.type === 'SingleLineComment' || (token.type === 'MultiLineComment' && token.closed);
    parts.push(isComment ? blank(token.value) : token.value);
  }
  return parts.join('');
}

const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:babel|jsx))$/i;

/** Returns the scripts in a page and in the attributes of its elements, in order. */
function scriptSpans(html: string): readonly TextRange[] {
  const spans: TextRange[] = [];
  let attribute = '';
  let value: TextRange = { start: 0, end: 0 };
  /** Type of the current script, or undefined outside of a script. */
  let scriptType: string | undefined;
  const endScript = (): void => {
    scriptType = undefined;
  };
  const ignore = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        scriptType = html.slice(start, end).toLowerCase() === 'script' ? '' : undefined;
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = { start: end, end };
      },
      onattribdata: (start, end) => {
        value = { start, end };
      },
      onattribend: () => {
        const text = html.slice(value.start, value.end).trim();
        if (scriptType !== undefined && attribute === 'type') {
          scriptType = text;
        } else if (attribute.startsWith('on') || (attribute === 'href' && /^javascript:/i.test(text))) {
          spans.push(value);
        }
      },
      ontext: (start, end) => {
        if (scriptType !== undefined && JAVASCRIPT.test(scriptType)) {
          spans.push({ start, end });
        }
      },
      onclosetag: endScript,
      onselfclosingtag: endScript,
      isInForeignContext: () => false,
      // None of these events belongs to a script that runs.
      ...{ onattribentity: ignore, ontextentity: ignore, oncdata: ignore, oncomment: ignore, ondeclaration: ignore },
      ...{ onopentagend: ignore, onprocessinginstruction: ignore, onend: ignore },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return spans;
}

/** Folders for third-party code. */
const LIBRARY_FOLDERS: ReadonlySet<string> = new Set(
  'lib libs vendor vendors bower_components node_modules jspm_packages third-party third_party'.split(' '),
);
/** Matches the folder of a Cordova plugin. */
const PLUGIN_FOLDER = /^(?:cordova-plugin|phonegap-plugin|org\.apache\.cordova)\b/;

/** Prefixes of libraries whose file names vary, such as `jquery.mobile.js` and `angular-route.js`. */
const LIBRARY_FAMILIES = ['jquery', 'angular', 'ng-cordova', 'ngcordova', 'ionic.bundle'];
/** File names of libraries, without the suffixes in {@link BUILD_WORDS}. */
const LIBRARIES: ReadonlySet<string> = new Set(
  (
    'cordova phonegap cordova_plugins ionic ionic-angular zepto react react-dom preact vue vue-router vuex ember backbone underscore ' +
    'lodash knockout handlebars mustache require requirejs polyfill polyfills core-js modernizr bootstrap popper materialize ' +
    'framework7 onsenui kendo ext-all sencha-touch dojo mootools prototype fastclick hammer iscroll swiper slick moment dayjs d3 ' +
    'highcharts echarts leaflet mapbox-gl maplibre-gl three pixi phaser createjs easeljs howler socket.io axios firebase pouchdb ' +
    'localforage dexie sql-wasm crypto-js html5-qrcode qrcode jsqr quagga instascan zxing sweetalert sweetalert2 toastr sizzle'
  ).split(' '),
);
/** Matches a suffix of a library's file name: the version or the type of build. */
const BUILD_WORDS =
  /[-._](?:v?\d\w{0,20}|min|slim|prod|production|dev|development|debug|all|full|bundle|core|umd|global|iife|esm|runtime|browser|src|pkgd|android|ios)$/;

/** Reports whether a file is a known library, according to its name and folder, and not the app's own script. */
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
