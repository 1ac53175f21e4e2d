/** Media types and what they mean for the tree and the documents. All are lower case and without parameters. */

function isText(type: string): boolean {
  return /^(text|message)\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|graphql|x-www-form-urlencoded)$/.test(
    type,
  );
}

/** True when a link's `type` says that it leads to a file. An absent or invalid one says nothing. */
export function isFileType(hint: string | undefined): boolean {
  const type = hint?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z]+\/[\w.+-]+$/.test(type) && !isText(type);
}

/** Images that VS Code has a viewer for. SVG is text. */
export function isViewableImage(mediaType: string): boolean {
  return IMAGE_EXTENSIONS.has(mediaType);
}

const IMAGE_EXTENSIONS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/avif', 'avif'],
]);

/**
 * VS Code derives a document's language from its extension. HTML, CSS and Markdown are plain text: VS Code makes links of whatever
 * stands where they have one.
 */
const TEXT_EXTENSIONS = new Map([
  ['text/csv', 'csv'],
  ['text/javascript', 'js'],
  ['application/javascript', 'js'],
  ['image/svg+xml', 'svg'],
]);

/**
 * The extension, without its dot, that makes VS Code show a body as what it is.
 *
 * @param json the body is JSON, whatever its type says.
 */
export function extensionOf(mediaType: string, json: boolean): string {
  if (json) {
    return 'json';
  }
  const extension = TEXT_EXTENSIONS.get(mediaType) ?? IMAGE_EXTENSIONS.get(mediaType);
  return extension ?? (/[/+]xml$/.test(mediaType) ? 'xml' : mediaType.endsWith('yaml') ? 'yaml' : 'txt');
}
