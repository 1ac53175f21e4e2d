import assert from 'node:assert/strict';
import type { Resource } from '../../../../src/api/hypermedia/resource.ts';
import { read } from './read.ts';

const person = (id: string, name: string, more: object = {}) => ({ type: 'people', id, attributes: { name }, ...more });

function linked(resource: Resource | undefined, rel: string): readonly (string | undefined)[] {
  return resource?.embedded.filter((each) => each.rel === rel).map((each) => each.resource.title) ?? [];
}

describe('resource linkage of JSON:API', () => {
  const document = {
    data: {
      type: 'articles',
      id: '1',
      relationships: {
        author: { data: { type: 'people', id: '9' } },
        reviewers: {
          data: [
            { type: 'people', id: '2' },
            { type: 'people', id: '77' },
          ],
        },
        editor: { data: null },
      },
    },
    included: [person('2', 'Ivo Lind'), person('9', 'Dana Okafor', { links: { self: '/people/9' } })],
  };

  it('shows the person that the document includes, not a number', () => {
    const resource = read(document, { mediaType: 'application/vnd.api+json' });
    assert.deepEqual(linked(resource, 'author'), ['Dana Okafor']);
    assert.deepEqual(linked(resource, 'reviewers'), ['Ivo Lind', '77']);
    const author = resource.embedded.find(({ rel }) => rel === 'author')?.resource;
    assert.equal(author?.pointer, '/included/1');
    assert.ok(author.self?.target.kind === 'internal' && author.self.target.url.endsWith('/people/9'));
    assert.deepEqual(
      resource.embedded.filter(({ rel }) => rel === 'reviewers').map(({ index }) => index),
      [0, 1],
    );
  });

  it('is the same for each resource of a list', () => {
    const { data, included } = document;
    const resource = read({ data: [data, { ...data, id: '2' }], included }, { mediaType: 'application/vnd.api+json' });
    const authors = resource.embedded
      .filter(({ rel }) => rel === 'data')
      .map((item) => linked(item.resource, 'author'));
    assert.deepEqual(authors, [['Dana Okafor'], ['Dana Okafor']]);
  });

  it('goes through what is included for a few levels: two people who know each other are no endless tree', () => {
    const friend = (id: string) => ({ relationships: { friend: { data: { type: 'people', id } } } });
    let resource: Resource | undefined = read(
      {
        data: { type: 'people', id: '0', ...friend('1') },
        included: [person('1', 'One', friend('2')), person('2', 'Two', friend('1'))],
      },
      { mediaType: 'application/vnd.api+json' },
    );
    const titles: (string | undefined)[] = [];
    for (let level = 0; level < 10 && resource !== undefined; level += 1) {
      resource = resource.embedded.find(({ rel }) => rel === 'friend')?.resource;
      titles.push(resource?.title);
    }
    assert.deepEqual(titles.slice(0, 3), ['One', 'Two', 'One']);
    assert.equal(resource, undefined);
  });

  it('is shown as it is where the document includes nothing that fits', () => {
    const { data } = document;
    for (const included of [undefined, {}, [null, 7, { type: 'people' }, person('9', 'x').attributes]]) {
      assert.deepEqual(linked(read({ data, included }, { mediaType: 'application/vnd.api+json' }), 'author'), ['9']);
    }
  });
});
