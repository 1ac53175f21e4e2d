import { badXmlDeclaration, encodingNotUtf8 } from './checks/wellFormed.ts';
import type { ConfigProblem } from './configProblem.ts';
import type { Span } from './xmlDocument.ts';

const S = '[ \\t\\r\\n]';
const EQUALS = `${S}*=${S}*`;
const VERSION = `${S}+version${EQUALS}(?:"1\\.[0-9]+"|'1\\.[0-9]+')`;
const ENCODING = `${S}+encoding${EQUALS}("[^"<]*"|'[^'<]*')`;
const STANDALONE = `${S}+standalone${EQUALS}(?:"(?:yes|no)"|'(?:yes|no)')`;
/** XML 1.0, §2.8. What the encoding may be is told by {@link encodingProblem}. */
const DECLARATION = new RegExp(`^<\\?xml${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${S}*\\?>$`);

/** What is wrong with an XML declaration. */
export function xmlDeclarationProblem(span: Span, text: string): ConfigProblem | undefined {
  return DECLARATION.test(text) ? undefined : badXmlDeclaration(span);
}

/** An encoding other than UTF-8, which contains ASCII: services read nothing else. */
export function encodingProblem({ start }: Span, text: string): ConfigProblem | undefined {
  const [, quoted] = DECLARATION.exec(text) ?? [];
  if (quoted === undefined || /^(?:utf-?8|us-ascii)$/i.test(quoted.slice(1, -1))) {
    return undefined;
  }
  const from = start + text.indexOf(quoted, text.indexOf('encoding')) + 1;
  return encodingNotUtf8({ start: from, end: from + quoted.length - 2 }, quoted.slice(1, -1));
}
