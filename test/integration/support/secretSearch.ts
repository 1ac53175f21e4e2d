/** Finds secrets in text, however they're encoded. Shares no code with the redaction. */

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the names of the secrets that `text` contains, verbatim or encoded. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  const forms = new Set([text]);
  let latest = text;
  for (let round = 0; round < 4; round += 1) {
    latest = decoded(latest);
    forms.add(latest);
  }
  const haystacks = [...forms].map(squeezed);
  return Object.entries(secrets)
    .filter(([, secret]) => {
      // Decoding treats a percent sign in the secret itself as an escape.
      const needles = [secret, decoded(secret), ...base64(secret)].map(squeezed);
      return haystacks.some((haystack) => needles.some((needle) => haystack.includes(needle)));
    })
    .map(([name]) => name);
}

/** Decodes one layer of URL, JSON, and HTML escapes. */
function decoded(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[bfnrt]/g, ' ')
    .replace(/\\(["\\/])/g, '$1')
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (all, x: string, digits: string) => {
      const code = Number.parseInt(digits, x === '' ? 10 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => names[name] ?? '');
}

/** Removes separators and invisible characters. Forms encode a space as a plus sign. */
function squeezed(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}+]+/gu, '');
}

/** Returns the part of the base64 encoding that depends only on the secret, for each offset in a string. */
function base64(secret: string): readonly string[] {
  const bits = Buffer.byteLength(secret) * 8;
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.from('\0'.repeat(before) + secret).toString('base64');
    const sure = text.slice(Math.ceil((before * 8) / 6), Math.floor((before * 8 + bits) / 6));
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Returns every string that is reachable from a value: non-enumerable properties, getters, causes, stacks, symbols, and
 * entries of maps and sets.
 */
export function textsIn(value: unknown): string {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0 && seen.size < 20_000) {
    const next = left.pop();
    if (typeof next === 'string' || typeof next === 'symbol') {
      texts.push(String(next));
    }
    if (typeof next !== 'object' || next === null || seen.has(next)) {
      continue;
    }
    seen.add(next);
    if (next instanceof Map || next instanceof Set) {
      left.push(...([...next.entries()].flat() as unknown[]));
    }
    for (
      let owner: object | null = next;
      owner !== null && owner !== Object.prototype && owner !== Array.prototype;
      owner = Object.getPrototypeOf(owner) as object | null
    ) {
      for (const key of Reflect.ownKeys(owner)) {
        texts.push(String(key));
        try {
          left.push(Reflect.get(owner, key, next));
        } catch {
          // Some getters throw here.
        }
      }
    }
  }
  return texts.join('\n');
}
