/** What a web app manifest says of an app, as far as it is used (W3C, Web Application Manifest, §1). */
export interface WebManifest {
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly startUrl: string | undefined;
  readonly display: string | undefined;
  readonly orientation: string | undefined;
  readonly themeColor: string | undefined;
  readonly backgroundColor: string | undefined;
  readonly icons: readonly ManifestIcon[];
}

export interface ManifestIcon {
  readonly src: string;
  /** As written: `192x192 512x512`, or `any`. */
  readonly sizes: string | undefined;
  readonly type: string | undefined;
  /** As written: `maskable any`. */
  readonly purpose: string | undefined;
}

/** Characters of a file that is read. */
const MAX_LENGTH = 1024 * 1024;
const MAX_ICONS = 100;
/** Characters of a name, a colour, a list of sizes. */
const MAX_WORDS = 200;
/** Characters of a description or an address. */
const MAX_TEXT = 4_000;

/** Reads a manifest.json or site.webmanifest. What is not as it should be is left out; a broken file says nothing. */
export function readWebManifest(text: string): WebManifest {
  const manifest = membersOf(parsed(text));
  const icons = Array.isArray(manifest.icons) ? manifest.icons.slice(0, MAX_ICONS) : [];
  return {
    name: textIn(manifest.name),
    shortName: textIn(manifest.short_name),
    description: textIn(manifest.description, MAX_TEXT),
    startUrl: textIn(manifest.start_url, MAX_TEXT),
    display: textIn(manifest.display),
    orientation: textIn(manifest.orientation),
    themeColor: textIn(manifest.theme_color),
    backgroundColor: textIn(manifest.background_color),
    icons: icons.flatMap((icon) => iconIn(icon) ?? []),
  };
}

function iconIn(value: unknown): ManifestIcon | undefined {
  const icon = membersOf(value);
  const src = textIn(icon.src, MAX_TEXT);
  return src === undefined
    ? undefined
    : { src, sizes: textIn(icon.sizes), type: textIn(icon.type), purpose: textIn(icon.purpose) };
}

function textIn(value: unknown, max = MAX_WORDS): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > max ? undefined : text;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(text: string): unknown {
  try {
    return text.length > MAX_LENGTH ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
