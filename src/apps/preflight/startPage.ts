import { sentence } from '../../api/errors/sentence.ts';
import type { XmlDocument } from '../../configXml/xmlDocument.ts';
import { join } from '../packing/paths.ts';
import type { Layout } from '../projects/layout.ts';
import type { ProjectFinding } from './projectFinding.ts';

/** Where nothing else is named. */
export const DEFAULT_PAGE = 'index.html';

/**
 * Which page the app begins with, as services choose it.
 *
 * @param named by config.xml
 * @param sent paths of the files that are sent
 */
export function pageFinding(
  named: { readonly config: string; readonly path: string } | undefined,
  { pages }: Pick<Layout, 'pages'>,
  sent: ReadonlySet<string>,
): ProjectFinding {
  const page = startPageAmong(named?.path, pages, sent);
  const index = join(pages, DEFAULT_PAGE);
  if (page !== undefined && (page === index || sent.has(index))) {
    return {
      code: 'startPage',
      verdict: 'fine',
      message: sentence('The app begins with {0}.', page),
      place: { path: page },
    };
  }
  if (page !== undefined) {
    return {
      code: 'startPage',
      verdict: 'mayFail',
      message: sentence('The app begins with {0}, and has no index.html, which some services look for.', page),
      next: sentence('Rename the page to index.html.'),
      place: { path: page },
    };
  }
  return {
    code: 'startPage',
    verdict: 'fails',
    message: sentence('The app has no index.html.'),
    next: sentence('Put one into the folder of the pages, often www or dist.'),
    ...(named && { place: { path: named.config } }),
  };
}

/** The page that the app begins with: the one that is named, else index.html; undefined when neither is sent. */
export function startPageAmong(
  named: string | undefined,
  pages: string,
  sent: ReadonlySet<string>,
): string | undefined {
  return [named ?? DEFAULT_PAGE, DEFAULT_PAGE].map((name) => join(pages, name)).find((path) => sent.has(path));
}

/** The file that `<content src>` names, below the folder of the pages. */
export function startPageOf({ root }: XmlDocument): string {
  const content = root?.children.find(({ name }) => name === 'content');
  const src = content?.attributes.find(({ name }) => name === 'src')?.value ?? '';
  return withoutQuery(src === '' ? DEFAULT_PAGE : src).replace(/^(\.?\/)+/, '');
}

/** Without query and fragment. */
export function withoutQuery(src: string): string {
  return src.replace(/[?#].*$/s, '');
}
