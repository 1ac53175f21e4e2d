/** Finds where pages call plugins of Cordova whose native code a package does not have. */
import { currentName, harmlessPlugin, PARTLY_THERE, PLUGIN_CALLS } from './cordovaPlugins.ts';

/** Where pages call a plugin. */
export interface PluginUse {
  /** As pages write it, such as `navigator.camera`. */
  readonly call: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Whether the pages ask first whether it's there: then they work without it. */
  readonly isTested: boolean;
}

/** A plugin that an app names. */
export interface DeclaredPlugin {
  readonly name: string;
  /** The global names that its plugin.xml gives to its scripts; undefined where that file isn't known. */
  readonly clobbers?: readonly string[] | undefined;
}

/** The first word decides, see {@link PLUGIN_CALLS}. */
type CallKind = 'dotted' | 'global' | 'service' | 'constructor' | 'method' | 'text' | 'definition';

interface Call {
  readonly plugin: string;
  readonly kind: CallKind;
  readonly words: readonly string[];
  /** As it's shown. */
  readonly shown: string;
  /** Whether it's a guess by the plugin's name, whose case pages may write in another way. */
  readonly ignoresCase: boolean;
}

/** A name in a script with what's behind its dots. Offsets are those of its parts. */
interface Chain {
  readonly parts: readonly string[];
  readonly starts: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Number of the first part that's not `window`. */
  readonly first: number;
}

const NAME = /[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*/g;
/** `window['plugins']` is `window.plugins`. */
const BRACKETS = /\[\s?(["'])([A-Za-z_$][\w$]{0,100})\1\s?\]/g;
/** How Ionic's wrappers name the plugin that they call. */
const WRAPPER = /\bplugin["']?\s?[:=]\s?["']([\w.@/-]{5,100})["']/g;
const WINDOW = /^(?:window|self|globalThis|top|parent)$/;
const TESTED_BEHIND = /^\s{0,5}(?:&&|\?|[!=]==?\s{0,3}(?:undefined|null|void)\b)/;
const CONDITION_BEFORE = /\b(?:if|while)\s{0,3}\((?:[^;{}]{0,100}(?:&&|\|\|))?[\s(]{0,3}$/;
const TYPE_ASKED_BEFORE = /typeof\s{0,3}\(?\s{0,3}$/;
const TESTED_BEFORE = /(?:typeof\s{0,3}\(?|!)\s{0,3}$/;
/** `x = x || …` neither calls it nor asks for it. */
const NEUTRAL_BEHIND = /^\s{0,5}(?:\|\||=(?!=))/;
const DECLARED_BEFORE = /\b(?:function|var|let|const|class|import)\s{1,5}$/;
/** `{ name: … }`, and `name(…) {` of a class. */
const KEY_BEHIND = /^\s{0,5}(?::|\([^()]{0,200}\)\s{0,5}\{)/;
/** Variables of the window that a package has: a test for one says nothing of what is in it. */
const IN_PACKAGE: ReadonlySet<string> = new Set(['cordova', 'navigator', 'device', 'screen']);
/** Characters behind a test within which a call belongs to it. */
const TEST_REACH = 400;

/** A script that calls more plugins than that of those that the app doesn't name has a library of wrappers for all of them. */
const MAX_OTHERS = 8;

/** Reads scripts one after the other, and keeps where they call which plugin. */
export class PluginSearch {
  readonly #declared: ReadonlySet<string>;
  /** By their first words. */
  readonly #calls = new Map<string, Call[]>();
  readonly #uses = new Map<string, PluginUse>();

  constructor(declared: readonly DeclaredPlugin[]) {
    this.#declared = new Set(declared.map(({ name }) => currentName(name)));
    for (const { name, clobbers } of declared) {
      const plugin = currentName(name);
      const known = PLUGIN_CALLS.get(plugin);
      if (known !== undefined) {
        this.#add(plugin, known);
      } else if (harmlessPlugin(plugin) === undefined) {
        this.#add(plugin, callsOfUnknown(name, clobbers));
      }
    }
    // Several plugins have the same name for pages: one is enough.
    const seen = new Set([...this.#declared].flatMap((plugin) => PLUGIN_CALLS.get(plugin) ?? []));
    for (const [plugin, calls] of PLUGIN_CALLS) {
      if (!this.#declared.has(plugin)) {
        this.#add(
          plugin,
          calls.filter((call) => !seen.has(call)),
        );
        calls.forEach((call) => seen.add(call));
      }
    }
  }

  /** The first use of each plugin, by its name of today. One that isn't tested comes before those that are. */
  get uses(): ReadonlyMap<string, PluginUse> {
    return this.#uses;
  }

  /** @param script without comments */
  read(path: string, script: string): void {
    const uses = this.#usesIn(path, script);
    const others = [...uses.keys()].filter((plugin) => !this.#declared.has(plugin)).length;
    for (const [plugin, use] of uses) {
      if (this.#declared.has(plugin) || others <= MAX_OTHERS) {
        keep(this.#uses, plugin, use);
      }
    }
  }

  #usesIn(path: string, script: string): ReadonlyMap<string, PluginUse> {
    const uses = new Map<string, PluginUse>();
    const text = script.replace(BRACKETS, '.$2');
    for (const { 1: name = '', index } of text.matchAll(WRAPPER)) {
      const plugin = currentName(name);
      if (this.#declared.has(plugin) && !isWrappedWell(plugin)) {
        keep(uses, plugin, { call: plugin, path, line: lineAt(text, index), isTested: false });
      }
    }
    const names = new ScriptNames(text);
    for (const { 0: name, index } of text.matchAll(NAME)) {
      const chain = chainAt(name, index);
      names.note(chain);
      for (const [at, part] of chain.parts.entries()) {
        for (const call of this.#calls.get(part) ?? []) {
          const use = names.useOf(call, chain, at, this.#declared.has(call.plugin));
          if (use !== undefined) {
            keep(uses, call.plugin, { call: call.shown, path, line: lineAt(text, index), isTested: use === 'tested' });
          }
        }
      }
    }
    return uses;
  }

  #add(plugin: string, calls: readonly string[]): void {
    for (const written of calls) {
      const call = callOf(plugin, written);
      const [first = ''] = call.words;
      this.#calls.set(first, [...(this.#calls.get(first) ?? []), call]);
    }
  }
}

function keep(uses: Map<string, PluginUse>, plugin: string, use: PluginUse): void {
  const known = uses.get(plugin);
  if (known === undefined || (known.isTested && !use.isTested)) {
    uses.set(plugin, use);
  }
}

/** Whether Ionic's wrapper does all that pages want, or its calls do no harm. */
function isWrappedWell(plugin: string): boolean {
  return PARTLY_THERE.has(plugin) || harmlessPlugin(plugin) !== undefined || plugin === 'cordova-plugin-statusbar';
}

/** What a script says of names so far. */
class ScriptNames {
  readonly #text: string;
  /** Variables and functions that the script itself declares. */
  readonly #own = new Set<string>();
  /** Where the last test of a plugin ends. */
  readonly #tests = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Keeps a test for a variable of the window, such as `StatusBar` or `plugins`, and what the script declares. */
  note({ parts, start, end, first }: Chain): void {
    const isAlone = parts.length === first + 1;
    if (isAlone && this.#isTest(start, end)) {
      this.#tests.set(parts[first] ?? '', end);
    }
    if (isAlone && first === 0 && DECLARED_BEFORE.test(this.#before(start))) {
      this.#own.add(parts[0] ?? '');
    }
  }

  /** @param at number of the part that the call may begin with */
  useOf(
    { plugin, kind, words, ignoresCase }: Call,
    chain: Chain,
    at: number,
    isDeclared: boolean,
  ): 'called' | 'tested' | undefined {
    const { parts, starts, start, first } = chain;
    const last = at + words.length - 1;
    const written = (index: number): string | undefined =>
      ignoresCase ? parts[at + index]?.toLowerCase() : parts[at + index];
    if (words.some((word, index) => written(index) !== word)) {
      return undefined;
    }
    const end = (starts[last] ?? 0) + (parts[last] ?? '').length;
    if (this.#isQuoted(chain)) {
      return isDeclared && (kind === 'dotted' || at === first) && kind !== 'definition' ? 'called' : undefined;
    }
    if (!this.#isPlace(kind, chain, at, end, isDeclared)) {
      return undefined;
    }
    if (kind === 'definition') {
      return 'called';
    }
    if (end === chain.end) {
      if (this.#isTest(start, end)) {
        // A library that asks once what there is, such as one for databases, takes another way without it.
        const isForAll = kind === 'global' && TYPE_ASKED_BEFORE.test(this.#before(start));
        this.#tests.set(plugin, isForAll ? Infinity : end);
        return undefined;
      }
      if (NEUTRAL_BEHIND.test(this.#behind(end))) {
        return undefined;
      }
    }
    const isNear = (tested: string): boolean => start - (this.#tests.get(tested) ?? -Infinity) < TEST_REACH;
    return this.#text[end] === '?' || isNear(plugin) || (!IN_PACKAGE.has(words[0] ?? '') && isNear(words[0] ?? ''))
      ? 'tested'
      : 'called';
  }

  /** Whether a call of this kind can stand there. */
  #isPlace(
    kind: CallKind,
    { parts, start, end, first }: Chain,
    at: number,
    callEnd: number,
    isDeclared: boolean,
  ): boolean {
    const isMember = at > 0 || this.#text[start - 1] === '.';
    const isOwn = first === 0 && this.#own.has(parts[0] ?? '');
    const isGlobal = at === first && !(isMember && at === 0) && !isOwn;
    switch (kind) {
      case 'dotted':
      case 'service':
        return true;
      case 'global':
        return isGlobal && !(callEnd === end && KEY_BEHIND.test(this.#behind(callEnd)));
      case 'constructor':
        return isGlobal && /\bnew\s{1,5}$/.test(this.#before(start));
      case 'method':
        return isMember && isDeclared;
      case 'definition':
        return (
          at === first && (/^\s{0,5}=(?!=)/.test(this.#behind(end)) || /\bfunction\s{1,5}$/.test(this.#before(start)))
        );
      case 'text':
        return false;
    }
  }

  #isTest(start: number, end: number): boolean {
    return (
      TESTED_BEHIND.test(this.#behind(end)) ||
      TESTED_BEFORE.test(this.#before(start)) ||
      (/^\s{0,5}\)/.test(this.#behind(end)) && CONDITION_BEFORE.test(this.#text.slice(Math.max(0, start - 110), start)))
    );
  }

  #isQuoted({ start, end }: Chain): boolean {
    const quote = this.#text[start - 1] ?? '';
    return /["'`]/.test(quote) && this.#text[end] === quote;
  }

  #before(start: number): string {
    return this.#text.slice(Math.max(0, start - 16), start);
  }

  #behind(end: number): string {
    return this.#text.slice(end, end + 220);
  }
}

function chainAt(name: string, start: number): Chain {
  const parts: string[] = [];
  const starts: number[] = [];
  let at = start;
  for (const part of name.split('.')) {
    parts.push(part.endsWith('?') ? part.slice(0, -1) : part);
    starts.push(at);
    at += part.length + 1;
  }
  const first = parts.findIndex((part) => !WINDOW.test(part));
  return { parts, starts, start, end: start + name.length, first: Math.max(0, first) };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

const KIND_OF_SIGN: ReadonlyMap<string, CallKind> = new Map([
  ['.', 'method'],
  ['"', 'text'],
  ['=', 'definition'],
  ['$', 'service'],
]);

/** @param written as {@link PLUGIN_CALLS} has it */
function callOf(plugin: string, written: string): Call {
  const name = written.replace(/^(?:new |[.="~])|"$/g, '');
  const words = name.split('.');
  const ofName = words.length > 1 ? 'dotted' : 'global';
  const kind = written.startsWith('new ') ? 'constructor' : (KIND_OF_SIGN.get(written[0] ?? '') ?? ofName);
  const ignoresCase = written.startsWith('~');
  return { plugin, kind, words, ignoresCase, shown: kind === 'constructor' ? written : name };
}

/** Names of the web, and those that several plugins share. */
const NO_CLOBBER =
  /^(?:|window|navigator|cordova|plugins?|cordova\.plugins?|device|screen|open|alert|console|document|Promise|File|FileReader|Blob|Media|navigator\.(?:geolocation|connection|vibrate|device))$/;

/** What pages call of a plugin that no table has: the names that its plugin.xml says, else those that its own name suggests. */
function callsOfUnknown(name: string, clobbers: readonly string[] = []): readonly string[] {
  const said = clobbers.map((each) => each.trim().replace(/^window\./, '')).filter((each) => !NO_CLOBBER.test(each));
  return said.length > 0 ? said : guessedCalls(name);
}

/** `cordova-plugin-foo-bar` is called `fooBar` or `FooBar`, and its words are below `plugins`, `cordova` or `navigator`, in any case (`~`). */
function guessedCalls(name: string): readonly string[] {
  const last = (name.split('/').at(-1) ?? '').replace(/^(?:[\w-]{1,50}\.){2,9}/, '');
  const words = last
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => !/^(?:|x|cordova|phonegap|ionic|plugin|plugins)$/i.test(word));
  const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  const camel = pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
  if (!/^[A-Za-z]\w{2,}$/.test(pascal)) {
    return [];
  }
  const single = words.filter((word) => word.length > 3);
  const below = [pascal, ...single].map((each) => `~plugins.${each.toLowerCase()}`);
  const elsewhere = ['cordova', 'navigator'].map((parent) => `~${parent}.${pascal.toLowerCase()}`);
  const alone = words.length > 1 ? [camel, pascal, `"${pascal}"`] : [];
  return [...new Set([...below, ...elsewhere, ...alone, `$cordova${pascal}`])];
}
