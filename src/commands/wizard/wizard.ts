import type { ChoiceQuestion, Input, PickItem, TextQuestion } from '../../workbench/input.ts';

/** Where a question stands in a series, as {@link Input} takes it. */
export interface Position {
  readonly step: number;
  readonly totalSteps: number;
}

/** A question of a series. */
export interface WizardStep<Answers> {
  /** False when the answers so far leave nothing to ask; asked each time when absent. */
  readonly applies?: ((answers: Answers) => boolean) | undefined;
  /**
   * Asks, with the answer that was given before as the proposal.
   *
   * @returns the answers with this one, or `back` for the question before.
   * @throws CancelledError when the person closes it.
   */
  readonly ask: (answers: Answers, position: Position) => Promise<Answers | 'back'>;
}

/**
 * Asks the questions of a series, one after the other. Going back shows the answers as they were given.
 *
 * @param initial what is known, or proposed.
 * @throws CancelledError when the person closes a question; what a step throws.
 */
export async function runWizard<Answers>(initial: Answers, steps: readonly WizardStep<Answers>[]): Promise<Answers> {
  let answers = initial;
  /** The steps that were asked, for the way back. */
  const asked: number[] = [];
  for (let index = 0; index < steps.length;) {
    const step = steps[index];
    if (step === undefined || step.applies?.(answers) === false) {
      index += 1;
      continue;
    }
    const ahead = steps.slice(index).filter(({ applies }) => applies?.(answers) !== false);
    const answer = await step.ask(answers, { step: asked.length + 1, totalSteps: asked.length + ahead.length });
    if (answer === 'back') {
      index = asked.pop() ?? index;
    } else {
      answers = answer;
      asked.push(index);
      index += 1;
    }
  }
  return answers;
}

/**
 * A question that is answered with one of several entries.
 *
 * @param question made of the answers so far; each entry holds the answer in `value`, the one that was given before has the focus.
 * @param applies as in {@link WizardStep}.
 */
export function choiceStep<Answers, Name extends keyof Answers>(
  input: Input,
  name: Name,
  question: (answers: Answers) => Omit<ChoiceQuestion<PickItem & { readonly value: Answers[Name] }>, 'active'>,
  applies?: (answers: Answers) => boolean,
): WizardStep<Answers> {
  return {
    applies,
    ask: async (answers, position) => {
      const asked = question(answers);
      const active = asked.items.find(({ value }) => value === answers[name]);
      const answer = await input.askChoice({ ...asked, ...position, active });
      return answer === 'back' ? answer : { ...answers, [name]: answer.item.value };
    },
  };
}

/** A question that is answered with a line of text; as {@link choiceStep}. */
export function textStep<Answers, Name extends keyof Answers>(
  input: Input,
  name: Name & (Answers[Name] extends string ? unknown : never),
  question: (answers: Answers) => Omit<TextQuestion, 'value'>,
  applies?: (answers: Answers) => boolean,
): WizardStep<Answers> {
  return {
    applies,
    ask: async (answers, position) => {
      const answer = await input.askText({ ...question(answers), ...position, value: String(answers[name]) });
      return answer === 'back' ? answer : { ...answers, [name]: answer.text };
    },
  };
}
