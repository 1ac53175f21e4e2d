import { isName, tokensOf } from './jsonTokens.ts';
import { REPLACEMENT, SECRET_MEMBERS, type Redactor } from './redaction.ts';

/** The name of a member whose value is a secret, as a string in JSON. */
const SECRET_MEMBER = new RegExp(`^"(?:${SECRET_MEMBERS})"$`, 'i');

/** A text without secrets. */
export interface HiddenText {
  readonly text: string;
  /** The strings in it in which something was hidden, as they are now. */
  readonly masked: ReadonlySet<string>;
}

/** Valid JSON without known values in its strings; everything else stays as it is. */
export function hideSecretsInJson(json: string, redactor: Redactor): HiddenText {
  const { inNames, all } = redactor.spellings;
  const masked = new Set<string>();
  // JSON can write every character as `\u0041`: then the strings have to be decoded first.
  if (!json.includes('\\u00') && !all.some((spelling) => json.includes(spelling))) {
    return { text: json, masked };
  }
  const parts: string[] = [];
  let end = 0;
  let name = '';
  for (const place of tokensOf(json)) {
    const token = json.slice(place.start, place.end);
    if (!token.startsWith('"')) {
      continue;
    }
    const text = String(JSON.parse(token));
    let hidden = token;
    if (isName(json, place)) {
      name = token;
      hidden = inNames.some((spelling) => text.includes(spelling)) ? `"${REPLACEMENT}"` : token;
    } else {
      const isSecret = SECRET_MEMBER.test(name) && redactor.isSecret(text);
      const shown = isSecret ? REPLACEMENT : redactor.hideSecrets(text);
      if (shown !== text) {
        masked.add(shown);
        hidden = JSON.stringify(shown);
      }
      name = '';
    }
    if (hidden !== token) {
      parts.push(json.slice(end, place.start), hidden);
      end = place.end;
    }
  }
  return { text: parts.join('') + json.slice(end), masked };
}
