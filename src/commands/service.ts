import * as vscode from 'vscode';
import { extensionCallback } from '../auth/flows/browserFlows.ts';
import type { ServiceUrl } from '../api/serviceUrl.ts';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { withProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askForRegistration, type Probe } from './wizard/registration.ts';

/** Asks which service to use, for a person who signs in before one is chosen. */
export async function chooseService(dependencies: CommandDependencies): Promise<void> {
  const items = [
    {
      icon: 'vm',
      label: vscode.l10n.t('Start Local Service'),
      detail: vscode.l10n.t('Build apps on this machine. It needs no account elsewhere.'),
      run: async () => {
        await dependencies.localService.start();
      },
    },
    {
      icon: 'beaker',
      label: vscode.l10n.t('Try with Demo Data'),
      detail: vscode.l10n.t('The local service with apps and keys to look at, apart from your own.'),
      run: async () => {
        await dependencies.localService.start({ demo: true });
      },
    },
    {
      icon: 'plug',
      label: vscode.l10n.t('Connect to a Service…'),
      detail: vscode.l10n.t('Use the service of your company or provider.'),
      run: () => connectToService(dependencies),
    },
  ];
  const chosen = await dependencies.input.pick(items, {
    title: vscode.l10n.t('Sign In'),
    placeholder: vscode.l10n.t('Which application build service do you want to use?'),
  });
  await chosen.run();
}

/** Asks for the URL and the registration, stores them, and offers to sign in there. */
export async function connectToService(dependencies: CommandDependencies): Promise<void> {
  const { localService, notifications } = dependencies;
  const { service, isService } = await updateRegistration(dependencies);
  await localService.stop();
  const { host } = new URL(service.href);
  const text = isService
    ? vscode.l10n.t('Connected to {0}.', host)
    : vscode.l10n.t('{0} is in use, although no build service answered there.', host);
  notifications.information(text, signInButton(dependencies));
}

export async function changeRegistration(dependencies: CommandDependencies): Promise<void> {
  await updateRegistration(dependencies, dependencies.selection.require().url);
  dependencies.notifications.done(vscode.l10n.t('Registration changed.'));
}

/** @param known the service whose registration changes. Without it, the user also enters the address. */
async function updateRegistration(dependencies: CommandDependencies, known?: ServiceUrl) {
  const { extensionId, configuration, connections, registrations, input } = dependencies;
  const ownCallback = extensionCallback(extensionId).toString(true);
  const initial = {
    url: configuration.serviceUrl ?? '',
    callbackUrl: configuration.callbackUrl ?? ownCallback,
    clientId: configuration.clientId ?? '',
    clientSecret: '',
  };
  const probe: Probe = (url, signal) => connections.probe(url, signal);
  const answers = await askForRegistration(input, ownCallback, initial, probe, known);
  const { service } = answers;
  const isRegistered = answers.clientId !== '';
  if (!isRegistered) {
    await registrations.storeSecret(service, undefined);
  } else if (answers.clientSecret !== '') {
    await registrations.storeSecret(service, answers.clientSecret);
  }
  await configuration.connect(
    service.href,
    isRegistered ? answers.clientId : undefined,
    answers.callbackUrl === ownCallback ? undefined : answers.callbackUrl,
  );
  return answers;
}

/** Opens the walkthrough that leads from a service to the first build. @see package.json */
export async function openWalkthrough({ extensionId }: CommandDependencies): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false);
}

/** Starts the local service, and signs in there as its owner unless an account is signed in. @param demo with the demo data. */
export async function startLocalService(
  { localService, connections, provider, notifications }: CommandDependencies,
  { demo = false }: { readonly demo?: boolean } = {},
): Promise<void> {
  const url = await withProgress({ view: RESOURCES_VIEW_ID }, () =>
    provider.duringSignIn(async () => {
      const started = await localService.start({ demo });
      if (await connections.isSignedOut()) {
        await provider.signIn({ scopes: [], asOwner: true });
      }
      return started;
    }),
  );
  notifications.information(
    demo
      ? vscode.l10n.t('The local service is running at {0}, with demo data. It stops with this window.', url.href)
      : vscode.l10n.t('The local service is running at {0}. It stops with this window.', url.href),
  );
}

export async function stopLocalService({ localService, notifications }: CommandDependencies): Promise<void> {
  const wasInUse = await localService.stop();
  if (wasInUse) {
    void vscode.commands.executeCommand('setContext', 'appBuild.localServiceStopped', true);
  }
  notifications.information(
    wasInUse
      ? vscode.l10n.t('The local service is stopped. Its data is kept for the next start.')
      : vscode.l10n.t('The local service is not running.'),
  );
}

function signInButton({ provider }: CommandDependencies) {
  return { title: vscode.l10n.t('Sign In'), run: () => provider.signIn() };
}
