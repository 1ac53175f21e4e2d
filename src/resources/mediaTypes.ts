/** What the explorer knows of media types, all of them lower case and without parameters. */

/** True for types that are read as text: their resources are followed, not saved. */
function isText(type: string): boolean {
  return /^(text|message)\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|graphql|x-www-form-urlencoded)$/.test(
    type,
  );
}

/** True when a link's type hint says that a file is at its end. An absent or unreadable hint says nothing. */
export function isFileType(hint: string | undefined): boolean {
  const type = hint?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z]+\/[\w.+-]+$/.test(type) && !isText(type);
}

/** Images that VS Code has a viewer for. SVG is text. */
export function isViewableImage(mediaType: string): boolean {
  return imageExtensions.has(mediaType);
}

const imageExtensions = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/avif', 'avif'],
]);

/** Extensions by type. VS Code takes a document's language, and its viewer, from the end of its name. */
const textExtensions = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
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
  const known = textExtensions.get(mediaType) ?? imageExtensions.get(mediaType);
  return known ?? (/[/+]xml$/.test(mediaType) ? 'xml' : mediaType.endsWith('yaml') ? 'yaml' : 'txt');
}
