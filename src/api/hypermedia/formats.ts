import { collectionJson } from './collectionJson.ts';
import type { ConventionReader } from './convention.ts';
import { hal } from './hal.ts';
import { hydra } from './hydra.ts';
import type { JsonObject } from './json.ts';
import { jsonApi } from './jsonApi.ts';
import type { Node } from './node.ts';
import { odata } from './odata.ts';
import type { Convention } from './resource.ts';
import { siren } from './siren.ts';

/**
 * The formats in order of precedence. The `Link` header and the format that the document declares go before all of them;
 * the plain conventions and the inferred links come after. Several may contribute to one resource.
 */
const FORMATS: readonly ConventionReader[] = [hal, jsonApi, siren, collectionJson, hydra, odata];

/** Which formats a member hints at, as bits of {@link FORMATS}. */
const MARKERS = new Map<string, number>();
for (const [index, { markers }] of FORMATS.entries()) {
  for (const marker of markers) {
    MARKERS.set(marker, (MARKERS.get(marker) ?? 0) | (1 << index));
  }
}

/** Formats whose members carry another one's name in front: `Orders@odata.navigationLink`. */
const CONTROL_INFORMATION = MARKERS.get('@') ?? 0;

/** The formats that members hint at by their names, for {@link readFormats}. */
export function hintsOf(names: readonly string[]): number {
  let hints = 0;
  for (const name of names) {
    hints |= (MARKERS.get(name) ?? 0) | (name.includes('@') ? CONTROL_INFORMATION : 0);
  }
  return hints;
}

/** What the response says its body is. OData's media type is application/json: its version header tells. */
export function declaredFormat(mediaType: string, headers: Readonly<Record<string, string>>): Convention | undefined {
  return (
    FORMATS.find(({ mediaTypes }) => mediaTypes.includes(mediaType))?.convention ??
    (Object.hasOwn(headers, 'odata-version') ? 'odata' : undefined)
  );
}

/** Reads the format that was declared, and those that the object's members hint at. */
export function readFormats(node: Node, object: JsonObject, hints: number): void {
  if (hints === 0 && node.format === undefined) {
    return;
  }
  const declared = FORMATS.find(({ convention }) => convention === node.format);
  declared?.read(node, object);
  for (const [index, format] of FORMATS.entries()) {
    if ((hints & (1 << index)) !== 0 && format !== declared) {
      format.read(node, object);
    }
  }
}
