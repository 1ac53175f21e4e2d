import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isPortable } from '../../../../src/web-project/packing/fileNames.ts';
import { ignoreLine, IgnoreRules, withLine, withoutLine } from '../../../../src/web-project/packing/ignoreRules.ts';

const leavesOut = (text: string, path: string, isFolder = false) =>
  new IgnoreRules(true).with(text, '', '').ruleAgainst(path, isFolder) !== undefined;

/** Names that a package can contain. Many have characters with a meaning in an ignore file. */
const name = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom(...'a b * ? [ ] ! # \\ . / - ^ { } ( ) + $ é'.split(' '), ' '),
      minLength: 1,
      maxLength: 8,
    }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  )
  .filter((text) => !text.includes('/') && text !== '.' && isPortable(text));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('an ignore line for a path', () => {
  it('leaves out only that file, or a folder with all its files but no file of its name', () => {
    fc.assert(
      fc.property(path, path, name, (one, other, file) => {
        const [line, folderLine] = [false, true].map((isFolder) => ignoreLine({ path: one, isFolder }));
        assert.ok(line !== undefined && folderLine !== undefined && leavesOut(line, one), line);
        assert.ok(leavesOut(folderLine, one, true) && leavesOut(folderLine, `${one}/${file}`), folderLine);
        assert.ok(!leavesOut(folderLine, one) && !leavesOut(folderLine, `${file} ${one}`, true), folderLine);
        fc.pre(other !== one && !other.startsWith(`${one}/`));
        assert.ok(!leavesOut(line, other), `${line} leaves out ${other}`);
      }),
      { numRuns: 500 },
    );
  });

  it('is added once at the end of the file, keeps its line endings, and is removed completely', () => {
    const [a, films] = [
      { path: 'a', isFolder: false },
      { path: 'films', isFolder: true },
    ];
    assert.equal(withLine('', a), '/a\n');
    assert.equal(withLine('x', films), 'x\n/films/\n');
    assert.equal(withLine('x\r\ny', a), 'x\r\ny\r\n/a\r\n');
    assert.equal(withLine('/a\n', a), '/a\n');
    assert.equal(withLine('*\n', a), '*\n', 'another rule already leaves it out');
    assert.equal(withLine('/a\n!a\n', a), '/a\n!a\n/a\n', 'a later line includes it');
    for (const text of ['', 'x\n', 'x\r\n']) {
      assert.equal(withoutLine(withLine(text, a), a), text);
    }
    assert.equal(withoutLine('/a\nx\n/a\n', a), 'x\n');
    assert.equal(withoutLine('x\n', a), 'x\n', 'the user has taken it away');
  });
});
