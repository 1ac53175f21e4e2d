import * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import { parseTypedServiceUrl, type ServiceProbe, type ServiceUrl } from '../../service-client/index.ts';
import { KnownServices } from '../auth/knownServices.ts';
import { extensionCallback } from '../auth/flows/browserFlows.ts';
import type { CommandDependencies } from './dependencies.ts';
import { runWizard, wizardFields } from './wizard/wizard.ts';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { requireAnswer, type TextQuestion } from '../workbench/input.ts';
import { describeFailure, localize } from '../workbench/notifications.ts';
import { withProgress } from '../workbench/progress.ts';

/** Asks for the URL and registration of a service, stores them, and signs in. */
export async function connectToService(dependencies: CommandDependencies): Promise<void> {
  const { connections, notifications, provider } = dependencies;
  const { service, isService } = await askForService(dependencies);
  if (!isService) {
    notifications.information(vscode.l10n.t('{0} is in use, but no build service responded there.', service.host), {
      title: vscode.l10n.t('Sign In'),
      run: () => provider.signIn(),
    });
  } else if (await connections.isSignedOut()) {
    await provider.signIn();
  } else {
    notifications.done(vscode.l10n.t('Connected to {0}.', service.host));
  }
}

/** Asks for the URL and registration of a service and stores them. Stops the local service. */
export async function askForService(dependencies: CommandDependencies): Promise<ChosenAddress> {
  const chosen = await updateRegistration(dependencies);
  await dependencies.localService.stop();
  return chosen;
}

/** Changes the registration at the current service. */
export async function changeRegistration(dependencies: CommandDependencies): Promise<void> {
  await updateRegistration(dependencies, dependencies.selection.require().url);
  dependencies.notifications.done(vscode.l10n.t('Registration changed.'));
}

/** Address of a service, and this extension's registration there. Missing values are empty. */
interface RegistrationAnswers {
  readonly url: string;
  readonly callbackUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly address: ChosenAddress | undefined;
}

interface ChosenAddress {
  readonly service: ServiceUrl;
  readonly isService: boolean;
}

/**
 * Asks the questions of *Connect to a Service…* and stores the answers. The user can go back to earlier questions. Probes the address
 * before asking the remaining questions. The initial values are the current registration, unless the user enters another origin.
 *
 * @param known the service whose registration to change. If undefined, the user enters the address.
 */
async function updateRegistration(dependencies: CommandDependencies, known?: ServiceUrl): Promise<ChosenAddress> {
  const { extensionId, configuration, globalState, registrations, input } = dependencies;
  const ownCallback = extensionCallback(extensionId).toString(true);
  const initial: RegistrationAnswers = {
    url: configuration.serviceUrl ?? '',
    callbackUrl: configuration.callbackUrl ?? ownCallback,
    clientId: configuration.clientId ?? '',
    clientSecret: '',
    address: known && { service: known, isService: true },
  };
  const title =
    known === undefined
      ? vscode.l10n.t('Connect to a Service')
      : vscode.l10n.t('Change Registration at {0}', known.host);
  const { text } = wizardFields<RegistrationAnswers>(input, title);
  const { address, ...answers } = await runWizard(initial, [
    {
      when: () => known === undefined,
      ask: async (given, position) => {
        const question = {
          ...position,
          title,
          prompt: vscode.l10n.t('Address of the application build service.'),
          placeholder: 'build.example.com',
          value: given.url,
        };
        const chosen = await askForAddress(dependencies, question, given.address);
        const { href, origin } = chosen.service;
        const proposed =
          origin === given.address?.service.origin
            ? given
            : origin === URL.parse(initial.url)?.origin
              ? initial
              : { callbackUrl: ownCallback, clientId: '', clientSecret: '' };
        return { ...given, ...proposed, url: href, address: chosen };
      },
    },
    text('callbackUrl', {
      prompt: vscode.l10n.t(
        'Register this extension with the service, using this callback URL. If another one is registered, enter that one.',
      ),
      placeholder: ownCallback,
      validate: (url) =>
        URL.canParse(url) ? undefined : vscode.l10n.t('Enter a complete URL, such as the one from the copy button.'),
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('copy'),
          tooltip: vscode.l10n.t('Copy Callback URL'),
          run: () => vscode.env.clipboard.writeText(ownCallback),
        },
      ],
    }),
    text('clientId', {
      prompt: vscode.l10n.t(
        'Leave it empty if this extension isn’t registered. Then you can sign in only with a user name and password.',
      ),
      placeholder: vscode.l10n.t('Client ID that the service gave you'),
    }),
    text('clientSecret', {
      when: ({ clientId }) => clientId !== '',
      prompt: vscode.l10n.t(
        'Stored in the system keychain, never in settings. Leave it empty to keep the current secret.',
      ),
      placeholder: vscode.l10n.t('Client secret that the service gave you'),
      secret: true,
    }),
  ]);
  const chosen = requireAnswer(address);
  const { service } = chosen;
  const isRegistered = answers.clientId !== '';
  if (!isRegistered) {
    await registrations.storeSecret(service, undefined);
  } else if (answers.clientSecret !== '') {
    await registrations.storeSecret(service, answers.clientSecret);
  }
  await new KnownServices(configuration, globalState).use({
    url: service.href,
    clientId: isRegistered ? answers.clientId : undefined,
    callbackUrl: answers.callbackUrl === ownCallback ? undefined : answers.callbackUrl,
  });
  return chosen;
}

/**
 * Asks for an address until a build service responds there or the user accepts the address anyway.
 *
 * @param before the previously chosen address, which isn't probed again.
 */
async function askForAddress(
  dependencies: CommandDependencies,
  question: TextQuestion,
  before: ChosenAddress | undefined,
): Promise<ChosenAddress> {
  for (let { value } = question; ;) {
    const { service, found } = await askAndProbe(dependencies, { ...question, value: value ?? '' }, before);
    if (found === undefined || found.kind === 'service') {
      return { service, isService: found !== undefined || before?.isService === true };
    }
    const change = vscode.l10n.t('Change');
    const useAnyway = vscode.l10n.t('Use Anyway');
    const other = found.kind === 'redirect' ? found.service : undefined;
    const useOther = other && vscode.l10n.t('Use {0}', other.host);
    const detail = found.next === undefined ? '' : localize(found.next);
    const actions = [...(useOther === undefined ? [] : [useOther]), change, useAnyway];
    switch (await dependencies.input.decide(localize(found.what), detail, actions)) {
      case undefined:
        throw new CancelledError();
      case useAnyway:
        return { service, isService: false };
      case change:
        value = service.href;
        break;
      default:
        value = other?.href ?? service.href;
    }
  }
}

/** Asks for an address and probes it. @returns the address and the result. The result is undefined if the address was chosen before. */
async function askAndProbe(
  { connections, input }: CommandDependencies,
  question: TextQuestion,
  before: ChosenAddress | undefined,
): Promise<{ readonly service: ServiceUrl; readonly found: ServiceProbe | undefined }> {
  const controller = new AbortController();
  let found: ServiceProbe | undefined;
  const probeTyped = async (service: ServiceUrl) => {
    found = await connections.probe(service, controller.signal);
    return undefined;
  };
  try {
    const text = await input.askText({
      ...question,
      validate: (typed) => {
        try {
          const service = parseTypedServiceUrl(typed);
          return service.href === before?.service.href ? undefined : probeTyped(service);
        } catch (error) {
          return describeFailure(error);
        }
      },
    });
    return { service: parseTypedServiceUrl(text), found };
  } finally {
    // The user may have closed the box during the probe.
    controller.abort();
  }
}

/** Opens the walkthrough in package.json, which leads from choosing a service to the first build. */
export async function openWalkthrough({ extensionId }: CommandDependencies): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false);
}

/** Starts the local service. Signs in as its owner, unless an account is already signed in. @param demo true to start with demo data. */
export async function startLocalService(
  { localService, connections, provider, notifications }: CommandDependencies,
  { demo = false }: { readonly demo?: boolean } = {},
): Promise<void> {
  const url = await withProgress({ view: RESOURCES_VIEW_ID }, () =>
    provider.runDuringSignIn(async () => {
      const started = await localService.start({ demo });
      if (await connections.isSignedOut()) {
        await provider.signIn({ scopes: [], asOwner: true });
      }
      return started;
    }),
  );
  notifications.information(vscode.l10n.t('The local service is running at {0}.', url.host));
}

/** Stops the local service. */
export async function stopLocalService({ localService, notifications }: CommandDependencies): Promise<void> {
  const wasInUse = await localService.stop();
  if (wasInUse) {
    void vscode.commands.executeCommand('setContext', 'appBuild.localServiceStopped', true);
  }
  notifications.information(
    wasInUse
      ? vscode.l10n.t('The local service was stopped. Its data is kept.')
      : vscode.l10n.t('The local service isn’t running.'),
  );
}
