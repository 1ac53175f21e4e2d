import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import type { RequestedBuild } from '../build/buildApp.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { showChange } from './showChange.ts';
import type { UpdateAppDependencies } from './updateApp.ts';

/**
 * Has the service fetch the repository of an app again.
 *
 * @param argument what the app is, as {@link appSubjectOf} reads it.
 * @returns what is being built because of it; undefined when a list is closed.
 * @throws InvalidInputError for an app without a repository; BuildServiceError
 */
export async function pullApp(
  dependencies: UpdateAppDependencies,
  argument: unknown,
): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Pull from Repository');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return undefined;
  }
  const { app } = subject;
  if (app.repository === undefined) {
    throw new InvalidInputError(
      sentence('“{0}” is not made from a repository.', app.title),
      sentence('Upload a folder or a zip file with the command Update App.'),
    );
  }
  const notification = vscode.l10n.t('The service fetches the repository');
  const pulled = await withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    apps.callsOf(connection).pull(app, { signal }),
  );
  return showChange(dependencies, app, pulled);
}
