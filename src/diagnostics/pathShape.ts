/**
 * The words of paths that the contract, the original service and the local service use. Whatever else stands in a path may be a
 * name: of a person, an app, a file.
 */
const PATH_WORDS: ReadonlySet<string> = new Set(
  `api apps authorize build builds collaborators current_support data download downloads icon install keys log logs manifest me
  plugins share status token www android browser electron ios windows winphone`.split(/\s+/),
);

const VERSION = /^v\d{1,2}$/;
const NUMBER = /^\d{1,12}$/;
/** Segments that are shown. */
const MAX_SEGMENTS = 12;

/**
 * What a path looks like, without anything that identifies: words of the interface and numbers stay, the rest is `…`; of a query
 * only that there is one; of another server only that it is another.
 *
 * @param path of an `Exchange`: it begins with a slash, or with the origin of another server.
 */
export function pathShape(path: string): string {
  const url = path.startsWith('/') ? URL.parse(`http://service${path}`) : URL.parse(path);
  if (url === null) {
    return '…';
  }
  const segments = url.pathname.split('/').slice(1);
  const shown = segments.slice(0, MAX_SEGMENTS).map((segment) => (isKnown(segment) ? segment : '…'));
  const rest = segments.length > MAX_SEGMENTS ? ['…'] : [];
  const server = path.startsWith('/') ? '' : 'another server: ';
  return `${server}/${[...shown, ...rest].join('/')}${url.search === '' ? '' : '?…'}`;
}

function isKnown(segment: string): boolean {
  return segment === '' || PATH_WORDS.has(segment) || VERSION.test(segment) || NUMBER.test(segment);
}
