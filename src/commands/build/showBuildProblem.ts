import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Apps } from '../../builds/apps.ts';
import { projectPath } from '../../projects/chooseProject.ts';
import { checkFailedBuild } from '../../projects/preflight/failedBuild.ts';
import { localised } from '../../workbench/notifications.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appSubjectOf, choosePlatform } from '../wizard/appSubject.ts';

interface ShowBuildProblemDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Checks the folder of an app whose build has failed, and opens the place that the failure is about; where there is none, the
 * list of what was found.
 *
 * @param argument a row of a platform, or `{app, platform}`; without one a person is asked.
 * @throws BuildServiceError
 */
export async function showBuildProblem(
  { connections, apps, input, notifications }: ShowBuildProblemDependencies,
  argument: unknown,
): Promise<void> {
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Show the Problem');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return;
  }
  const { app } = subject;
  const build = await choosePlatform(app, ({ state, error }) => state === 'failed' && error !== undefined, {
    input,
    title,
    placeholder: vscode.l10n.t('The problem of which build?'),
    platform: subject.platform,
    none: sentence('No build of “{0}” has failed.', app.title),
  });
  if (build === undefined) {
    return;
  }
  const linked = apps.folders.all(connection).find((each) => each.app.url === app.url);
  if (linked === undefined) {
    throw new InvalidInputError(
      sentence('No folder of this window is built as “{0}”.', app.title),
      sentence('Open its folder, or link one to it with Link Folder to App.'),
      'none',
    );
  }
  const { error = '' } = build;
  const progress = {
    notification: vscode.l10n.t('Checking {0}', linked.folder.name),
    delayMs: CALL_PROGRESS_DELAY_MS,
  };
  const { check, about, problem, isOutsideFolder } = await withProgress(progress, (signal) =>
    checkFailedBuild(linked, { connection, app, build }, apps, signal),
  );
  const place = about.find((finding) => finding.place !== undefined)?.place;
  if (place !== undefined) {
    const selection = place.range;
    await vscode.window.showTextDocument(place.uri, { ...(selection && { selection }) });
    return;
  }
  if (about.length > 0) {
    await apps.preflight.show(check, 'findings');
    return;
  }
  const showFindings = {
    title: vscode.l10n.t('Show What Was Found'),
    run: () => apps.preflight.show(check, 'findings'),
  };
  if (problem === undefined || isOutsideFolder) {
    notifications.information(
      vscode.l10n.t('Nothing in {0} explains the failure: {1}', projectPath(check.folder, check.project), error),
      showFindings,
    );
    return;
  }
  notifications.information(
    vscode.l10n.t(
      '{0} That is no longer so in {1}. Build it again.',
      localised(problem),
      projectPath(check.folder, check.project),
    ),
    { title: vscode.l10n.t('Build This Folder'), run: () => apps.buildFolder(linked.folder) },
    showFindings,
  );
}
