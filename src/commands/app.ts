import { createApp, type CreateAppDependencies } from './app/createApp.ts';
import { deleteApp } from './app/deleteApp.ts';
import { pullApp } from './app/pullApp.ts';
import { setAppIcon } from './app/setAppIcon.ts';
import { updateApp } from './app/updateApp.ts';
import type { Handlers } from './commandRegistry.ts';

export type AppDependencies = CreateAppDependencies;

/** Commands about apps. */
export function appCommands(dependencies: AppDependencies) {
  return {
    'appBuild.createApp': () => createApp(dependencies),
    'appBuild.updateApp': (argument) => updateApp(dependencies, argument),
    'appBuild.pullApp': (argument) => pullApp(dependencies, argument),
    'appBuild.deleteApp': (argument) => deleteApp(dependencies, argument),
    'appBuild.setAppIcon': (argument) => setAppIcon(dependencies, argument),
  } satisfies Handlers;
}
