import { sentence } from '../../api/errors/sentence.ts';
import { DEFAULT_START_PAGE } from '../../configXml/checks/files.ts';
import { join } from '../packing/paths.ts';
import type { Layout } from '../layout.ts';
import type { ProjectFinding } from './projectFinding.ts';

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
  const index = join(pages, DEFAULT_START_PAGE);
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
  return [named ?? DEFAULT_START_PAGE, DEFAULT_START_PAGE]
    .map((name) => join(pages, name))
    .find((path) => sent.has(path));
}
