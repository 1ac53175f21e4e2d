import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import { document, mediaType as mediaTypes } from '../../../fuzz/documents.ts';
import { URL_OF_ME } from './read.ts';

describe('hypermedia: properties', () => {
  it('shows numbers as they were sent, wherever they are', () => {
    const sent = '12345678901234567890';
    let shown = 0;
    fc.assert(
      fc.property(fc.array(document, { maxLength: 3 }), mediaTypes, (values, mediaType) => {
        // every null becomes the number, and an element of a list has it for certain
        const text = JSON.stringify({ values, all: values.map((value) => ({ value, id: null })) }).replace(
          /(?<=[[:,])null/g,
          sent,
        );
        const pending = [readResource({ value: JSON.parse(text), text, url: URL_OF_ME, headers: {}, mediaType })];
        for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
          for (const field of resource.fields) {
            assert.notEqual(field.text, String(Number(sent)), resource.pointer);
            shown += field.text === sent ? 1 : 0;
          }
          pending.push(...resource.embedded.map((child) => child.resource));
        }
      }),
      { numRuns: 200 },
    );
    assert.ok(shown > 500, `only ${shown} were shown`);
  });
});
