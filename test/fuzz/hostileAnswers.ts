/** Service responses, by media type, that are designed to take a long time to read. */
import { nested, pumps, within, type MakeText } from './pumps.ts';

const LONG_NAME = 'n'.repeat(100_000);
const LONG_NUMBER = '12345678901234567890';
/** JSON of an object whose shape `JSON.parse` caches. */
const RECORD = '{"id":§,"title":"Application §","role":"dev","link":"/api/v1/apps/§","error":null,"private":true},';
const INCLUDED = within('"included":[', '{"type":"a","id":"§"},', '{}]}');

export const HOSTILE_ANSWERS: Readonly<Record<string, Readonly<Record<string, MakeText>>>> = {
  'application/json': {
    ...pumps(
      ['[', RECORD, '{}]'],
      ['{"link":"/api/v1/apps","all":[', RECORD, '{}]}'],
      ['{', '"1§":0,', '"":0}'],
      ['[', '{"__proto__":{"a":0}},', '{}]'],
      ['['.repeat(90), '0,', `0${']'.repeat(90)}`],
      ['[', '"http://§.a/",', '""]'],
      ['[', '{"link":"http://§["},', '{}]'],
      ['{', '"§_url":"/",', '"a":0}'],
      ['{"links":[', '{"rel":"a","href":"/§"},', '{"href":"/"}]}'],
      ['{"_links":{"item":[', '[{"href":"/§"},{"href":"{a}"}],', '[]]}}'],
      ['{"_embedded":{', '"§":[{}],', '"a":[]}}'],
      ['{"_templates":{"default":{"properties":[', '{"name":"§"},', '{"name":"a"}]}}}'],
      ['{', '"N§@odata.navigationLink":"x§",', '"a":0}'],
      [`{"@odata.context":"/${'n'.repeat(4000)}","value":[`, '{"@odata.id":"a§"},', '{}]}'],
      ['{"entities":[', '{"rel":["a"],"href":"/§"},', '{"rel":["a"]}]}'],
      ['{"actions":[', '{"name":"a","href":"/"},', '{"name":"a","href":"/"}]}'],
      ['{"hydra:member":[', '{"@id":"/§"},', '{}]}'],
      ['{"@context":{', '"p§":"p1:§/",', '"q":"/"},"@id":"p1:a","b":[{"@id":"p2:c"}]}'],
      ['[', '{"@context":{"p§":"/"},"@id":"p§:b"},', '{}]'],
      [`{"${LONG_NAME}":[`, '{"id":§,"link":"/api/v1/§"},', '{}]}'.replaceAll('§', '1')],
      [`{"${LONG_NAME}":[`, `${LONG_NUMBER},`, '0]}'],
      ['[', `{"id":${LONG_NUMBER}},`, '{}]'],
      ['[', '9', ']'],
      ['["', '\\"', '"]'],
      ['["', '\\u0061', '"]'],
    ),
    'objects with contexts': nested('{"@context":{"b":"/"},"a":', '}', '', '{"@id":"b:c"}'),
    'embedded in embedded': nested('{"_embedded":{"a":', '}}', '', '0'),
    'a long number in arrays': nested('[', ']', '', LONG_NUMBER),
  },
  'application/vnd.api+json': {
    ...pumps(['{"data":{"relationships":{', '"§":{"links":{"self":"/"}},', '"a":{}}}}']),
    'linkage × included': (length) =>
      within(
        '{"data":[',
        '{"type":"b","id":"§","relationships":{"c":{"data":{"type":"a","id":"§"}}}},',
        `{}],${INCLUDED(length / 3)}`,
      )(length),
    'circular linkage': (length) => {
      const linkage = within('[', '{"type":"a","id":"1"},', '{"type":"a","id":"1"}]')(length / 2 - 200);
      const resource = `{"type":"a","id":"1","relationships":{"r":{"data":${linkage}}}}`;
      return `{"jsonapi":{},"data":${resource},"included":[${resource}]}`;
    },
  },
  'application/vnd.collection+json': pumps([
    '{"collection":{"href":"/","items":[{"data":[',
    '{"name":"a"},',
    '{}]}]}}',
  ]),
  'text/plain': pumps(['{', '"§":0,']),
};

/** Returns a document with this text in every place where a reader looks. */
export function everywhere(text: string): string {
  const field = { name: text, title: text, type: text, value: text };
  return JSON.stringify({
    ...{ description: text, title: text, [text]: 'value', [`${text}_url`]: '/x', link: text, next: text },
    a: `/api/v1/${text}`,
    b: `https://other.example/${text}`,
    c_url: `?${text}`,
    _links: { a: { href: text }, b: [`/${text}`], c: { href: `{${text}}` }, d: { href: `/{?a}${text}` } },
    links: [{ rel: text, href: '/a', title: text, type: text, name: text }],
    actions: [{ ...field, href: `/${text}`, method: text, fields: [field] }],
    '@odata.context': `/${text}`,
    [`${text}@odata.navigationLink`]: text,
    [`#${text}`]: { target: text },
    '@context': { [text]: text },
    '@id': text,
  });
}
