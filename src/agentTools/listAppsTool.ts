import * as vscode from 'vscode';
import { stateOf, type App } from '../apps/model/app.ts';
import { AgentTool } from './agentTool.ts';
import { buildsReport, DATA_NOTE, fitting, oneLine, pathOfLink } from './report.ts';
import { argumentsOf, textArgument } from './toolInput.ts';

/** The tool `appBuild_list_apps`. Reads only. */
export class ListAppsTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Listing the apps');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const search = textArgument(argumentsOf(input, '{"search": "shop"}'), 'search')?.toLowerCase();
    const { connection, calls, apps: known } = await this.account(signal);
    const { apps, creations } = await calls.appList({ signal });
    const linked = known.folders.all(connection);
    const isFound = ({ title, packageId = '' }: App) =>
      search === undefined || [title, packageId].some((text) => text.toLowerCase().includes(search));
    const { entries, leftOff } = fitting(
      apps.filter(isFound).map((app) => ({
        app: pathOfLink(app.url),
        state: stateOf(app.builds),
        built_from_folders: linked.filter((each) => each.app.url === app.url).map(({ folder }) => oneLine(folder.name)),
        said_by_service: {
          title: this.asData(app.title, 200),
          ...(app.version !== undefined && { version: this.asData(app.version, 50) }),
          ...(app.packageId !== undefined && { package: this.asData(app.packageId, 200) }),
          ...(app.role !== undefined && { role: this.asData(app.role, 50) }),
          builds: buildsReport(app.builds, (text, length = 200) => this.asData(text, length)),
        },
      })),
    );
    return {
      service: connection.service.url.host,
      apps: entries,
      ...(leftOff > 0 && { apps_left_off: leftOff, next: 'Call again with "search" set to a part of a title.' }),
      can_create: creations.includes('create-from-file'),
      note: DATA_NOTE,
    };
  }
}
