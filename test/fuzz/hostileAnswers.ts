/** Answers that are made to take long: each is as large as asked for. */

export interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param size characters of the body, of which the answer has at most that many and hardly less. */
export type MakeAnswer = (size: number) => Answer;

/** Characters of the longest header that Node's HTTP parser takes, beside the other headers of an answer. */
const MAX_HEADER_LENGTH = 15_000;

/** One character for every place where a pattern looks: punctuation, spaces, digits, and what is not seen. */
export const CHARACTERS: readonly string[] = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, code) => String.fromCharCode(0x20 + code)).filter(
    (character) => !/[b-zB-Z1-8]/.test(character),
  ),
  '\t',
  '\n',
  '\0',
  '\u007f',
  '\u00ad',
  '\u0301',
  '\u200b',
  '\u202e',
  '\u3164',
  '\ufffd',
  'é',
  '漢',
  '😀',
  '\ud800',
];

/** Beginnings of what patterns look for, repeated: each repetition is a start that leads nowhere. */
export const NEAR_MISSES: readonly string[] = [
  '"password":',
  '\\"token\\":\\"',
  'access_token',
  '?access_token=',
  '&auth_token%3D',
  'authorization:',
  'Set-Cookie',
  'Bearer ',
  'Basic a',
  'http://',
  'https://a/',
  'https://a@',
  '//a@b:',
  '/../',
  '/./',
  './',
  '/api/v1',
  '/api/v',
  '{a',
  '{a,',
  '{+a}',
  '{%41',
  '%25',
  '%E2%80',
  '&#x41;',
  '&amp',
  '\\u0041',
  '\\\\',
  '_url',
  'Url',
  '@odata.',
  'odata.nextLink@',
  '<a>;',
  '<a>;rel="',
  'rel=a;',
  "utf-8'",
  'a.',
  '. ',
  '$(a)',
  '[a](command:',
  '\r\n',
  'a ',
  '-1',
  '1e9',
  '~0~1',
  '__proto__',
  'javascript:',
];

const ITEM_SEPARATOR = ',';

/** Members or elements, as many as fit. */
export function filled(open: string, close: string, size: number, item: (index: number) => string): string {
  const parts: string[] = [];
  let length = open.length + close.length;
  for (let index = 0; ; index += 1) {
    const part = item(index);
    length += part.length + ITEM_SEPARATOR.length;
    if (length > size) {
      return open + parts.join(ITEM_SEPARATOR) + close;
    }
    parts.push(part);
  }
}

const short = (index: number): string => index.toString(36);
const members = (count: number, member: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => member(index)).join(',')}}`;

/** A list of objects with the same members, as services send them: what has to be shown. */
const record = (index: number): string =>
  JSON.stringify({
    id: index,
    title: `Application ${index}`,
    version: `1.0.${index % 100}`,
    role: index % 3 === 0 ? 'admin' : 'dev',
    private: index % 2 === 0,
    created_at: '2026-01-05T09:30:00Z',
    link: `/api/v1/apps/${index}`,
    description: 'Bring your own web assets, and the service builds an app of them.',
    build_count: index % 50,
    error: null,
  });

const json = (body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

/** By name: documents that a service can send without meaning harm. They are shown, not refused. */
export const ORDINARY: Readonly<Record<string, MakeAnswer>> = {
  'a list of records': (size) => json(filled('[', ']', size, record)),
  'a list of the contract': (size) =>
    json(
      filled(
        '{"link":"/api/v1/apps","all":[',
        ']}',
        size,
        (id) => `{"id":${id},"title":"App ${id}","link":"/api/v1/apps/${id}"}`,
      ),
    ),
  'a list of records with 40 members': (size) =>
    json(filled('[', ']', size, (row) => members(40, (column) => `"some_member_${column}":"value ${row} ${column}"`))),
  'records with long numbers': (size) =>
    json(
      filled(
        '[',
        ']',
        size,
        (row) => `{"id":9${String(row).padStart(18, '0')},"name":"Record number ${row}","owner":"/api/v1/me"}`,
      ),
    ),
  'a HAL list': (size) =>
    json(
      filled(
        '{"_links":{"self":{"href":"/api/v1/apps"}},"_embedded":{"app":[',
        ']}}',
        size,
        (id) =>
          `{"_links":{"self":{"href":"/api/v1/apps/${id}"},"icon":{"href":"/api/v1/apps/${id}/icon"}},"id":${id},"title":"Application ${id}"}`,
      ),
      { 'content-type': 'application/hal+json' },
    ),
  'a JSON:API list with what it includes': (size) => ({
    body: filled(
      '{"jsonapi":{},"data":[',
      `],"included":${filled('[', ']', size / 2, (id) => `{"type":"people","id":"${id}","attributes":{"name":"Person number ${id}"}}`)}}`,
      size,
      (id) =>
        `{"type":"articles","id":"${id}","attributes":{"title":"Article number ${id}"},"relationships":{"author":{"data":{"type":"people","id":"${id}"}}}}`,
    ),
    headers: { 'content-type': 'application/vnd.api+json' },
  }),
  'a flat object of sentences': (size) =>
    json(
      filled(
        '{',
        '}',
        size,
        (id) =>
          `"text${id}":"${id}: Bring your own web assets, and the service builds an app of them for each platform."`,
      ),
    ),
  'a series of numbers': (size) =>
    json(filled('{"values":[', ']}', size, (id) => `[${1_700_000_000 + id},${(id % 1000) / 10}]`)),
  'one long text': (size) => json(`{"text":"${'A sentence with, punctuation. '.repeat(size / 30 - 1)}"}`),
};

/** By name: what is wide. */
export const WIDE: Readonly<Record<string, MakeAnswer>> = {
  'unique short keys': (size) => json(filled('{', '}', size, (id) => `"${short(id)}":0`)),
  'unique longer keys': (size) => json(filled('{', '}', size, (id) => `"member number ${id}":0`)),
  'objects of 30 unique keys': (size) =>
    json(filled('[', ']', size, (id) => members(30, (key) => `"${short(id * 30 + key)}":0`))),
  'objects of one unique key': (size) => json(filled('[', ']', size, (id) => `{"${short(id)}":0}`)),
  'one key again and again': (size) => json(filled('{', '}', size, () => '"a":0')),
  'the empty key again and again': (size) => json(filled('{', '}', size, () => '"":0')),
  'numbers as keys': (size) => json(filled('{', '}', size, (id) => `"${(id * 2_654_435_761) % 4_294_967_295}":0`)),
  '__proto__ again and again': (size) => json(filled('[', ']', size, () => '{"__proto__":{"a":0}}')),
  zeros: (size) => json(filled('[', ']', size, () => '0')),
  'zeros in an object': (size) => json(filled('{"items":[', ']}', size, () => '0')),
  'zeros 90 levels deep': (size) => json(filled('['.repeat(90), ']'.repeat(90), size, () => '0')),
  'empty arrays': (size) => json(filled('[', ']', size, () => '[]')),
  'empty objects': (size) => json(filled('[', ']', size, () => '{}')),
  'small objects': (size) => json(filled('[', ']', size, () => '{"a":0}')),
  'small objects in 1,000 lists': (size) =>
    json(filled('[', ']', size, () => filled('[', ']', size / 1000, () => '{"a":0}'))),
  'arrays in arrays': (size) => json(filled('[', ']', size, () => '[[[[0]]]]')),
  'short texts': (size) => json(filled('[', ']', size, (id) => `"${short(id)}"`)),
  'empty texts': (size) => json(filled('[', ']', size, () => '""')),
  'records of ten one-letter members': (size) =>
    json(
      filled('[', ']', size, (id) => members(10, (key) => `"${String.fromCharCode(0x61 + key)}":${(id + key) % 10}`)),
    ),
  'a map of paths': (size) => json(filled('{', '}', size, (id) => `"p${short(id)}":"/api/v1/${short(id)}"`)),
  'a list of paths': (size) => json(filled('{"apps":[', ']}', size, (id) => `"/api/v1/${short(id)}"`)),
  'a list of other hosts': (size) => json(filled('[', ']', size, (id) => `"http://${short(id)}.a/"`)),
  '1,000 maps of paths': (size) =>
    json(filled('[', ']', size, () => filled('{', '}', size / 1000, (id) => `"p${short(id)}":"/api/v1/${short(id)}"`))),
  'members named link': (size) => json(filled('[', ']', size, () => '{"link":"/"}')),
  'members named _url': (size) => json(filled('{', '}', size, (id) => `"${short(id)}_url":"/"`)),
  'members named next': (size) => json(filled('[', ']', size, () => '{"next":"?"}')),
  'a list of links': (size) => json(filled('{"links":[', ']}', size, (id) => `{"rel":"a","href":"/${short(id)}"}`)),
  'links of nothing': (size) => json(filled('{"links":[', ']}', size, () => '{"href":""}')),
  'a map of links': (size) => json(filled('{"links":{', '}}', size, (id) => `"${short(id)}":"/${short(id)}"`)),
  'HAL links': (size) => json(filled('{"_links":{', '}}', size, (id) => `"${short(id)}":{"href":"/"}`)),
  'one HAL relation': (size) => json(filled('{"_links":{"item":[', ']}}', size, (id) => `{"href":"/${short(id)}"}`)),
  'HAL curies': (size) =>
    json(
      filled('{"_links":{"curies":[', ']}}', size, (id) => `{"name":"${short(id)}","href":"/{rel}","templated":true}`),
    ),
  'HAL lists in lists': (size) =>
    json(filled('{"_links":{"item":[', ']}}', size, () => `[{"href":"/"},{"href":"/a"}]`)),
  'HAL embedded': (size) => json(filled('{"_embedded":{', '}}', size, (id) => `"${short(id)}":[{}]`)),
  'HAL forms': (size) => json(filled('{"_templates":{', '}}', size, (id) => `"${short(id)}":{}`)),
  'fields of one HAL form': (size) =>
    json(filled('{"_templates":{"default":{"properties":[', ']}}}', size, (id) => `{"name":"${short(id)}"}`)),
  'OData navigation links': (size) => json(filled('{', '}', size, (id) => `"N${id}@odata.navigationLink":"x${id}"`)),
  'OData annotations': (size) => json(filled('{', '}', size, (id) => `"${short(id)}@a":0`)),
  'OData actions': (size) =>
    json(filled('{"@odata.context":"/",', '}', size, (id) => `"#${short(id)}":{"target":"/"}`)),
  'OData in objects': (size) => json(filled('{"value":[', ']}', size, () => '{"@odata.context":"/"}')),
  'JSON:API linkage': (size) => ({
    ...json(
      filled(
        '{"jsonapi":{},"data":{"relationships":{"a":{"data":[',
        ']}}}}',
        size,
        (id) => `{"type":"a","id":"${short(id)}"}`,
      ),
    ),
  }),
  'JSON:API linkage × included': (size) => {
    const included = filled('[', ']', size / 2, (id) => `{"type":"a","id":"${short(id)}"}`);
    return json(
      filled(
        '{"jsonapi":{},"data":[',
        `],"included":${included}}`,
        size,
        (id) => `{"type":"b","id":"${short(id)}","relationships":{"c":{"data":{"type":"a","id":"${short(id)}"}}}}`,
      ),
      { 'content-type': 'application/vnd.api+json' },
    );
  },
  'JSON:API linkage × included of one resource': (size) => {
    const included = filled('[', ']', size / 2, (id) => `{"type":"a","id":"${short(id)}"}`);
    return json(
      filled(
        '{"jsonapi":{},"data":{"type":"b","id":"1","relationships":{"c":{"data":[',
        `]}}},"included":${included}}`,
        size,
        (id) => `{"type":"a","id":"${short(id)}"}`,
      ),
      { 'content-type': 'application/vnd.api+json' },
    );
  },
  'JSON:API linkage in circles': (size) => {
    const linkage = filled('[', ']', size / 2 - 200, () => '{"type":"a","id":"1"}');
    const resource = `{"type":"a","id":"1","relationships":{"r":{"data":${linkage}}}}`;
    return json(`{"jsonapi":{},"data":${resource},"included":[${resource}]}`);
  },
  'JSON:API relationships': (size) =>
    json(
      filled('{"jsonapi":{},"data":{"relationships":{', '}}}', size, (id) => `"${short(id)}":{"links":{"self":"/"}}`),
    ),
  'Siren entities': (size) => json(filled('{"entities":[', ']}', size, () => '{"rel":["a"]}')),
  'Siren links': (size) => json(filled('{"entities":[', ']}', size, (id) => `{"rel":["a"],"href":"/${short(id)}"}`)),
  'relations of one Siren link': (size) =>
    json(filled('{"links":[{"href":"/","rel":[', ']}]}', size, (id) => `"${short(id)}"`)),
  'Siren classes': (size) => json(filled('{"entities":[{"rel":["a"]}],"class":[', ']}', size, () => '"a"')),
  'Siren actions': (size) => json(filled('{"actions":[', ']}', size, () => '{"name":"a","href":"/"}')),
  'Collection+JSON items': (size) =>
    json(
      filled('{"collection":{"href":"/","items":[', ']}}', size, () => '{"href":"/"}'),
      { 'content-type': 'application/vnd.collection+json' },
    ),
  'Collection+JSON data': (size) =>
    json(
      filled('{"collection":{"href":"/","items":[{"data":[', ']}]}}', size, () => '{"name":"a"}'),
      { 'content-type': 'application/vnd.collection+json' },
    ),
  'Collection+JSON queries': (size) =>
    json(filled('{"collection":{"href":"/","items":[],"queries":[', ']}}', size, () => '{"href":"/"}')),
  'Hydra members': (size) => json(filled('{"hydra:member":[', ']}', size, (id) => `{"@id":"/${short(id)}"}`)),
  'Hydra contexts': (size) => json(filled('{"@context":[', ']}', size, (id) => `"/${short(id)}"`)),
  'Hydra operations': (size) => json(filled('{"@id":"/","operation":[', ']}', size, () => '{"method":"GET"}')),
  templates: (size) => json(filled('{"_links":{"a":[', ']}}', size, () => '{"href":"{a}"}')),
  'links under a long name': (size) =>
    json(filled(`{"_links":{"${'n'.repeat(size / 2)}":[`, ']}}', size, (id) => `{"href":"/${short(id)}"}`)),
  'objects under a long name': (size) =>
    json(filled(`{"${'n'.repeat(size / 2)}":[`, ']}', size, (id) => `{"id":${id}}`)),
  'paths under a long name': (size) =>
    json(filled(`{"${'n'.repeat(size / 2)}":[`, ']}', size, (id) => `"/api/v1/${short(id)}"`)),
  'long numbers under a long name': (size) =>
    json(filled(`{"${'n'.repeat(size / 2)}":[`, ']}', size, () => '12345678901234567890')),
  'relations of a long name': (size) =>
    json(filled(`{"links":[{"rel":"${'n'.repeat(size / 2)}","href":"/"}],"class":[`, ']}', size, () => '"a"')),
  'OData under a long name': (size) =>
    json(filled(`{"@odata.context":"/${'n'.repeat(4000)}","value":[`, ']}', size, (id) => `{"@odata.id":"a${id}"}`)),
  'long numbers': (size) => json(filled('[', ']', size, (id) => String(9_007_199_254_740_993n + BigInt(id) * 2n))),
  'objects with a long number': (size) =>
    json(filled('[', ']', size, (id) => `{"id":${9_007_199_254_740_993n + BigInt(id) * 2n}}`)),
  'numbers too large': (size) => json(filled('[', ']', size, () => '1e999')),
  'long numbers under one key': (size) => json(filled('{', '}', size, () => '"a":12345678901234567890')),
  'long numbers between texts': (size) => json(filled('[', ']', size, () => '"",12345678901234567890')),
  'records in lists by one-letter keys': (size) =>
    json(filled('{', '}', size, (id) => `"${String.fromCharCode(0x61 + (id % 26))}":[{"a":{"b":{"c":0}}}]`)),
};

/** By name: what is deep. */
export const DEEP: Readonly<Record<string, MakeAnswer>> = {
  arrays: (size) => json('['.repeat(size / 2) + ']'.repeat(size / 2)),
  objects: (size) => json(`${'{"a":'.repeat(size / 6 - 1)}0${'}'.repeat(size / 6 - 1)}`),
  'arrays, 100,000 levels': (size) =>
    json('['.repeat(Math.min(size / 2, 100_000)) + ']'.repeat(Math.min(size / 2, 100_000))),
  'objects, 100,000 levels': (size) =>
    json(`${'{"a":'.repeat(Math.min(size / 6 - 1, 100_000))}0${'}'.repeat(Math.min(size / 6 - 1, 100_000))}`),
  'objects of unique keys': (size) => {
    const levels = size / 10 - 1;
    return json(`${Array.from({ length: levels }, (_, id) => `{"${short(id)}":`).join('')}0${'}'.repeat(levels)}`);
  },
  links: (size) => json(`${'{"links":['.repeat(size / 12 - 1)}0${']}'.repeat(size / 12 - 1)}`),
  embedded: (size) => json(`${'{"_embedded":{"a":'.repeat(size / 20 - 1)}0${'}}'.repeat(size / 20 - 1)}`),
  'a long number, 90 levels deep': (size) =>
    json(
      filled(
        `${'{"a":'.repeat(90)}[`,
        `]${'}'.repeat(90)}`,
        size,
        (id) => `{"${short(id % 100)}":12345678901234567890}`,
      ),
    ),
  'a line at 190 levels': (size) => json(filled('['.repeat(190), ']'.repeat(190), size, () => '[0]')),
};

/** By name: one token that is as long as the body. */
export const LONG: Readonly<Record<string, MakeAnswer>> = {
  number: (size) => json(`[${'9'.repeat(size - 2)}]`),
  fraction: (size) => json(`[0.${'9'.repeat(size - 4)}]`),
  exponent: (size) => json(`[1e${'9'.repeat(size - 4)}]`),
  spaces: (size) => json(`[${' '.repeat(size - 2)}]`),
  escapes: (size) => json(`["${'\\n'.repeat(size / 2 - 2)}"]`),
  'escaped quotes': (size) => json(`["${'\\"'.repeat(size / 2 - 2)}"]`),
  'escaped letters': (size) => json(`["${'\\u0061'.repeat(size / 6 - 2)}"]`),
  text: (size) => ({ body: 'a'.repeat(size), headers: { 'content-type': 'text/plain' } }),
  'text of lines': (size) => ({ body: 'a\n'.repeat(size / 2), headers: { 'content-type': 'text/plain' } }),
  HTML: (size) => ({ body: `<html>${'<a>&amp;'.repeat(size / 8 - 1)}`, headers: { 'content-type': 'text/html' } }),
  'what looks like JSON and is none': (size) => ({
    body: filled('{', '', size, (id) => `"${short(id)}":0`),
    headers: { 'content-type': 'text/plain' },
  }),
};

/** Places in a document where a text of the service is looked at. */
const PLACES: Readonly<Record<string, (text: string) => unknown>> = {
  'a value': (text) => ({ description: text }),
  'a title': (text) => ({ title: text }),
  'a key': (text) => ({ [text]: 'value', [`${text}_url`]: '/x' }),
  'an address': (text) => ({ link: text, url: text, next: text, _links: { a: { href: text }, b: [text] } }),
  'a path': (text) => ({
    link: `/${text}`,
    a: `/api/v1/${text}`,
    b: `https://other.example/${text}`,
    c_url: `?${text}`,
  }),
  'a template': (text) => ({ _links: { a: { href: `{${text}}` }, b: { href: `/{?a}${text}` } } }),
  'a relation': (text) => ({ links: [{ rel: text, href: '/a', title: text, type: text, name: text }] }),
  'a form': (text) => ({
    actions: [
      {
        name: text,
        title: text,
        href: `/${text}`,
        method: text,
        type: text,
        fields: [{ name: text, title: text, type: text, value: text }],
      },
    ],
  }),
  'an annotation': (text) => ({
    '@odata.context': `/${text}`,
    [`${text}@odata.navigationLink`]: text,
    [`#${text}`]: { target: text },
  }),
};

/** By name: a text in every place where something looks at it. The text is repeated until the body is full. */
export function repeated(text: string): Readonly<Record<string, MakeAnswer>> {
  return Object.fromEntries(
    Object.entries(PLACES).map(([place, make]) => [
      place,
      (size: number) => {
        const texts = JSON.stringify(make(text)).length - JSON.stringify(make('')).length;
        return json(JSON.stringify(make(text.repeat(Math.max(1, Math.floor((size - 200) / texts))))));
      },
    ]),
  );
}

/** By name: a short text in every place where something looks at it, in as many records as fit. */
export function inMany(text: string): Readonly<Record<string, MakeAnswer>> {
  return Object.fromEntries(
    Object.entries(PLACES).map(([place, make]) => [
      place,
      (size: number) => {
        const item = JSON.stringify(make(text.repeat(Math.ceil(40 / text.length))));
        return json(filled('{"all":[', ']}', size, () => item));
      },
    ]),
  );
}

/** Headers of an answer that something looks at. */
const HEADERS: readonly string[] = [
  'link',
  'content-type',
  'content-disposition',
  'retry-after',
  'odata-version',
  'etag',
];

/** By name: a text in a header, as long as a header can be. */
export function inHeaders(text: string): Readonly<Record<string, MakeAnswer>> {
  const value = text.repeat(MAX_HEADER_LENGTH / 2 / text.length).replace(/[^\x20-\x7e\x80-\xff]/g, '');
  return Object.fromEntries(
    HEADERS.map((name) => [
      name,
      () =>
        json('{"title":"a"}', { [name]: name === 'link' ? `</a>; rel=a${value}, </b>; title="${value}` : `${value}x` }),
    ]),
  );
}

/** By name: many values in a `Link` header. */
export const LINK_HEADERS: Readonly<Record<string, MakeAnswer>> = {
  values: () => json('{}', { link: filled('', '', MAX_HEADER_LENGTH, (id) => `</${id}>;rel=a`) }),
  relations: () => json('{}', { link: `</>;rel="${'a '.repeat(MAX_HEADER_LENGTH / 2 - 20)}"` }),
  'unique relations': () =>
    json('{}', { link: `</>;rel="${Array.from({ length: 3000 }, (_, id) => short(id)).join(' ')}"` }),
  anchors: () => json('{}', { link: filled('', '', MAX_HEADER_LENGTH, (id) => `</${id}>;rel=a;anchor="/"`) }),
  'open values': () => json('{}', { link: '<'.repeat(MAX_HEADER_LENGTH) }),
  'open quotes': () => json('{}', { link: `<a>;a="${'\\"'.repeat(MAX_HEADER_LENGTH / 2 - 10)}` }),
};
