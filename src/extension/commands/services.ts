import * as vscode from 'vscode';
import { KnownServices } from '../auth/knownServices.ts';
import type { Service } from '../auth/serviceSelection.ts';
import type { PickItem } from '../workbench/input.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askForService, connectToService, startLocalService } from './serviceCommands.ts';

interface ServiceItem extends PickItem {
  readonly run: () => Promise<unknown>;
}

interface ServiceSteps {
  readonly title: string;
  readonly startLocal: (demo: boolean) => Promise<unknown>;
  readonly connect: () => Promise<unknown>;
}

/** Lists the known services and switches to the one that the user selects. */
export async function showServices(dependencies: CommandDependencies): Promise<void> {
  const chosen = await pickService(dependencies, {
    title: vscode.l10n.t('Services'),
    startLocal: (demo) => startLocalService(dependencies, { demo }),
    connect: () => connectToService(dependencies),
  });
  await chosen.run();
}

/** Asks for a service when the user signs in without having chosen one. The sign-in then continues. */
export async function chooseService(dependencies: CommandDependencies): Promise<void> {
  const chosen = await pickService(dependencies, {
    title: vscode.l10n.t('Sign In'),
    startLocal: (demo) => dependencies.localService.start({ demo }),
    connect: () => askForService(dependencies),
  });
  await chosen.run();
}

async function pickService(
  dependencies: CommandDependencies,
  { title, startLocal, connect }: ServiceSteps,
): Promise<ServiceItem> {
  const { input, configuration, globalState, localService } = dependencies;
  const current = serviceInUse(dependencies);
  const services = new KnownServices(configuration, globalState);
  const inUse = (isCurrent: boolean | undefined) =>
    isCurrent === true ? { description: vscode.l10n.t('In use') } : {};
  const remote = services.all.map((service): ServiceItem => ({
    icon: 'server',
    label: URL.parse(service.url)?.host ?? service.url,
    ...inUse(current?.local === false && current.url.href === service.url),
    run: async () => {
      await services.use(service);
      await localService.stop();
    },
  }));
  const items: readonly ServiceItem[] = [
    {
      icon: 'vm',
      label: vscode.l10n.t('Local Service'),
      ...inUse(current?.local === true && current.demo !== true),
      detail: vscode.l10n.t('Builds apps on this computer, without an account.'),
      run: () => startLocal(false),
    },
    ...remote,
    {
      icon: 'beaker',
      label: vscode.l10n.t('Demo Data'),
      ...inUse(current?.demo),
      detail: vscode.l10n.t('The local service with sample apps and keys, separate from your own.'),
      run: () => startLocal(true),
    },
    {
      icon: 'plug',
      label: vscode.l10n.t('Connect to a Service…'),
      detail: vscode.l10n.t('Use the service of your company or provider.'),
      run: connect,
    },
  ];
  return input.pick(items, {
    title,
    placeholder: vscode.l10n.t('Which service do you want to use?'),
    active: items.find(({ description }) => description !== undefined),
  });
}

/**
 * Returns the current service, or undefined if none is chosen or the setting isn't a valid URL. In either case, the user can select
 * another one.
 */
function serviceInUse({ selection }: CommandDependencies): Service | undefined {
  try {
    return selection.current;
  } catch {
    return undefined;
  }
}
