import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  AS_SERVED,
  cleanFilter,
  hasWords,
  inOrder,
  MAX_FILTER_LENGTH,
  ORDERS,
  readArrangement,
  wordsOf,
  type Entry,
  resourceEntry,
} from '../../../../src/resources/tree/arrangement.ts';
import { resourceOf } from '../../../support/testData.ts';

const matches = (text: string, filter: string) => hasWords(text, wordsOf(filter));

describe('a filter', () => {
  for (const [text, filter, expected] of [
    ['Shop | 2.4.1 · failed, android: complete', 'shop android', true],
    ['Shop | 2.4.1 · failed, android: complete', 'ANDROID  shop', true],
    ['Shop | 2.4.1 · failed, android: complete', 'shop ios', false],
    ['Müßiggang à Łódź', 'mussiggang a', true],
    ['Straße', 'STRASSE', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['İstanbul', 'istanbul', true],
    ['ビルド　アプリ', 'アプリ　ビルド', true],
    ['Shop', '', true],
    ['', 'shop', false],
  ] as const) {
    it(`“${filter}” ${expected ? 'finds' : 'does not find'} “${text}”`, () => {
      assert.equal(matches(text, filter), expected);
    });
  }

  it('of a filter is both at once, in either order, and more words never find more', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), words, words, (texts, one, other) => {
        const [first, second] = [one.join(' '), other.join(' ')];
        const both = texts.filter((text) => matches(text, `${first} ${second}`));
        const after = (filter: string, then: string) =>
          texts.filter((text) => matches(text, filter)).filter((text) => matches(text, then));
        assert.deepEqual(after(first, second), both);
        assert.deepEqual(after(second, first), both);
        assert.deepEqual(
          after(first, first),
          texts.filter((text) => matches(text, first)),
        );
      }),
    );
  });

  it('without words hides nothing, and whatever is in a text finds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', '\t \u3000'), (text, empty) => {
        assert.ok(matches(text, empty));
        assert.ok(matches(`before ${text} after`, text));
        assert.ok(matches(text.toUpperCase(), text));
      }),
    );
  });

  it('is read from whatever was stored, and is of a bounded length', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const { filter, order } = readArrangement(stored);
        assert.ok(filter.length <= MAX_FILTER_LENGTH && ORDERS.includes(order));
      }),
    );
    assert.deepEqual(readArrangement(undefined), AS_SERVED);
    assert.deepEqual(readArrangement({ filter: 7, order: 'backwards' }), AS_SERVED);
    assert.deepEqual(readArrangement({ filter: ' shop ', order: 'title' }), { filter: 'shop', order: 'title' });
    assert.equal(cleanFilter('x'.repeat(1000)).length, MAX_FILTER_LENGTH);
  });
});

describe('the order of a list', () => {
  interface Row {
    readonly name: number;
    readonly entry: Entry | undefined;
  }
  const entryOf = ({ entry }: Row) => entry;
  const states = [undefined, 'underWay', 'failed', 'other', 'complete', 'none'] as const;
  const entry = fc.record({
    title: fc.constantFrom('a', 'B', 'ä', '2', '10', ''),
    updatedAt: fc.option(fc.date(), { nil: undefined }),
    state: fc.constantFrom(...states),
  });
  const lists = fc
    .array(fc.option(entry, { nil: undefined }))
    .map((entries): readonly Row[] => entries.map((each, name) => ({ name, entry: each })));

  it('loses no row, moves no row that is no entry, and sorts the same way twice', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(...ORDERS), (rows, order) => {
        const sorted = inOrder(rows, entryOf, order, 'en');
        assert.deepEqual(new Set(sorted), new Set(rows));
        assert.equal(sorted.length, rows.length);
        for (const [place, row] of rows.entries()) {
          assert.ok(row.entry !== undefined || sorted[place] === row);
        }
        assert.deepEqual(inOrder(sorted, entryOf, order, 'en'), sorted);
      }),
    );
  });

  it('is the service’s, for that order and among entries that do not differ', () => {
    fc.assert(
      fc.property(lists, entry, fc.constantFrom(...ORDERS), (rows, same, order) => {
        const alike = rows.map((row) => (row.entry === undefined ? row : { ...row, entry: same }));
        assert.deepEqual(inOrder(alike, entryOf, order, 'en'), alike);
        assert.deepEqual(inOrder(rows, entryOf, 'service', 'en'), rows);
      }),
    );
  });

  const titles = (entries: readonly Partial<Entry>[], order: (typeof ORDERS)[number], language = 'en') =>
    inOrder(
      entries.map((each) => ({ title: '', updatedAt: undefined, state: undefined, ...each })),
      (each) => each,
      order,
      language,
    ).map(({ title }) => title);

  it('by title is that of a dictionary, with numbers as numbers', () => {
    const given = ['Z', 'shop 10', 'ä', 'Shop 9', 'b'].map((title) => ({ title }));
    assert.deepEqual(titles(given, 'title'), ['ä', 'b', 'Shop 9', 'shop 10', 'Z']);
    assert.deepEqual(titles([{ title: 'ä' }, { title: 'z' }], 'title', 'sv'), ['z', 'ä']);
  });

  it('by time begins with the latest, and ends with what has none', () => {
    const given = [
      { title: 'never' },
      { title: 'first', updatedAt: new Date(1) },
      { title: 'odd', updatedAt: new Date(NaN) },
      { title: 'last', updatedAt: new Date(2) },
    ];
    assert.deepEqual(titles(given, 'updated'), ['last', 'first', 'never', 'odd']);
  });

  it('by state begins with what runs, then what failed', () => {
    const given = [...states].reverse().map((state) => ({ title: String(state), state }));
    assert.deepEqual(titles(given, 'state'), ['underWay', 'failed', 'other', 'complete', 'none', 'undefined']);
  });
});

describe('an entry of any list', () => {
  const entryOf = (values: Readonly<Record<string, string | number | null>>) => resourceEntry('x', resourceOf(values));

  it('tells when it changed and its state, as services write them', () => {
    const at = new Date('2026-03-01T10:00:00Z');
    for (const values of [
      { updated_at: at.toISOString(), created_at: '2020-01-01T00:00:00Z' },
      { lastModified: at.getTime() },
      { created: at.getTime() / 1000 },
      { updated_at: null, last_build: at.toISOString() },
    ]) {
      assert.deepEqual(entryOf(values).updatedAt, at, JSON.stringify(values));
    }
    assert.equal(entryOf({ updated: 'yesterday' }).updatedAt, undefined);
    assert.deepEqual(
      ['pending', 'Error', 'complete', 'parked'].map((status) => entryOf({ status }).state),
      ['underWay', 'failed', 'complete', 'other'],
    );
    assert.deepEqual(entryOf({}), { title: 'x', updatedAt: undefined, state: undefined });
    assert.deepEqual(resourceEntry('x', undefined), { title: 'x', updatedAt: undefined, state: undefined });
  });
});
