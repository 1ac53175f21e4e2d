import * as vscode from 'vscode';
import { parseServiceUrl } from '../api/serviceUrl.ts';
import type { ClientRegistrations } from '../auth/clientRegistration.ts';
import { extensionCallback } from '../auth/flows/uriHandlerFlow.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { describe } from '../workbench/notifications.ts';
import { askText, type Question } from '../workbench/textInput.ts';
import type { LocalService } from '../localServiceHost/localService.ts';
import type { Handlers } from './registry.ts';

interface Parts {
  readonly extensionId: string;
  readonly configuration: Configuration;
  readonly registrations: ClientRegistrations;
  readonly localService: LocalService;
}

/** Commands about which service is in use. */
export function serviceCommands(parts: Parts) {
  return {
    'appBuild.connect': () => connect(parts),
    'appBuild.chooseService': () => choose(parts),
  } satisfies Handlers;
}

/** For a person who signs in before there is a service. */
async function choose(parts: Parts): Promise<void> {
  const local = {
    label: `$(beaker) ${vscode.l10n.t('Start Local Service')}`,
    detail: vscode.l10n.t('Try everything with demo data on this machine.'),
    run: async () => {
      await parts.localService.start();
    },
  };
  const other = {
    label: `$(plug) ${vscode.l10n.t('Connect to a Service…')}`,
    detail: vscode.l10n.t('Use the service of your company or provider.'),
    run: () => connect(parts),
  };
  const chosen = await vscode.window.showQuickPick([local, other], {
    title: vscode.l10n.t('Sign In'),
    placeHolder: vscode.l10n.t('Which application build service do you want to use?'),
  });
  await chosen?.run();
}

/** Asks for the URL and the registration, and uses that service from then on. */
async function connect({ extensionId, configuration, registrations, localService }: Parts): Promise<void> {
  const own = extensionCallback(extensionId).toString(true);
  const answers = await ask(own, {
    url: configuration.serviceUrl ?? '',
    callbackUrl: configuration.callbackUrl ?? own,
    clientId: configuration.clientId ?? '',
    clientSecret: '',
  });
  const service = parseServiceUrl(answers.url);
  const registered = answers.clientId !== '';
  if (!registered) {
    await registrations.keepSecret(service, undefined);
  } else if (answers.clientSecret !== '') {
    await registrations.keepSecret(service, answers.clientSecret);
  }
  await configuration.connect(
    service.href,
    registered ? answers.clientId : undefined,
    answers.callbackUrl === own ? undefined : answers.callbackUrl,
  );
  await localService.stop();
  const signIn = vscode.l10n.t('Sign In');
  const text = vscode.l10n.t('Connected to {0}.', new URL(service.href).host);
  void vscode.window.showInformationMessage(text, signIn).then((chosen) => {
    if (chosen === signIn) {
      void vscode.commands.executeCommand('appBuild.signIn');
    }
  });
}

interface Answers {
  url: string;
  callbackUrl: string;
  clientId: string;
  clientSecret: string;
}

/** The questions of *Connect to a Service…*, with a way back to each. */
async function ask(own: string, answers: Answers): Promise<Answers> {
  const questions: readonly (Pick<Question, 'prompt' | 'placeholder' | 'secret' | 'check' | 'buttons'> & {
    readonly name: keyof Answers;
  })[] = [
    {
      name: 'url',
      prompt: vscode.l10n.t('Address of the application build service.'),
      placeholder: 'https://build.example.com',
      check: problemWithUrl,
    },
    {
      name: 'callbackUrl',
      prompt: vscode.l10n.t(
        'Register this extension with the service, with this Callback Url. If another one is registered, enter that.',
      ),
      placeholder: own,
      check: problemWithCallback,
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('copy'),
          tooltip: vscode.l10n.t('Copy Callback Url'),
          run: () => vscode.env.clipboard.writeText(own),
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
  for (let index = 0; index < questions.length;) {
    const question = questions[index];
    if (question === undefined || (question.name === 'clientSecret' && answers.clientId === '')) {
      break;
    }
    const answer = await askText({
      ...question,
      title: vscode.l10n.t('Connect to a Service'),
      value: answers[question.name],
      step: index + 1,
      totalSteps: questions.length,
    });
    if (answer === 'back') {
      index -= 1;
    } else {
      answers[question.name] = answer.text;
      index += 1;
    }
  }
  return answers;
}

function problemWithUrl(text: string): string | undefined {
  try {
    parseServiceUrl(text);
    return undefined;
  } catch (error) {
    return describe(error);
  }
}

function problemWithCallback(text: string): string | undefined {
  return URL.canParse(text)
    ? undefined
    : vscode.l10n.t('Enter a complete URL, such as the one that the copy button gives.');
}
