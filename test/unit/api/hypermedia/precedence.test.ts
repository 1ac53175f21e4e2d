import assert from 'node:assert/strict';

import { read } from './read.ts';

describe('hypermedia: precedence', () => {
  const value = {
    _links: { next: { href: '/x' } },
    links: [{ rel: ['next'], href: '/x' }],
    next: '/x',
    other: '/api/v1/o',
  };
  const found = (mediaType: string): string[] =>
    read(value, { mediaType }).links.map(({ rel, convention }) => `${rel}: ${convention}`);

  it('puts the format that the media type declares first, the structure second', () => {
    assert.deepEqual(found('application/json'), ['next: hal', 'other: inferred']);
    assert.deepEqual(found('application/vnd.siren+json'), ['next: siren', 'other: inferred']);
  });

  it('lets several conventions contribute', () => {
    const resource = read(
      { _links: { a: '/a' }, b_url: '/b', '@odata.nextLink': '/c', d: '/api/v1/d' },
      { headers: { link: '</e>; rel=e' } },
    );
    assert.deepEqual(
      resource.links.map(({ rel, convention }) => `${rel}: ${convention}`),
      ['e: link-header', 'a: hal', 'next: odata', 'b: plain', 'd: inferred'],
    );
  });

  it('keeps what a form says of its fields', () => {
    const [form] = read({
      actions: [
        {
          name: 'a',
          title: 'A',
          href: '/a',
          fields: [{ name: 'n', type: 'number', value: 0, title: 'N', required: true }],
        },
      ],
    }).forms;
    assert.deepEqual(
      [form?.title, form?.fields],
      ['A', [{ name: 'n', type: 'number', title: 'N', value: '0', required: true }]],
    );
  });

  it('marks deprecated links', () => {
    const marks = read({
      _links: { a: { href: '/a', deprecation: '/why' }, b: { href: '/b', deprecation: false }, c: '/c' },
    }).links;
    assert.deepEqual(
      marks.map(({ deprecated }) => deprecated),
      [true, undefined, undefined],
    );
  });
});
