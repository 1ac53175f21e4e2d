import { setImmediate } from 'node:timers/promises';

import { MAX_BUSY_LENGTH, REPLACEMENT, SECRET_MEMBERS, type Redactor } from './redaction.ts';
import { WorkPauses } from './workPauses.ts';

/** The name of a member whose value is a secret, as a string in JSON. */
const SECRET_MEMBER = new RegExp(`^"(?:${SECRET_MEMBERS})"$`, 'i');

/** A text without secrets. */
export interface HiddenText {
  readonly text: string;
  /** The strings in it in which something was hidden, as they are now. */
  readonly masked: ReadonlySet<string>;
}

/**
 * JSON text without known values in its strings; everything else stays as it is.
 *
 * @param json valid JSON of any length: there are pauses.
 */
export async function hideSecretsInJson(json: string, redactor: Redactor): Promise<HiddenText> {
  const { inNames, short } = redactor.spellings;
  const masked = new Set<string>();
  if (short === undefined && !(await mayContainSecret(json, redactor))) {
    return { text: json, masked };
  }
  const parts: string[] = [];
  let end = 0;
  let name = '';
  const pauses = new WorkPauses();
  for (const string of stringsOf(json)) {
    await pauses.pauseIfDue();
    const token = json.slice(string.start, string.end);
    let hidden = token;
    if (string.isName) {
      name = token;
      const text = stringIn(token);
      if (inNames.some((spelling) => text.includes(spelling))) {
        hidden = `"${REPLACEMENT}"`;
      }
    } else {
      const text = await hideInString(token, name, redactor);
      if (text !== undefined) {
        masked.add(text);
        hidden = JSON.stringify(text);
      }
      name = '';
    }
    if (hidden !== token) {
      parts.push(json.slice(end, string.start), hidden);
      end = string.end;
    }
  }
  return { text: parts.join('') + json.slice(end), masked };
}

/** JSON can write every character as `\u0041`: then the strings have to be decoded first. */
async function mayContainSecret(json: string, redactor: Redactor): Promise<boolean> {
  if (json.includes('\\u00')) {
    return true;
  }
  for (const spelling of redactor.spellings.inText) {
    if (json.includes(spelling)) {
      return true;
    }
    if (json.length > MAX_BUSY_LENGTH) {
      await setImmediate();
    }
  }
  return false;
}

/**
 * @param token a string in JSON
 * @param name the member that it is the value of, as a string in JSON; or empty
 * @returns its value without secrets; undefined when there are none
 */
async function hideInString(token: string, name: string, redactor: Redactor): Promise<string | undefined> {
  const text = stringIn(token);
  const isSecret = SECRET_MEMBER.test(name) && redactor.isSecret(text);
  const hidden = isSecret ? REPLACEMENT : await redactor.hideSecretsInText(text);
  return hidden === text ? undefined : hidden;
}

interface JsonString {
  /** Offsets of the quotes: of the first, and behind the last. */
  readonly start: number;
  readonly end: number;
  /** True for the name of a member. */
  readonly isName: boolean;
}

/** The strings of a JSON text. A pattern would need a stack as long as the longest of them. */
function* stringsOf(json: string): Generator<JsonString> {
  for (let start = json.indexOf('"'); start >= 0;) {
    let last = json.indexOf('"', start + 1);
    while (last >= 0 && isEscaped(json, last)) {
      last = json.indexOf('"', last + 1);
    }
    if (last < 0) {
      return;
    }
    let next = last + 1;
    while (' \t\r\n'.includes(json[next] ?? '-')) {
      next += 1;
    }
    yield { start, end: last + 1, isName: json[next] === ':' };
    start = json.indexOf('"', next);
  }
}

/** True when an odd number of backslashes stands before a character. */
function isEscaped(json: string, index: number): boolean {
  let start = index;
  while (json[start - 1] === '\\') {
    start -= 1;
  }
  return (index - start) % 2 === 1;
}

/** The value of a string in JSON. */
function stringIn(token: string): string {
  return String(JSON.parse(token));
}
