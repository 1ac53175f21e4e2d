import * as vscode from 'vscode';
import { parseServiceUrl } from '../../api/serviceUrl.ts';
import type { Input, TextQuestion } from '../../workbench/input.ts';
import { describe } from '../../workbench/notifications.ts';

/** The address of a service, and how this extension is registered there; an empty text for what is not given. */
export interface RegistrationAnswers {
  readonly url: string;
  readonly callbackUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Question extends Pick<TextQuestion, 'prompt' | 'placeholder' | 'secret' | 'validate' | 'buttons'> {
  readonly name: keyof RegistrationAnswers;
}

/**
 * The questions of *Connect to a Service…*, with a way back to each.
 *
 * @param ownCallback the Callback Url of this extension.
 * @param initial what the boxes start with.
 * @throws CancelledError when a box is closed.
 */
export async function askForRegistration(
  input: Input,
  ownCallback: string,
  initial: RegistrationAnswers,
): Promise<RegistrationAnswers> {
  const questions = questionsFor(ownCallback);
  let answers = initial;
  for (let index = 0; index < questions.length;) {
    const question = questions[index];
    if (question === undefined || (question.name === 'clientSecret' && answers.clientId === '')) {
      break;
    }
    const answer = await input.askText({
      ...question,
      title: vscode.l10n.t('Connect to a Service'),
      value: answers[question.name],
      step: index + 1,
      totalSteps: questions.length,
    });
    if (answer === 'back') {
      index -= 1;
    } else {
      answers = { ...answers, [question.name]: answer.text };
      index += 1;
    }
  }
  return answers;
}

function questionsFor(ownCallback: string): readonly Question[] {
  return [
    {
      name: 'url',
      prompt: vscode.l10n.t('Address of the application build service.'),
      placeholder: 'https://build.example.com',
      validate: validateServiceUrl,
    },
    {
      name: 'callbackUrl',
      prompt: vscode.l10n.t(
        'Register this extension with the service, with this Callback Url. If another one is registered, enter that.',
      ),
      placeholder: ownCallback,
      validate: (text) =>
        URL.canParse(text)
          ? undefined
          : vscode.l10n.t('Enter a complete URL, such as the one that the copy button gives.'),
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('copy'),
          tooltip: vscode.l10n.t('Copy Callback Url'),
          run: () => vscode.env.clipboard.writeText(ownCallback),
        },
      ],
    },
    {
      name: 'clientId',
      prompt: vscode.l10n.t(
        'Leave it empty if this extension is not registered: then only user name and password work.',
      ),
      placeholder: vscode.l10n.t('Client ID that the service gave you'),
    },
    {
      name: 'clientSecret',
      prompt: vscode.l10n.t(
        'Kept in the keychain of this system, never in a setting. Leave it empty to keep the one that is there.',
      ),
      placeholder: vscode.l10n.t('Client secret that the service gave you'),
      secret: true,
    },
  ];
}

function validateServiceUrl(text: string): string | undefined {
  try {
    parseServiceUrl(text);
    return undefined;
  } catch (error) {
    return describe(error);
  }
}
