import { createApp, type CreateAppDependencies } from './app/createApp.ts';
import { deleteApp } from './app/deleteApp.ts';
import { pullApp } from './app/pullApp.ts';
import { setAppIcon } from './app/setAppIcon.ts';
import { updateApp } from './app/updateApp.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { deleteApps } from './several/deleteApps.ts';
import { selectedRows } from './several/selectedRows.ts';

export type AppDependencies = CreateAppDependencies & Pick<CommandDependencies, 'log'>;

/** Commands about apps. */
export function appCommands(dependencies: AppDependencies) {
  return {
    'appBuild.createApp': () => createApp(dependencies),
    'appBuild.updateApp': (argument) => updateApp(dependencies, argument),
    'appBuild.pullApp': (argument) => pullApp(dependencies, argument),
    'appBuild.deleteApp': (argument, selected) => {
      const several = selectedRows(argument, selected, /^app;(.*;)?delete;/);
      return several === undefined ? deleteApp(dependencies, argument) : deleteApps(dependencies, several);
    },
    'appBuild.setAppIcon': (argument) => setAppIcon(dependencies, argument),
  } satisfies Handlers;
}
