import { sentence, type Sentence } from '../../api/errors/sentence.ts';
/**
 * The plugins, by package: which work, which functions they lack, or which package they need. WebView has no `navigator.share`,
 * `Notification`, `PushManager`, `speechSynthesis`, Web Bluetooth or `screen.orientation.lock`, and doesn't let pages read the clipboard.
 * Google and Facebook refuse sign-ins there.
 *
 * Sources: the code for the web of each package, Capacitor 8; @mdn/browser-compat-data, `webview_android`.
 */
import table from './capacitorPlugins.json' with { type: 'json' };

/** How a Capacitor plugin works in a package, with only WebView and its code for the web. */
type PluginAbility =
  | { readonly kind: 'works' }
  /** It does nothing, and apps work without it. */
  | { readonly kind: 'harmless' }
  /** Every call to it fails or does nothing. */
  | { readonly kind: 'missing' }
  /** It works except for these functions. */
  | { readonly kind: 'lacks'; readonly functions: readonly string[] }
  /** It needs this package to work fully. */
  | { readonly kind: 'needs'; readonly package: string }
  /** `{0}` is the plugin. */
  | { readonly kind: 'differs'; readonly verdict: 'fine' | 'mayFail'; readonly how: Sentence };

const DIFFERENT_STORAGE: PluginAbility = {
  kind: 'differs',
  verdict: 'mayFail',
  how: sentence('{0} stores its values without encryption in the package.'),
};

const DIFFERENT: Readonly<Record<string, PluginAbility>> = {
  '@aparajita/capacitor-secure-storage': DIFFERENT_STORAGE,
  'capacitor-secure-storage-plugin': DIFFERENT_STORAGE,
  '@capacitor/browser': {
    kind: 'differs',
    verdict: 'fine',
    how: sentence('{0} opens the phone’s browser, and reports no events.'),
  },
  '@capacitor/filesystem': {
    kind: 'differs',
    verdict: 'fine',
    how: sentence('{0} keeps files in the storage of the pages, where other apps can’t see them.'),
  },
};

export const CAPACITOR_PLUGINS: ReadonlyMap<string, PluginAbility> = new Map(
  Object.entries(table.plugins).map(([name, ability]) => [name, DIFFERENT[name] ?? readAbility(ability)]),
);

function readAbility(ability: string | { readonly needs?: string; readonly lacks?: readonly string[] }): PluginAbility {
  if (typeof ability === 'string') {
    return { kind: ability === 'works' || ability === 'harmless' ? ability : 'missing' };
  }
  return ability.needs === undefined
    ? { kind: 'lacks', functions: ability.lacks ?? [] }
    : { kind: 'needs', package: ability.needs };
}

/** Plugins that register only a name. For the others, a call with only their name isn't a registration. */
export const REGISTERED_BY_NAME: ReadonlySet<string> = new Set(table.registeredByName);

/** The names that plugins register, if they differ from the names of their packages. */
export const REGISTERED_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.registeredNames));
