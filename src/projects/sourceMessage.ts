import { sentence, type Sentence } from '../api/errors/sentence.ts';
import type { SourceMark } from './htmlPage.ts';

const MAX_SHOWN = 120;

/** Says how a page is the source of a build. @param path of the page, below the project */
export function sourceMessage(path: string, { kind, what }: SourceMark): Sentence {
  switch (kind) {
    case 'file':
      return sentence('{0} loads {1}, which only a build tool can read: the app would be blank.', path, shown(what));
    case 'folder':
      return sentence('{0} loads {1}, which is not in the app: a build tool makes the app of it.', path, shown(what));
    case 'placeholder':
      return sentence('{0} has {1}, which only a build tool fills in: the app would not work.', path, shown(what));
    case 'element':
      return sentence(
        '{0} has {1}, and no script, which a build tool adds: the app would be blank.',
        path,
        shown(what),
      );
    case 'frontMatter':
      return sentence(
        '{0} begins with “{1}”: it’s a template for a site generator such as Jekyll, Eleventy, or Hugo.',
        path,
        what,
      );
    case 'import':
      return sentence(
        '{0} loads a module that imports “{1}” by name, which only a build tool can find: the app would be blank.',
        path,
        shown(what),
      );
  }
}

/** An address, or a part of it. */
export function shown(address: string): string {
  return address.length > MAX_SHOWN ? `${address.slice(0, MAX_SHOWN)}…` : address;
}
