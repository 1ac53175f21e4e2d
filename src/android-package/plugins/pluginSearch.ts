/** Finds calls in an app's scripts that require the native code of Cordova plugins. */
import {
  currentName,
  harmlessPlugin,
  isCapacitorPlugin,
  PARTLY_THERE,
  type PluginCall,
  guessCalls,
  PLUGIN_CALLS,
} from './cordovaPlugins.ts';
import { MAX_CONTEXT, MAX_UNDECLARED } from '../limits.ts';
import { TextLines } from '../pages/textLines.ts';

/** A call to a plugin in a script. */
export interface PluginUse {
  /** The call as it appears in scripts, such as `navigator.camera`. */
  readonly call: string;
  readonly path: string;
  /** Line number, starting at 1. */
  readonly line: number;
  /** Whether the script checks first that the plugin exists, so that it works without the plugin. */
  readonly isTested: boolean;
}

/** A plugin that an app declares. */
export interface DeclaredPlugin {
  readonly name: string;
  /** Global variables that plugin.xml defines for the plugin's scripts. Undefined if plugin.xml is missing. */
  readonly clobbers?: readonly string[] | undefined;
}

/** A chain of names in a script, such as `a.b.c`. */
interface NameChain {
  readonly words: readonly string[];
  /** Offsets of the start of the first word and of the end of each word. */
  readonly start: number;
  readonly ends: readonly number[];
  /** Whether the chain follows `window.` */
  readonly isOnWindow: boolean;
}

const CHAIN = /(?:(?:window|self|globalThis|top|parent)\??\.)*([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)/g;
/** Matches names in brackets, because `window['plugins']` is equivalent to `window.plugins`. */
const BRACKETS = /\[\s?(["'])([A-Za-z_$][\w$]{0,100})\1\s?\]/g;
/** Matches the declaration of the plugin in an Ionic wrapper. */
const WRAPPER = /\bplugin["']?\s?[:=]\s?["']([\w.@/-]{5,100})["']/g;
const URL_PLUGIN = 'cordova-plugin-customurlscheme';
/** Matches an app's definition of the function that {@link URL_PLUGIN} calls. */
const URL_HANDLER = /(?:\bwindow\.|(?<![\w$.]))handleOpenURL\s{0,5}=(?!=)|\bfunction\s{1,5}handleOpenURL\b/;

/** Reads scripts one by one, and records calls to plugins. */
export class PluginSearch {
  readonly #declared: ReadonlySet<string>;
  /** Calls, keyed by their first word. */
  readonly #calls = new Map<string, PluginCall[]>();
  /** First use of each plugin, keyed by the plugin's current name. An untested use replaces a tested one. */
  readonly uses = new Map<string, PluginUse>();

  constructor(declared: readonly DeclaredPlugin[]) {
    this.#declared = new Set(declared.map(({ name }) => currentName(name)));
    for (const { name, clobbers } of declared) {
      const plugin = currentName(name);
      this.#add(PLUGIN_CALLS.get(plugin) ?? (isCordovaPlugin(plugin) ? guessCalls(name, clobbers) : []));
    }
    // Several plugins can share a global name. The name refers to a declared plugin, or if there is none, to the first
    // plugin in the table.
    const seen = new Set(
      [...this.#declared].flatMap((plugin) => PLUGIN_CALLS.get(plugin) ?? []).map(({ shown }) => shown),
    );
    for (const [plugin, calls] of PLUGIN_CALLS) {
      if (!this.#declared.has(plugin)) {
        this.#add(calls.filter(({ shown }) => !seen.has(shown)));
        calls.forEach(({ shown }) => seen.add(shown));
      }
    }
  }

  /** Source of an expression that matches every script with a plugin's name, with or without comments. */
  get names(): string {
    // Other names can't match {@link CHAIN}.
    const names = [...this.#calls.keys()]
      .filter((name) => /^[\w$]+$/.test(name))
      .map((name) => name.replaceAll('$', '[$]'));
    return String.raw`\bplugin\b|handleOpenURL|(?<![A-Za-z_$])(?:${names.join('|')})(?![\w$])`;
  }

  /**
   * Reads one script.
   *
   * @param script the script without comments
   */
  read(path: string, script: string): void {
    const uses = this.#usesIn(path, script);
    const undeclared = [...uses.keys()].filter((plugin) => !this.#declared.has(plugin)).length;
    for (const [plugin, use] of uses) {
      if (this.#declared.has(plugin) || undeclared <= MAX_UNDECLARED) {
        addFirst(this.uses, plugin, use);
      }
    }
  }

  #usesIn(path: string, script: string): ReadonlyMap<string, PluginUse> {
    const uses = new Map<string, PluginUse>();
    const text = script.replace(BRACKETS, '.$2');
    const lines = new TextLines(text);
    const note = (plugin: string, call: string, index: number, isTested = false): void =>
      addFirst(uses, plugin, { call, path, line: lines.lineAt(index), isTested });
    for (const { 1: name = '', index } of text.matchAll(WRAPPER)) {
      const plugin = currentName(name);
      if (this.#declared.has(plugin) && !isWrappedWell(plugin)) {
        note(plugin, plugin, index);
      }
    }
    const handler = URL_HANDLER.exec(text);
    // If the plugin is declared, the package calls this function for the links that it defines.
    if (handler !== null && !this.#declared.has(URL_PLUGIN)) {
      note(URL_PLUGIN, 'handleOpenURL', handler.index);
    }
    const names = new ScriptNames(text);
    for (const { 0: match, 1: name = '', index } of text.matchAll(CHAIN)) {
      const words = name.split(/\??\./);
      if (!words.some((word) => this.#calls.has(word))) {
        continue;
      }
      const chain = parseChain(match, name, index);
      names.note(chain);
      for (const [at, word] of chain.words.entries()) {
        for (const call of this.#calls.get(word) ?? []) {
          const use = names.getUse(call, chain, at, this.#declared.has(call.plugin));
          if (use !== undefined) {
            note(call.plugin, call.shown, index, use === 'tested');
          }
        }
      }
    }
    return uses;
  }

  #add(calls: readonly PluginCall[]): void {
    for (const call of calls) {
      const [first = ''] = call.words;
      this.#calls.set(first, [...(this.#calls.get(first) ?? []), call]);
    }
  }
}

/**
 * Reports whether a plugin can have global names. Capacitor plugins don't, so a call with such a name refers to a web
 * API.
 */
function isCordovaPlugin(plugin: string): boolean {
  return harmlessPlugin(plugin) === undefined && !isCapacitorPlugin(plugin);
}

function addFirst(uses: Map<string, PluginUse>, plugin: string, use: PluginUse): void {
  const known = uses.get(plugin);
  if (known === undefined || (known.isTested && !use.isTested)) {
    uses.set(plugin, use);
  }
}

/**
 * Reports whether apps tolerate a missing plugin because its Ionic wrapper handles its absence or because its calls are
 * harmless.
 */
function isWrappedWell(plugin: string): boolean {
  return PARTLY_THERE.has(plugin) || harmlessPlugin(plugin) !== undefined || plugin === 'cordova-plugin-statusbar';
}

/** Matches a test after a name: `a &&`, `a ?`, `a !== undefined`. */
const TEST_AFTER = /^\s{0,5}(?:&&|\?|[!=]==?\s{0,3}(?:undefined|null|void)\b)/;
/** Matches a test before a name: `!a`, `typeof a`. */
const TEST_BEFORE = /(?:typeof\s{0,3}\(?|!)\s{0,3}$/;
const TYPEOF_BEFORE = /typeof\s{0,3}\(?\s{0,3}$/;
/** Matches a condition before a name: `if (a)`, `if (b && a)`. */
const CONDITION_BEFORE = /\b(?:if|while)\s{0,3}\((?:[^;{}]{0,100}(?:&&|\|\|))?[\s(]{0,3}$/;
/** Matches `a = a || …`, which is neither a call nor a test. */
const NEUTRAL_AFTER = /^\s{0,5}(?:\|\||=(?!=))/;
const DECLARATION_BEFORE = /\b(?:function|var|let|const|class|import)\s{1,5}$/;
/** Matches what follows a name that's only a key: `{ a: … }`, or the method `a(…) {` of a class. */
const KEY_AFTER = /^\s{0,5}(?::|\([^()]{0,200}\)\s{0,5}\{)/;

/** Maximum distance in characters between a test and a call that belongs to it. */
const TEST_REACH = 400;
/** Variables that exist in every package. Testing for one of them doesn't test for a plugin. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['cordova', 'navigator', 'device', 'screen']);

/**
 * Tracks the names in one script from start to end: the script's own variables, and the names that it has tested so
 * far.
 */
class ScriptNames {
  readonly #text: string;
  readonly #own = new Set<string>();
  /** End offset of the last test for each name, which is a plugin or a global variable such as `plugins`. */
  readonly #tests = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Records a variable that the script declares or tests. */
  note(chain: NameChain): void {
    const [name = '', ...others] = chain.words;
    if (others.length > 0) {
      return;
    }
    if (this.#isTest(chain)) {
      this.#tests.set(name, getEnd(chain));
    }
    if (!chain.isOnWindow && DECLARATION_BEFORE.test(this.#before(chain))) {
      this.#own.add(name);
    }
  }

  /**
   * Returns how a chain uses a call: after a test for the plugin, or without one. Returns undefined if it isn't a use.
   *
   * @param at the index of the word in the chain where the call would begin
   */
  getUse(call: PluginCall, chain: NameChain, at: number, isDeclared: boolean): 'called' | 'tested' | undefined {
    const { plugin, kind, words, ignoresCase } = call;
    const found = chain.words.slice(at, at + words.length).join('.');
    if ((ignoresCase ? found.toLowerCase() : found) !== words.join('.')) {
      return undefined;
    }
    if (this.#isQuoted(chain)) {
      return isDeclared && (kind === 'anywhere' || at === 0) ? 'called' : undefined;
    }
    if (!this.#counts(kind, chain, at, isDeclared)) {
      return undefined;
    }
    const end = chain.ends[at + words.length - 1];
    if (end === getEnd(chain)) {
      if (this.#isTest(chain)) {
        // A library that checks once for available features, such as a database library, works without the plugin.
        const isForAll = kind === 'global' && TYPEOF_BEFORE.test(this.#before(chain));
        this.#tests.set(plugin, isForAll ? Infinity : end);
        return undefined;
      }
      if (NEUTRAL_AFTER.test(this.#after(chain))) {
        return undefined;
      }
    }
    const [variable = ''] = words;
    const tested = ALWAYS_THERE.has(variable) ? [plugin] : [plugin, variable];
    const isTested = tested.some((name) => chain.start - (this.#tests.get(name) ?? -Infinity) < TEST_REACH);
    return isTested || this.#text[end ?? 0] === '?' ? 'tested' : 'called';
  }

  /** Reports whether a call of this kind can be at this position. */
  #counts(kind: PluginCall['kind'], chain: NameChain, at: number, isDeclared: boolean): boolean {
    const isMember = !chain.isOnWindow && this.#text[chain.start - 1] === '.';
    const isVariable = chain.isOnWindow || !(isMember || this.#own.has(chain.words[0] ?? ''));
    switch (kind) {
      case 'anywhere':
        return true;
      case 'declared':
        return isDeclared && (at > 0 || isMember);
      case 'global':
        return at === 0 && isVariable && !(chain.words.length === 1 && KEY_AFTER.test(this.#after(chain)));
      case 'constructor':
        return at === 0 && isVariable && /\bnew\s{1,5}$/.test(this.#before(chain));
    }
  }

  #isTest(chain: NameChain): boolean {
    const [before, after] = [this.#before(chain), this.#after(chain)];
    return (
      TEST_AFTER.test(after) || TEST_BEFORE.test(before) || (/^\s{0,5}\)/.test(after) && CONDITION_BEFORE.test(before))
    );
  }

  #isQuoted(chain: NameChain): boolean {
    const quote = this.#text[chain.start - 1] ?? '';
    return /["'`]/.test(quote) && this.#text[getEnd(chain)] === quote;
  }

  #before({ start }: NameChain): string {
    return this.#text.slice(Math.max(0, start - MAX_CONTEXT), start);
  }

  #after(chain: NameChain): string {
    return this.#text.slice(getEnd(chain), getEnd(chain) + MAX_CONTEXT);
  }
}

/**
 * Parses a chain of names.
 *
 * @param match the name and the text in front of it
 */
function parseChain(match: string, name: string, start: number): NameChain {
  const words = Array.from(name.matchAll(/[\w$]+/g));
  const nameStart = start + match.length - name.length;
  return {
    words: words.map(([word]) => word),
    start,
    ends: words.map(({ 0: word, index }) => nameStart + index + word.length),
    isOnWindow: nameStart > start,
  };
}

function getEnd({ start, ends }: NameChain): number {
  return ends.at(-1) ?? start;
}
