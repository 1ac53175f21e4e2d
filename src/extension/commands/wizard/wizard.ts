import type * as vscode from 'vscode';
import { CancelledError } from '../../../errors/index.ts';
import { BackError, type FileQuestion, type Input, type PickItem, type TextQuestion } from '../../workbench/input.ts';

/** Position of a question in a series, as {@link Input} expects it. */
interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

/** A step of a wizard. */
export interface WizardStep<Answers> {
  /** Returns false to skip the step because of earlier answers. If omitted, the step is always asked. */
  readonly when?: ((answers: Answers) => boolean) | undefined;
  /**
   * Asks the question. The initial value is the previous answer.
   *
   * @returns the answers, including this one.
   * @throws BackError to go back to the previous question.
   */
  readonly ask: (answers: Answers, position: StepPosition) => Promise<Answers>;
}

/**
 * Asks a series of questions. When the user goes back, the earlier answers are the initial values.
 *
 * @param initial known or suggested answers.
 */
export async function runWizard<Answers>(initial: Answers, steps: readonly WizardStep<Answers>[]): Promise<Answers> {
  let answers = initial;
  /** Indexes of the steps already shown, so that the user can go back. */
  const asked: number[] = [];
  for (let index = 0; index < steps.length;) {
    const step = steps[index];
    if (step === undefined || step.when?.(answers) === false) {
      index += 1;
      continue;
    }
    const ahead = steps.slice(index).filter(({ when }) => when?.(answers) !== false);
    try {
      answers = await step.ask(answers, { step: asked.length + 1, totalSteps: asked.length + ahead.length });
      asked.push(index);
      index += 1;
    } catch (error) {
      if (!(error instanceof BackError)) {
        throw error;
      }
      index = asked.pop() ?? index;
    }
  }
  return answers;
}

/** A value, or a function that computes it from the answers so far. */
type DerivedValue<Answers, T> = T | ((answers: Answers) => T);

interface WizardField<Answers> {
  readonly when?: WizardStep<Answers>['when'];
  readonly placeholder: DerivedValue<Answers, string>;
}

interface TextField<Answers>
  extends WizardField<Answers>, Pick<TextQuestion, 'secret' | 'exact' | 'required' | 'buttons'> {
  readonly prompt: DerivedValue<Answers, string>;
  readonly validate?: (text: string, answers: Answers) => ReturnType<NonNullable<TextQuestion['validate']>>;
}

interface ChoiceField<Answers, Value> extends WizardField<Answers> {
  readonly items: readonly (PickItem & { readonly value: Value })[];
}

/** Creates wizard steps from fields. Each step asks for one member of the answers. @param title title of all questions. */
export function wizardFields<Answers>(input: Input, title: string) {
  return {
    text: <Name extends keyof Answers>(
      name: Name & (Answers[Name] extends string ? unknown : never),
      { when, placeholder, prompt, validate, ...options }: TextField<Answers>,
    ): WizardStep<Answers> => ({
      when,
      ask: async (answers, position) => {
        const text = await input.askText({
          ...options,
          ...position,
          title,
          placeholder: derive(placeholder, answers),
          prompt: derive(prompt, answers),
          value: String(answers[name]),
          validate: (typed) => validate?.(typed, answers),
        });
        return { ...answers, [name]: text };
      },
    }),

    choice: <Name extends keyof Answers>(
      name: Name,
      { when, placeholder, items }: ChoiceField<Answers, Answers[Name]>,
    ): WizardStep<Answers> => ({
      when,
      ask: async (answers, position) => {
        const active = items.find(({ value }) => value === answers[name]);
        const question = { ...position, title, placeholder: derive(placeholder, answers), active };
        return { ...answers, [name]: (await input.pick(items, question)).value };
      },
    }),
  };
}

/**
 * Creates a step that asks for a file. Closing the dialog goes back, because it has no button for that.
 *
 * @param accept returns the answers with the file.
 */
export function fileStep<Answers>(
  input: Input,
  question: FileQuestion,
  accept: (file: vscode.Uri, answers: Answers) => Answers | Promise<Answers>,
  when?: WizardStep<Answers>['when'],
): WizardStep<Answers> {
  return {
    when,
    ask: async (answers, { step }) => {
      const file = await input.openFile(question);
      if (file === undefined) {
        throw step === 1 ? new CancelledError() : new BackError();
      }
      return accept(file, answers);
    },
  };
}

function derive<Answers>(value: DerivedValue<Answers, string>, answers: Answers): string {
  return typeof value === 'function' ? value(answers) : value;
}
