import type { App } from '../store/model.ts';

/** Characters of a title or a version in a file name. */
const MAX_PART_LENGTH = 60;

/**
 * The name of an artifact without its extension, `TITLE-VERSION`, in characters that every file system takes. A title that
 * has none of them becomes `app`.
 */
export function artifactName({ title, version }: Pick<App, 'title' | 'version'>): string {
  return [part(title) || 'app', part(version)].filter((each) => each !== '').join('-');
}

function part(text: string): string {
  // NFKD parts letters from their accents, which are dropped.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_PART_LENGTH)
    .replace(/[-.]+$/, '');
}
