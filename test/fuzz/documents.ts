/** Possible responses of a service. */
import fc from 'fast-check';

import { words } from './property.ts';

/** Names with a meaning for readers of links or for JavaScript. */
const MEMBER_NAMES: readonly string[] = [
  ...words('link links _links _embedded _templates href url self all rel class entities actions html_url location'),
  ...words('collection items data fields queries template value name type jsonapi attributes relationships included'),
  ...words('@id @type @context hydra:member hydra:view hydra:next hydra:search hydra:template hydra:operation'),
  ...words('@odata.nextLink @odata.context x@odata.navigationLink #N.A hydra:method curies properties target method'),
  ...words('next download id title error __proto__ constructor toString length ~/'),
  '',
];
const texts = [
  ...words('/api/v1/apps //evil.example javascript:alert(1) {?q} \\\\host https://user:pw@h/ ?access_token=s3cret <b>'),
  ...words('blob:https://build.example/x / /\\evil.example http:evil.example https://build.example@evil.example/'),
  ...words('https://build.example./ HTTPS://BUILD.example:443/x file:///x /x{?a} {+a} javascript:{a} { _:b0 # ?'),
  ...words('POST self next'),
  ...['\u202e', '\u0000', '\ud800', ' java\nscript:x', 'a'.repeat(10_000)],
];
const leaf = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MEMBER_NAMES) },
  { weight: 1, arbitrary: fc.string() },
);
/** Any JSON, with names and texts that have a meaning for readers of links. */
export const document = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    // As in JSON.parse, __proto__ is a normal member.
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 6 })
      .map(
        (members) =>
          JSON.parse(
            `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
})).value;

/** A value in a large number of nested arrays or objects. */
export const deep = fc
  .tuple(
    fc.integer({ min: 0, max: 20_000 }),
    fc.constantFrom(['[', ']'], ['{"link":', '}'], ['{"_embedded":{"x":', '}}']),
  )
  .map(([depth, [open, close]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
/** Possible media types of a response. */
export const mediaType = fc.constantFrom(
  ...words('application/json application/hal+json application/vnd.siren+json'),
  ...words('application/vnd.api+json application/vnd.collection+json application/ld+json text/html'),
  ...words('text/plain image/png'),
  'APPLICATION/JSON; charset=utf-16',
  'text/plain; charset=nonsense',
  ';',
  '',
);
