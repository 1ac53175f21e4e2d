import assert from 'node:assert/strict';
import { paragraph } from '../../../src/workbench/texts.ts';

describe('A paragraph', () => {
  const cases: readonly (readonly [sentences: readonly string[], text: string])[] = [
    [[], ''],
    [['One.'], 'One.'],
    [['The service said: gone', 'Try again.'], 'The service said: gone. Try again.'],
    [['Is it there?', 'Look at “a.txt”', 'Reading…'], 'Is it there? Look at “a.txt” Reading…'],
    [['応答がありません。', 'もう一度お試しください。'], '応答がありません。もう一度お試しください。'],
    [['理由: 見つかりません', 'もう一度お試しください。'], '理由: 見つかりません。もう一度お試しください。'],
    [['拒否されました: Not found', 'もう一度お試しください。'], '拒否されました: Not found. もう一度お試しください。'],
    [['Datei', 'サーバー', 'End'], 'Datei. サーバー。End.'],
  ];
  for (const [sentences, text] of cases) {
    it(`joins ${JSON.stringify(sentences)}`, () => assert.equal(paragraph(sentences), text));
  }
});
