import * as vscode from 'vscode';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { describe } from '../../workbench/notifications.ts';
import { buildForExtension, type BuildForExtensionDependencies } from '../build/buildForExtension.ts';
import type { CommandId } from '../commandRegistry.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { urlAtService } from '../wizard/requestSubject.ts';
import { isCallArgument, readBuildArgument, readResourceArgument } from './callArguments.ts';
import { CallError } from './callError.ts';
import { readResource, type OpenedResource, type ReadResource, type StartedBuild } from './callResults.ts';
import { shareableText } from './shareable.ts';

export type CallDependencies = Pick<CommandDependencies, 'connections' | 'documents' | 'log' | 'redactor'> &
  BuildForExtensionDependencies;

/**
 * The commands that answer other extensions. Each takes one object (`callArguments.ts`), asks nobody anything, and shows
 * no failure: it rejects with a {@link CallError}, or with VS Code's `CancellationError`. Results are plain JSON without
 * credentials. One extension cannot be told from another: whoever calls reads and builds in the person's name.
 */
function createCalls(dependencies: CallDependencies) {
  const { connections, documents } = dependencies;
  return {
    'appBuild.openResource': async (argument: object): Promise<OpenedResource | undefined> => {
      const { url: link, token } = readResourceArgument('appBuild.openResource', argument);
      const { client } = await connections.requireSignedIn();
      const url = urlAtService(client, link);
      const opened = await withSignal(token, (signal) => documents.open(url, signal));
      return opened === 'shown' ? { url: shareableText(url) } : undefined;
    },
    'appBuild.getResource': async (argument: object): Promise<ReadResource> => {
      const { url, token } = readResourceArgument('appBuild.getResource', argument);
      const { client } = await connections.requireSignedIn();
      const link = urlAtService(client, url);
      return readResource(await withSignal(token, (signal) => client.get(link, signal)));
    },
    'appBuild.buildApp': async (argument: object): Promise<StartedBuild> => {
      const { token, ...build } = readBuildArgument('appBuild.buildApp', argument);
      return withSignal(token, (signal) => buildForExtension(dependencies, build, signal));
    },
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

/** @throws CallError; VS Code's `CancellationError` when the program has cancelled the call. */
async function answer<T>(
  id: CommandId,
  call: () => Promise<T>,
  { log, redactor }: Pick<CallDependencies, 'log' | 'redactor'>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CancelledError) {
      throw new vscode.CancellationError();
    }
    log.error(id, error);
    throw new CallError(
      redactor.redact(describe(error)),
      error instanceof BuildServiceError ? error.kind : 'unexpected',
    );
  }
}

/** Calls with a signal that aborts when the token is cancelled. */
async function withSignal<T>(
  token: vscode.CancellationToken | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token?.onCancellationRequested(() => controller.abort());
  if (token?.isCancellationRequested) {
    controller.abort();
  }
  try {
    return await call(controller.signal);
  } finally {
    subscription?.dispose();
  }
}
