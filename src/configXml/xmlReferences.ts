import { Tokenizer } from 'htmlparser2';
import { badCharacterReference, looseAmpersand, semicolonMissing, undeclaredEntity } from './checks/wellFormed.ts';
import type { ConfigProblem } from './configProblem.ts';
import { isName, resolveReference } from './xmlSyntax.ts';

/** Resolves the references in a text. Those that cannot be stay as they are. @param start of the text in the file. */
export function resolveReferences(text: string, start: number, report: (problem: ConfigProblem) => void): string {
  return text.replace(
    /&([#:\w.\-\u0080-\uffff]*)(;?)/g,
    (written: string, name: string, semicolon: string, at: number) => {
      const span = { start: start + at, end: start + at + written.length };
      const resolved = resolveReference(name);
      if (semicolon === '') {
        report(
          resolved === undefined
            ? looseAmpersand(span.start, [])
            : semicolonMissing({ start: span.start, end: span.end }, written),
        );
      } else if (resolved !== undefined) {
        return resolved;
      } else if (name.startsWith('#')) {
        report(badCharacterReference(span, written));
      } else if (isName(name)) {
        report(undeclaredEntity(span, written, characterOfHtml(written)));
      } else {
        report(looseAmpersand(span.start, []));
      }
      return written;
    },
  );
}

/** The number of the character that HTML has a name for, as a reference: `&#169;` for `&copy;`. */
function characterOfHtml(reference: string): string | undefined {
  let codes: number[] = [];
  const nothing = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontextentity: (code) => codes.push(code),
      ontext: () => (codes = [NaN]),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onopentagname: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(reference);
  tokenizer.end();
  const isKnown = codes.length > 0 && !codes.some(Number.isNaN);
  return isKnown ? codes.map((code) => `&#${code};`).join('') : undefined;
}
