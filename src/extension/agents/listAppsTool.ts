import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { getAppState, type App } from '../apps/model/app.ts';
import { AgentTool } from './agentTool.ts';
import { buildsReport, DATA_NOTE, takeFitting, oneLine, getLinkPath } from './report.ts';
import { text, toolInput } from './toolInput.ts';

const INPUT = toolInput({ search: text() }, '{"search": "shop"}');

/** The read-only tool `appBuild_list_apps`. */
export class ListAppsTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Listing the apps');

  protected async run({ search = '' }: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
    const { connection, calls, apps: known } = await this.account(signal);
    const { apps, creations } = await calls.appList({ signal });
    const linked = known.folders.all(connection);
    const isFound = ({ title, packageId = '' }: App) =>
      [title, packageId].some((each) => each.toLowerCase().includes(search.toLowerCase()));
    const { entries, leftOff } = takeFitting(apps.filter(isFound), (app) => ({
      app: getLinkPath(app.url),
      state: getAppState(app.builds),
      built_from_folders: linked.filter((each) => each.app.url === app.url).map(({ folder }) => oneLine(folder.name)),
      said_by_service: {
        title: this.asData(app.title),
        ...(app.version !== undefined && { version: this.asData(app.version) }),
        ...(app.packageId !== undefined && { package: this.asData(app.packageId) }),
        ...(app.role !== undefined && { role: this.asData(app.role) }),
        builds: buildsReport(app.builds, this.asData),
      },
    }));
    return {
      service: connection.service.url.host,
      apps: entries,
      ...(leftOff > 0 && { apps_left_off: leftOff, next: 'Call again with "search" set to a part of a title.' }),
      can_create: creations.includes('create-from-file'),
      note: DATA_NOTE,
    };
  }
}
