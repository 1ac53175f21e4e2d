import { sentence } from '../../api/errors/sentence.ts';
import type { XmlDocument } from '../../configXml/xmlDocument.ts';
import type { ProjectFinding } from './projectFinding.ts';
import { folderOf, type WebRoot } from './webRoot.ts';

/** Where nothing else is named. */
export const DEFAULT_PAGE = 'index.html';

/** Which page the app begins with, as services choose it. @param named by config.xml */
export function pageFinding(
  named: { readonly config: string; readonly path: string } | undefined,
  { index }: WebRoot,
  sent: ReadonlySet<string>,
): ProjectFinding {
  if (index !== undefined) {
    const wanted = named && folderOf(index) + named.path;
    const page = wanted !== undefined && sent.has(wanted) ? wanted : index;
    return {
      code: 'startPage',
      verdict: 'fine',
      message: sentence('The app begins with {0}.', page),
      place: { path: page },
    };
  }
  const folder =
    named && ['www/', ''].map((each) => folderOf(named.config) + each).find((each) => sent.has(each + named.path));
  if (named !== undefined && folder !== undefined) {
    return {
      code: 'startPage',
      verdict: 'mayFail',
      message: sentence(
        'The app begins with {0}, and has no index.html, which some services look for.',
        folder + named.path,
      ),
      next: sentence('Rename the page to index.html.'),
      place: { path: folder + named.path },
    };
  }
  return {
    code: 'startPage',
    verdict: 'fails',
    message: sentence('The app has no index.html.'),
    next: sentence('Put one into the folder www, or at the top of the folder where there is no config.xml.'),
    ...(named && { place: { path: named.config } }),
  };
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
