/** Finds where an app's scripts call Cordova plugins whose native code isn't in its package. */
import {
  currentName,
  harmlessPlugin,
  isOfCapacitor,
  PARTLY_THERE,
  type Call,
  callsOfUnknown,
  PLUGIN_CALLS,
} from './cordovaPlugins.ts';
import { MAX_CONTEXT, MAX_UNDECLARED } from './limits.ts';
import { TextLines } from './textLines.ts';

/** Where a script calls a plugin. */
export interface PluginUse {
  /** As scripts write it, such as `navigator.camera`. */
  readonly call: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Whether the script first checks that the plugin exists: then it works without it. */
  readonly isTested: boolean;
}

/** A plugin that an app names. */
export interface DeclaredPlugin {
  readonly name: string;
  /** The global names that its plugin.xml gives to its scripts; undefined where that file isn't known. */
  readonly clobbers?: readonly string[] | undefined;
}

/** A name in a script with the names behind its dots, such as `a.b.c`. */
interface Chain {
  readonly words: readonly string[];
  /** Where the first word starts, and where each one ends. */
  readonly start: number;
  readonly ends: readonly number[];
  /** Whether `window.` is in front of it. */
  readonly isOnWindow: boolean;
}

const CHAIN = /(?:(?:window|self|globalThis|top|parent)\??\.)*([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)/g;
/** `window['plugins']` is `window.plugins`. */
const BRACKETS = /\[\s?(["'])([A-Za-z_$][\w$]{0,100})\1\s?\]/g;
/** How Ionic's wrappers name the plugin that they call. */
const WRAPPER = /\bplugin["']?\s?[:=]\s?["']([\w.@/-]{5,100})["']/g;
const URL_PLUGIN = 'cordova-plugin-customurlscheme';
/** The function that an app defines for {@link URL_PLUGIN} to call. */
const URL_HANDLER = /(?:\bwindow\.|(?<![\w$.]))handleOpenURL\s{0,5}=(?!=)|\bfunction\s{1,5}handleOpenURL\b/;

/** Reads scripts one after the other, and notes where they call which plugin. */
export class PluginSearch {
  readonly #declared: ReadonlySet<string>;
  /** By their first words. */
  readonly #calls = new Map<string, Call[]>();
  /** The first use of each plugin, by its name of today. One that isn't tested comes before those that are. */
  readonly uses = new Map<string, PluginUse>();

  constructor(declared: readonly DeclaredPlugin[]) {
    this.#declared = new Set(declared.map(({ name }) => currentName(name)));
    for (const { name, clobbers } of declared) {
      const plugin = currentName(name);
      this.#add(PLUGIN_CALLS.get(plugin) ?? (isOfCordova(plugin) ? callsOfUnknown(name, clobbers) : []));
    }
    // Several plugins have the same name for scripts: it means a declared one, or else the first.
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

  /** @param script without comments */
  read(path: string, script: string): void {
    const uses = this.#usesIn(path, script);
    const undeclared = [...uses.keys()].filter((plugin) => !this.#declared.has(plugin)).length;
    for (const [plugin, use] of uses) {
      if (this.#declared.has(plugin) || undeclared <= MAX_UNDECLARED) {
        keepFirst(this.uses, plugin, use);
      }
    }
  }

  #usesIn(path: string, script: string): ReadonlyMap<string, PluginUse> {
    const uses = new Map<string, PluginUse>();
    const text = script.replace(BRACKETS, '.$2');
    const lines = new TextLines(text);
    const note = (plugin: string, call: string, index: number, isTested = false): void =>
      keepFirst(uses, plugin, { call, path, line: lines.lineAt(index), isTested });
    for (const { 1: name = '', index } of text.matchAll(WRAPPER)) {
      const plugin = currentName(name);
      if (this.#declared.has(plugin) && !isWrappedWell(plugin)) {
        note(plugin, plugin, index);
      }
    }
    const handler = URL_HANDLER.exec(text);
    // The package calls it for the links that this plugin declares.
    if (handler !== null && !this.#declared.has(URL_PLUGIN)) {
      note(URL_PLUGIN, 'handleOpenURL', handler.index);
    }
    const names = new ScriptNames(text);
    for (const { 0: match, 1: name = '', index } of text.matchAll(CHAIN)) {
      const words = name.split(/\??\./);
      if (!words.some((word) => this.#calls.has(word))) {
        continue;
      }
      const chain = chainOf(match, name, index);
      names.note(chain);
      for (const [at, word] of chain.words.entries()) {
        for (const call of this.#calls.get(word) ?? []) {
          const use = names.useOf(call, chain, at, this.#declared.has(call.plugin));
          if (use !== undefined) {
            note(call.plugin, call.shown, index, use === 'tested');
          }
        }
      }
    }
    return uses;
  }

  #add(calls: readonly Call[]): void {
    for (const call of calls) {
      const [first = ''] = call.words;
      this.#calls.set(first, [...(this.#calls.get(first) ?? []), call]);
    }
  }
}

/** Capacitor's plugins have no global names: a call of such a name is one of the web's. */
function isOfCordova(plugin: string): boolean {
  return harmlessPlugin(plugin) === undefined && !isOfCapacitor(plugin);
}

function keepFirst(uses: Map<string, PluginUse>, plugin: string, use: PluginUse): void {
  const known = uses.get(plugin);
  if (known === undefined || (known.isTested && !use.isTested)) {
    uses.set(plugin, use);
  }
}

/** Whether Ionic's wrapper does all that scripts want, or its calls do no harm. */
function isWrappedWell(plugin: string): boolean {
  return PARTLY_THERE.has(plugin) || harmlessPlugin(plugin) !== undefined || plugin === 'cordova-plugin-statusbar';
}

/** `a &&`, `a ?`, `a !== undefined`. */
const TEST_BEHIND = /^\s{0,5}(?:&&|\?|[!=]==?\s{0,3}(?:undefined|null|void)\b)/;
/** `!a`, `typeof a`. */
const TEST_BEFORE = /(?:typeof\s{0,3}\(?|!)\s{0,3}$/;
const TYPEOF_BEFORE = /typeof\s{0,3}\(?\s{0,3}$/;
/** `if (a)`, `if (b && a)`. */
const CONDITION_BEFORE = /\b(?:if|while)\s{0,3}\((?:[^;{}]{0,100}(?:&&|\|\|))?[\s(]{0,3}$/;
/** `a = a || …` neither calls it nor tests it. */
const NEUTRAL_BEHIND = /^\s{0,5}(?:\|\||=(?!=))/;
const DECLARATION_BEFORE = /\b(?:function|var|let|const|class|import)\s{1,5}$/;
/** `{ a: … }`, and the method `a(…) {` of a class. */
const KEY_BEHIND = /^\s{0,5}(?::|\([^()]{0,200}\)\s{0,5}\{)/;

/** A call belongs to a test when there are fewer characters between them. */
const TEST_REACH = 400;
/** Every package has these variables, so a test for one doesn't tell which plugins are there. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['cordova', 'navigator', 'device', 'screen']);

/** The names in one script, from its start to its end: which are variables of its own, and which it has tested so far. */
class ScriptNames {
  readonly #text: string;
  readonly #own = new Set<string>();
  /** Where the last test ends, by the name of a plugin or of a global variable such as `plugins`. */
  readonly #tests = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Notes a variable that the script declares, or tests. */
  note(chain: Chain): void {
    const [name = '', ...others] = chain.words;
    if (others.length > 0) {
      return;
    }
    if (this.#isTest(chain)) {
      this.#tests.set(name, endOf(chain));
    }
    if (!chain.isOnWindow && DECLARATION_BEFORE.test(this.#before(chain))) {
      this.#own.add(name);
    }
  }

  /** What a name is of a call. @param at which of its words the call would begin with */
  useOf(call: Call, chain: Chain, at: number, isDeclared: boolean): 'called' | 'tested' | undefined {
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
    if (end === endOf(chain)) {
      if (this.#isTest(chain)) {
        // A library that checks once what there is, such as one for databases, does without it.
        const isForAll = kind === 'global' && TYPEOF_BEFORE.test(this.#before(chain));
        this.#tests.set(plugin, isForAll ? Infinity : end);
        return undefined;
      }
      if (NEUTRAL_BEHIND.test(this.#behind(chain))) {
        return undefined;
      }
    }
    const [variable = ''] = words;
    const tested = ALWAYS_THERE.has(variable) ? [plugin] : [plugin, variable];
    const isTested = tested.some((name) => chain.start - (this.#tests.get(name) ?? -Infinity) < TEST_REACH);
    return isTested || this.#text[end ?? 0] === '?' ? 'tested' : 'called';
  }

  /** Whether a call of this kind can be there. */
  #counts(kind: Call['kind'], chain: Chain, at: number, isDeclared: boolean): boolean {
    const isMember = !chain.isOnWindow && this.#text[chain.start - 1] === '.';
    const isVariable = chain.isOnWindow || !(isMember || this.#own.has(chain.words[0] ?? ''));
    switch (kind) {
      case 'anywhere':
        return true;
      case 'declared':
        return isDeclared && (at > 0 || isMember);
      case 'global':
        return at === 0 && isVariable && !(chain.words.length === 1 && KEY_BEHIND.test(this.#behind(chain)));
      case 'constructor':
        return at === 0 && isVariable && /\bnew\s{1,5}$/.test(this.#before(chain));
    }
  }

  #isTest(chain: Chain): boolean {
    const [before, behind] = [this.#before(chain), this.#behind(chain)];
    return (
      TEST_BEHIND.test(behind) ||
      TEST_BEFORE.test(before) ||
      (/^\s{0,5}\)/.test(behind) && CONDITION_BEFORE.test(before))
    );
  }

  #isQuoted(chain: Chain): boolean {
    const quote = this.#text[chain.start - 1] ?? '';
    return /["'`]/.test(quote) && this.#text[endOf(chain)] === quote;
  }

  #before({ start }: Chain): string {
    return this.#text.slice(Math.max(0, start - MAX_CONTEXT), start);
  }

  #behind(chain: Chain): string {
    return this.#text.slice(endOf(chain), endOf(chain) + MAX_CONTEXT);
  }
}

/** @param match the name with the text in front of it */
function chainOf(match: string, name: string, start: number): Chain {
  const words = Array.from(name.matchAll(/[\w$]+/g));
  const nameStart = start + match.length - name.length;
  return {
    words: words.map(([word]) => word),
    start,
    ends: words.map(({ 0: word, index }) => nameStart + index + word.length),
    isOnWindow: nameStart > start,
  };
}

function endOf({ start, ends }: Chain): number {
  return ends.at(-1) ?? start;
}
