import { memberOf, parseObject, textMember } from './json.ts';

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
  /** Addresses of images, as written. */
  readonly icons: readonly string[];
}

const MAX_ICONS = 100;

/** Reads a manifest.json or site.webmanifest. What is not as it should be is left out; a broken file says nothing. */
export function readWebManifest(text: string): WebManifest {
  const manifest = parseObject(text);
  const icons = memberOf(manifest, 'icons');
  return {
    name: textMember(manifest, 'name'),
    shortName: textMember(manifest, 'short_name'),
    description: textMember(manifest, 'description'),
    startUrl: textMember(manifest, 'start_url'),
    display: textMember(manifest, 'display'),
    orientation: textMember(manifest, 'orientation'),
    themeColor: textMember(manifest, 'theme_color'),
    backgroundColor: textMember(manifest, 'background_color'),
    icons: (Array.isArray(icons) ? icons.slice(0, MAX_ICONS) : []).flatMap((icon) => textMember(icon, 'src') ?? []),
  };
}
