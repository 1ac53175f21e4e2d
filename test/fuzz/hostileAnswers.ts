/** Answers of a service that are made to take long: `[start, piece, end]`, in which `§` is a number. */
import { nested, pumps, within, type MakeText } from './pumps.ts';

const LONG_NAME = 'n'.repeat(100_000);
const LONG_NUMBER = '12345678901234567890';
const TEN_MEMBERS = Array.from('abcdefghij', (name) => `"${name}":§`).join(',');
/** The letter at a time of what `JSON.parse` keeps in a table. */
const RECORD = '{"id":§,"title":"Application §","role":"dev","link":"/api/v1/apps/§","error":null,"private":true},';

/** By media type, which decides how an answer is read. */
export const HOSTILE_ANSWERS: Readonly<Record<string, Readonly<Record<string, MakeText>>>> = {
  'application/json': {
    ...pumps({
      'a list of records': ['[', RECORD, '{}]'],
      'a list of the contract': ['{"link":"/api/v1/apps","all":[', RECORD, '{}]}'],
      'records of ten members': ['[', `{${TEN_MEMBERS}},`, '{}]'],
      'unique keys': ['{', '"§":0,', '"":0}'],
      'objects of one unique key': ['[', '{"§":0},', '{}]'],
      'one key again and again': ['{', '"a":0,', '"a":0}'],
      'numbers as keys': ['{', '"1§":0,', '"":0}'],
      '__proto__ again and again': ['[', '{"__proto__":{"a":0}},', '{}]'],
      zeros: ['[', '0,', '0]'],
      'zeros 90 levels deep': ['['.repeat(90), '0,', `0${']'.repeat(90)}`],
      'a line at 190 levels': ['['.repeat(190), '[0],', `0${']'.repeat(190)}`],
      'empty arrays': ['[', '[],', '[]]'],
      'empty objects': ['[', '{},', '{}]'],
      'arrays in arrays': ['[', '[[[[0]]]],', '0]'],
      'short texts': ['[', '"§",', '""]'],
      'a map of paths': ['{', '"p§":"/api/v1/§",', '"q":null}'],
      'a list of paths': ['{"apps":[', '"/api/v1/§",', '""]}'],
      'a list of other hosts': ['[', '"http://§.a/",', '""]'],
      'addresses that are none': ['[', '{"link":"http://§["},', '{}]'],
      'members named link': ['[', '{"link":"/"},', '{}]'],
      'members named _url': ['{', '"§_url":"/",', '"a":0}'],
      'members named next': ['[', '{"next":"?"},', '{}]'],
      'a list of links': ['{"links":[', '{"rel":"a","href":"/§"},', '{"href":"/"}]}'],
      'a map of links': ['{"links":{', '"§":"/§",', '"a":"/"}}'],
      'links of nothing': ['{"links":[', '{"href":""},', '{"href":""}]}'],
      'HAL links': ['{"_links":{', '"§":{"href":"/"},', '"a":null}}'],
      'one HAL relation': ['{"_links":{"item":[', '{"href":"/§"},', '{"href":"/"}]}}'],
      'HAL lists in lists': ['{"_links":{"item":[', '[{"href":"/"},{"href":"/a"}],', '[]]}}'],
      'HAL embedded': ['{"_embedded":{', '"§":[{}],', '"a":[]}}'],
      'HAL forms': ['{"_templates":{', '"§":{},', '"a":{}}}'],
      'fields of one HAL form': ['{"_templates":{"default":{"properties":[', '{"name":"§"},', '{"name":"a"}]}}}'],
      templates: ['{"_links":{"a":[', '{"href":"{a}"},', '{"href":"/"}]}}'],
      'OData navigation links': ['{', '"N§@odata.navigationLink":"x§",', '"a":0}'],
      'OData annotations': ['{', '"§@a":0,', '"a":0}'],
      'OData actions': ['{"@odata.context":"/",', '"#§":{"target":"/"},', '"a":0}'],
      'OData in objects': ['{"value":[', '{"@odata.context":"/"},', '{}]}'],
      'OData under a long address': [
        `{"@odata.context":"/${'n'.repeat(4000)}","value":[`,
        '{"@odata.id":"a§"},',
        '{}]}',
      ],
      'Siren entities': ['{"entities":[', '{"rel":["a"]},', '{"rel":["a"]}]}'],
      'Siren links': ['{"entities":[', '{"rel":["a"],"href":"/§"},', '{"rel":["a"]}]}'],
      'relations of one Siren link': ['{"links":[{"href":"/","rel":[', '"§",', '"a"]}]}'],
      'Siren classes': ['{"entities":[{"rel":["a"]}],"class":[', '"a",', '"a"]}'],
      'Siren actions': ['{"actions":[', '{"name":"a","href":"/"},', '{"name":"a","href":"/"}]}'],
      'Hydra members': ['{"hydra:member":[', '{"@id":"/§"},', '{}]}'],
      'Hydra contexts': ['{"@context":[', '"/§",', '"/"]}'],
      'prefixes of JSON-LD': ['{"@context":{', '"p§":"http://a/§/",', '"q":"/"},"@id":"p1:a","b":[{"@id":"p2:c"}]}'],
      'prefixes that lead to prefixes': ['{"@context":{', '"p§":"p1:§/",', '"q":"/"},"@id":"p1:a","@type":"p2:b"}'],
      'contexts in a list of contexts': ['{"@context":[', '{"a":"/"},', '{}],"b":[{"@id":"a:b"},{"@id":"a:c"}]}'],
      'contexts in each record': ['[', '{"@context":{"p§":"/"},"@id":"p§:b"},', '{}]'],
      'Hydra operations': ['{"@id":"/","operation":[', '{"method":"GET"},', '{"method":"GET"}]}'],
      'links under a long name': [`{"_links":{"${LONG_NAME}":[`, '{"href":"/§"},', '{"href":"/"}]}}'],
      'objects under a long name': [`{"${LONG_NAME}":[`, '{"id":§},', '{}]}'.replaceAll('§', '1')],
      'paths under a long name': [`{"${LONG_NAME}":[`, '"/api/v1/§",', '""]}'],
      'long numbers under a long name': [`{"${LONG_NAME}":[`, `${LONG_NUMBER},`, '0]}'],
      'a relation of a long name': [`{"links":[{"rel":"${LONG_NAME}","href":"/"}],"class":[`, '"a",', '"a"]}'],
      'long numbers': ['[', `${LONG_NUMBER},`, '0]'],
      'objects with a long number': ['[', `{"id":${LONG_NUMBER}},`, '{}]'],
      'long numbers between texts': ['[', `"",${LONG_NUMBER},`, '0]'],
      'numbers too large': ['[', '1e999,', '0]'],
      'a long number': ['[', '9', ']'],
      'a long fraction': ['[0.', '9', ']'],
      spaces: ['[', ' ', ']'],
      'escaped quotes': ['["', '\\"', '"]'],
      'escaped letters': ['["', '\\u0061', '"]'],
      'a long text': ['{"text":"', 'A sentence with, punctuation. ', '"}'],
    }),
    arrays: nested('[', ']'),
    objects: nested('{"a":', '}', '', '0'),
    'objects with contexts': nested('{"@context":{"b":"/"},"a":', '}', '', '{"@id":"b:c"}'),
    'links in links': nested('{"links":[', ']}', '', '0'),
    'embedded in embedded': nested('{"_embedded":{"a":', '}}', '', '0'),
    'a long number in objects': nested('{"a":', '}', '', LONG_NUMBER),
  },
  'application/vnd.api+json': {
    ...pumps({
      linkage: ['{"data":{"relationships":{"a":{"data":[', '{"type":"a","id":"§"},', '{}]}}}}'],
      relationships: ['{"data":{"relationships":{', '"§":{"links":{"self":"/"}},', '"a":{}}}}'],
      included: ['{"data":{"type":"b","id":"1"},"included":[', '{"type":"a","id":"§"},', '{}]}'],
    }),
    'linkage × included': (length) =>
      within(
        '{"data":[',
        '{"type":"b","id":"§","relationships":{"c":{"data":{"type":"a","id":"§"}}}},',
        `{}],${within('"included":[', '{"type":"a","id":"§"},', '{}]}')(length / 3)}`,
      )(length),
    'linkage of one resource × included': (length) =>
      within(
        '{"data":{"type":"b","id":"1","relationships":{"c":{"data":[',
        '{"type":"a","id":"§"},',
        `{}]}}},${within('"included":[', '{"type":"a","id":"§"},', '{}]}')(length / 2)}`,
      )(length),
    'linkage in circles': (length) => {
      const linkage = within('[', '{"type":"a","id":"1"},', '{"type":"a","id":"1"}]')(length / 2 - 200);
      const resource = `{"type":"a","id":"1","relationships":{"r":{"data":${linkage}}}}`;
      return `{"jsonapi":{},"data":${resource},"included":[${resource}]}`;
    },
  },
  'application/vnd.collection+json': pumps({
    items: ['{"collection":{"href":"/","items":[', '{"href":"/"},', '{}]}}'],
    data: ['{"collection":{"href":"/","items":[{"data":[', '{"name":"a"},', '{}]}]}}'],
    queries: ['{"collection":{"href":"/","items":[],"queries":[', '{"href":"/"},', '{}]}}'],
  }),
  'text/plain': pumps({ 'what looks like JSON and is none': ['{', '"§":0,'] }),
};

/** A document that has a text in every place where something looks at it. */
export function everywhere(text: string): string {
  const field = { name: text, title: text, type: text, value: text };
  return JSON.stringify({
    description: text,
    title: text,
    [text]: 'value',
    [`${text}_url`]: '/x',
    link: text,
    next: text,
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
