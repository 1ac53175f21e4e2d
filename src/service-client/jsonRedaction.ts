import { isName, tokenizeJson } from './jsonTokens.ts';
import { REPLACEMENT, SECRET_MEMBERS, type Redactor } from './redaction.ts';

/** Matches the name of a JSON member whose value is a secret, with its quotes. */
const SECRET_MEMBER = new RegExp(`^"(?:${SECRET_MEMBERS})"$`, 'i');

/** Text with its secrets replaced. */
interface HiddenText {
  readonly text: string;
  /** Strings in which a secret was replaced, as they appear in the text now. */
  readonly masked: ReadonlySet<string>;
}

/** Hides known secrets in the strings of valid JSON. Everything else stays unchanged. */
export function hideSecretsInJson(json: string, redactor: Redactor): HiddenText {
  const { inNames, all } = redactor.spellings;
  const masked = new Set<string>();
  // JSON can encode any character as `\u0041`, so such strings must be decoded first.
  if (!json.includes('\\u00') && !all.some((spelling) => json.includes(spelling))) {
    return { text: json, masked };
  }
  const parts: string[] = [];
  let end = 0;
  let name = '';
  for (const place of tokenizeJson(json)) {
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
