import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BackError } from '../../../../src/extension/workbench/input.ts';
import { runWizard, type WizardStep } from '../../../../src/extension/commands/wizard/wizard.ts';

type Answers = Readonly<Record<string, string>>;

describe('a series of questions', () => {
  const positions: string[] = [];

  beforeEach(() => {
    positions.length = 0;
  });

  /** Asks for `name` and answers with the values of `given` in turn, repeating the last one. */
  const step = (name: string, given: readonly string[], when?: (answers: Answers) => boolean): WizardStep<Answers> => {
    let times = 0;
    return {
      ...(when !== undefined && { when }),
      ask: (answers, { step, totalSteps }) => {
        positions.push(`${name} ${step}/${totalSteps} ${answers[name] ?? ''}`.trim());
        const answer = given[Math.min(times++, given.length - 1)] ?? '';
        return answer === 'back' ? Promise.reject(new BackError()) : Promise.resolve({ ...answers, [name]: answer });
      },
    };
  };

  it('keeps the answers when the user goes back, and skips questions that weren’t asked', async () => {
    const answers = await runWizard({}, [
      step('source', ['zip', 'git']),
      step('file', ['a.zip'], ({ source }) => source === 'zip'),
      step('branch', ['main'], ({ source }) => source === 'git'),
      step('title', ['back', 'Tide']),
    ]);
    assert.deepEqual(positions, ['source 1/2', 'file 2/3', 'title 3/3', 'file 2/3 a.zip', 'title 3/3']);
    assert.deepEqual(answers, { source: 'zip', file: 'a.zip', title: 'Tide' });
  });

  it('asks other questions if the user goes back and changes an answer', async () => {
    const answers = await runWizard({}, [
      step('source', ['zip', 'git']),
      step('file', ['back'], ({ source }) => source === 'zip'),
      step('branch', ['main'], ({ source }) => source === 'git'),
    ]);
    assert.deepEqual(answers, { source: 'git', branch: 'main' });
    assert.deepEqual(positions, ['source 1/1', 'file 2/2', 'source 1/2 zip', 'branch 2/2']);
  });

  it('returns the last answer to each question, however often the user goes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { maxLength: 6 }), async (detours) => {
        const steps = detours.map((backs, index) =>
          step(`q${index}`, [...backs.map((back, n) => (back ? 'back' : `${n}`)), 'last']),
        );
        const answers = await runWizard({}, steps);
        assert.deepEqual(Object.keys(answers).sort(), steps.map((_, index) => `q${index}`).sort());
        assert.ok(positions.every((text) => /^q\d+ (\d+)\/\d+/.test(text)));
      }),
      { numRuns: 50 },
    );
  });
});
