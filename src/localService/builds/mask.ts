/** What texts of a build hide from its readers: secrets, and where things are on this machine. */
import { realpathSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Masked {
  /** Folders, by the placeholders that are shown in their place, such as `<home>`. */
  readonly folders: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Makes a text fit to be shown: without control characters, secrets and folders of this machine. */
export type Mask = (text: string) => string;

const SECRET_PLACEHOLDER = '***';
/** Control characters but the tab, line separators, and what changes the direction of text. */
const CONTROL_CHARACTERS = /(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Characters of a text. */
const MAX_LENGTH = 8_192;

/** The function that hides `folders` and `secrets`, in the forms in which programs print them, and cuts long texts. */
export function createMask({ folders, secrets }: Masked): Mask {
  const placeholders = new Map<string, string>();
  for (const [placeholder, folder] of Object.entries(folders)) {
    // The root, as the home of a user without one, is part of every path.
    for (const path of [folder, realPathOf(folder)].filter((each) => each.length > '/'.length)) {
      for (const form of [
        path,
        path.replaceAll('\\', '/'),
        jsonForm(path),
        encodeURI(wellFormed(path.replaceAll('\\', '/'))),
      ]) {
        placeholders.set(form, placeholder);
      }
    }
  }
  // A program may print the lines apart.
  for (const secret of secrets.flatMap((each) => [each, ...each.split(/[\r\n]/)]).map(withoutControlCharacters)) {
    for (const form of [secret, jsonForm(secret), encodeURIComponent(wellFormed(secret))]) {
      placeholders.set(form, SECRET_PLACEHOLDER);
    }
  }
  placeholders.delete('');
  const forms = [...placeholders.keys()].sort((left, right) => right.length - left.length);
  const expression = forms.map((form) =>
    // A folder whose name begins like this one is another one.
    placeholders.get(form) === SECRET_PLACEHOLDER
      ? escapeExpression(form)
      : `${escapeExpression(form)}(?![\\p{L}\\p{N}_-])`,
  );
  const hidden = new RegExp(expression.join('|') || '(?!)', process.platform === 'win32' ? 'giu' : 'gu');
  const longest = forms[0]?.length ?? 0;
  return (text) => {
    const cut = text.length > MAX_LENGTH;
    // A secret that is cut would not be found: what could be the first part of one is cut off too.
    const shown = withoutControlCharacters(cut ? text.slice(0, MAX_LENGTH + longest) : text).replace(
      hidden,
      (found) => placeholders.get(found) ?? SECRET_PLACEHOLDER,
    );
    return cut ? `${shown.slice(0, Math.max(0, Math.min(MAX_LENGTH, shown.length - longest)))}…` : shown;
  };
}

function withoutControlCharacters(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROL_CHARACTERS, '');
}

function jsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What matches just this text. Node 22 has no `RegExp.escape`. */
function escapeExpression(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

/** Percent-encoding knows no lone surrogates. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
