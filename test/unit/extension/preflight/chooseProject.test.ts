import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import { noWebProject } from '../../../../src/extension/preflight/chooseProject.ts';

describe('the error for a folder without a web project', () => {
  const text = (searchedOnly?: number) => {
    const { message, next } = noWebProject('home', searchedOnly);
    return `${message} ${next === undefined ? '' : formatSentence(next)}`;
  };

  it('reports that not all folders were searched', () => {
    assert.match(
      text(1_000),
      /^The first 1,?000 folders in home .* The others weren’t searched\. Open the folder of your web app\.$/,
    );
    assert.match(text(), /^home doesn’t contain a web project\. It needs an index\.html/);
  });
});
