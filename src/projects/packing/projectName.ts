/** Characters of a name, and of its markup: longer ones are cut. */
const MAX_NAME_LENGTH = 200;
const MAX_MARKUP_LENGTH = 2_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Whether a text is the config.xml of an app, and not that of another tool. */
export function isWidget(xml: string): boolean {
  return /<widget[\s>/]/.test(xml);
}

/**
 * The `<name>` of a config.xml, which may be malformed.
 *
 * @returns undefined when there is none, or it is empty
 */
export function projectName(xml: string): string | undefined {
  const text = withoutComments(xml);
  const start = /<name(?:\s[^<>]*)?>/.exec(text);
  if (start === null) {
    return undefined;
  }
  const from = start.index + start[0].length;
  const end = text.indexOf('</name', from);
  if (end < 0) {
    return undefined;
  }
  const name = text
    .slice(from, Math.min(end, from + MAX_MARKUP_LENGTH))
    .split(/(<!\[CDATA\[[^]*?\]\]>)/)
    .map((part) => (part.startsWith('<![CDATA[') ? part.slice(9, -3) : decoded(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? undefined : name.slice(0, MAX_NAME_LENGTH).trim();
}

/**
 * The `id` of the `<widget>` of a config.xml, which may be malformed.
 *
 * @returns undefined when there is none, or it is empty
 */
export function projectId(xml: string): string | undefined {
  const text = withoutComments(xml);
  const start = /<widget(?=\s)/.exec(text);
  if (start === null) {
    return undefined;
  }
  // From one attribute to the next, so that nothing is looked at twice.
  const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
  attribute.lastIndex = start.index + start[0].length;
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    const [, name, doubleQuoted, singleQuoted] = found;
    if (name === 'id') {
      const id = decoded(doubleQuoted ?? singleQuoted ?? '').trim();
      return id === '' ? undefined : id.slice(0, MAX_NAME_LENGTH);
    }
  }
  return undefined;
}

/** By hand: an expression would begin anew at each `<!--` of a text that closes none. */
function withoutComments(xml: string): string {
  let text = '';
  let from = 0;
  for (;;) {
    const start = xml.indexOf('<!--', from);
    const end = start < 0 ? -1 : xml.indexOf('-->', start + 4);
    if (end < 0) {
      return text + xml.slice(from, start < 0 ? undefined : start);
    }
    text += xml.slice(from, start);
    from = end + 3;
  }
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        return ENTITIES[name] ?? entity;
      }
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}
