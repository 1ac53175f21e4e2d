/** Media types and their effect on the tree and documents. All are lowercase and without parameters. */

function isText(type: string): boolean {
  return /^(text|message)\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|graphql|x-www-form-urlencoded)$/.test(
    type,
  );
}

/** Reports whether a link's `type` identifies a file. A missing or invalid type doesn't. */
export function isFileType(hint: string | undefined): boolean {
  const type = hint?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z]+\/[\w.+-]+$/.test(type) && !isText(type);
}

/** Reports whether VS Code has a viewer for an image type. SVG is text. */
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
 * Extensions that determine a document's language. HTML, CSS, and Markdown are shown as plain text, because VS Code
 * makes all of their link targets clickable.
 */
const TEXT_EXTENSIONS = new Map([
  ['text/csv', 'csv'],
  ['text/javascript', 'js'],
  ['application/javascript', 'js'],
  ['image/svg+xml', 'svg'],
]);

/**
 * Returns the file extension, without a dot, that VS Code needs to show a body correctly.
 *
 * @param json whether the body is JSON, regardless of its media type.
 */
export function getFileExtension(mediaType: string, json: boolean): string {
  if (json) {
    return 'json';
  }
  const extension = TEXT_EXTENSIONS.get(mediaType) ?? IMAGE_EXTENSIONS.get(mediaType);
  return extension ?? (/[/+]xml$/.test(mediaType) ? 'xml' : mediaType.endsWith('yaml') ? 'yaml' : 'txt');
}
