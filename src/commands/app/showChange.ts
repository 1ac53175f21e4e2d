import * as vscode from 'vscode';
import type { Apps } from '../../builds/apps.ts';
import type { App } from '../../apps/model/app.ts';
import { startedBuilds } from '../../apps/model/startedBuilds.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import { listText } from '../../workbench/values.ts';
import type { RequestedBuild } from '../build/buildApp.ts';

interface ChangeContext {
  readonly apps: Apps;
  readonly notifications: Notifications;
}

/**
 * Says that an app was changed, and watches what the service builds because of it.
 *
 * @param before the app before the change.
 * @param after the service's answer.
 */
export function showChange({ apps, notifications }: ChangeContext, before: App, after: App): RequestedBuild {
  const platforms = startedBuilds(before, after);
  if (platforms.length > 0) {
    apps.watcher.watch(after, platforms);
  }
  apps.presenter.changed(after.url);
  notifications.done(
    platforms.length > 0
      ? vscode.l10n.t('“{0}” is changed, and is being built for {1}.', after.title, listText(platforms))
      : vscode.l10n.t('“{0}” is changed.', after.title),
  );
  return { app: after.url, platforms };
}
