import { describe } from '../../workbench/notifications.ts';
import { buildForExtension, type BuildForExtensionDependencies } from './buildForExtension.ts';
import type { CommandId } from '../commandRegistry.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { urlAtService } from '../wizard/requestSubject.ts';
import { isCallArgument, readBuildArgument, readResourceArgument } from './callArguments.ts';
import { readResource, type OpenedResource, type ReadResource, type StartedBuild } from './callResults.ts';

export type CallDependencies = Pick<CommandDependencies, 'connections' | 'documents' | 'log' | 'redactor'> &
  BuildForExtensionDependencies;

/**
 * The commands that answer other extensions. Each takes one object (`callArguments.ts`), asks nobody anything, and shows
 * no failure: it rejects with an error whose message is a sentence for a person. Results are plain JSON without the secrets in
 * use. One extension cannot be told from another: whoever calls reads and builds in the person's name.
 */
function createCalls(dependencies: CallDependencies) {
  const { connections, documents } = dependencies;
  return {
    'appBuild.openResource': async (argument: object): Promise<OpenedResource | undefined> => {
      const { url: link } = readResourceArgument('appBuild.openResource', argument);
      const { client } = await connections.requireSignedIn();
      const url = urlAtService(client, link);
      return (await documents.open(url)) === 'shown' ? { url } : undefined;
    },
    'appBuild.getResource': async (argument: object): Promise<ReadResource> => {
      const { url } = readResourceArgument('appBuild.getResource', argument);
      const { client } = await connections.requireSignedIn();
      return readResource(await client.get(urlAtService(client, url)));
    },
    'appBuild.buildApp': async (argument: object): Promise<StartedBuild> =>
      buildForExtension(dependencies, readBuildArgument('appBuild.buildApp', argument)),
  } satisfies Partial<Record<CommandId, (argument: object) => Promise<unknown>>>;
}

/** What answers a command that a program runs with this argument; undefined for what a person asks for. */
export function callOf(
  id: CommandId,
  argument: unknown,
  dependencies: CallDependencies,
): (() => Promise<unknown>) | undefined {
  const calls: Partial<Record<CommandId, (argument: object) => Promise<unknown>>> = createCalls(dependencies);
  const call = calls[id];
  return call === undefined || !isCallArgument(argument)
    ? undefined
    : () => answer(id, () => call(argument), dependencies);
}

/** @throws Error whose message is what a person would read: in another extension host it is all that arrives. */
function answer(
  id: CommandId,
  call: () => Promise<unknown>,
  { log, redactor }: Pick<CallDependencies, 'log' | 'redactor'>,
): Promise<unknown> {
  return call().catch((error: unknown) => {
    log.error(id, error);
    // Without its cause, which may say more than the sentence.
    throw new Error(redactor.redact(describe(error)));
  });
}
