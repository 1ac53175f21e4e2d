/** A Cordova project for one build. The upload is never the project: Cordova's own files in it are ignored. */
import { constants, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildJob } from '../builder.ts';
import { requireWebApp } from '../webApp.ts';
import { pngSize } from '../../../formats/png.ts';
import type { Engine } from './engine.ts';
import { checkConfig, configXml, type Icon, type ProjectConfig } from './projectConfig.ts';

export interface Project {
  /** Absolute path, the working folder of Cordova. */
  readonly folder: string;
  readonly config: ProjectConfig;
}

/**
 * Makes a project in the work folder of a build: plain files of the app's web root, and a config.xml and package.json of
 * checked values.
 *
 * @throws BuildError when the app cannot be built; the signal's reason when it is aborted
 */
export async function createProject(
  { app, platform, source, workFolder, icon }: BuildJob,
  engine: Engine,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<Project> {
  const { config: configFile, webRoot, webFiles } = requireWebApp(source);
  const config = checkConfig({
    app,
    config: configFile,
    platform,
    plugins: new Map(engine.plugins.map(({ name, version }) => [name, version])),
    webFiles: new Set(webFiles),
    log,
  });
  const folder = path.join(workFolder, 'project');
  // Cordova climbs from its working folder to parents that look like a project. With `platforms`, this one is the first.
  await mkdir(path.join(folder, 'platforms'), { recursive: true });
  await copyFiles(webRoot, path.join(folder, 'www'), webFiles, signal);
  const projectIcon = icon === undefined ? undefined : await addIcon(icon, folder, platform);
  await writeFile(path.join(folder, 'config.xml'), configXml(config, projectIcon));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(packageOf(config, platform, engine), undefined, 2));
  // Platforms and plugins are looked for here first, and found without npm.
  await symlink(path.join(engine.folder, 'node_modules'), path.join(workFolder, 'node_modules'), 'junction');
  return { folder, config };
}

/** The package.json that npm and Cordova would otherwise take from the upload. The engine has exactly these versions. */
function packageOf({ plugins }: ProjectConfig, platform: BuildJob['platform'], engine: Engine): unknown {
  const versions = plugins.map(({ name, version }): readonly [string, string] => [name, version]);
  return {
    name: 'app',
    version: '0.0.0',
    private: true,
    devDependencies: { [`cordova-${platform}`]: engine.platforms[platform], ...Object.fromEntries(versions) },
    cordova: {
      platforms: [platform],
      plugins: Object.fromEntries(plugins.map(({ name, variables }) => [name, variables])),
    },
  };
}

/** @param files relative, with slashes */
async function copyFiles(from: string, to: string, files: readonly string[], signal: AbortSignal): Promise<void> {
  const folders = new Set(files.map((file) => path.dirname(path.join(to, file))));
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of files) {
    signal.throwIfAborted();
    // File systems that can share the content do.
    await copyFile(path.join(from, file), path.join(to, file), constants.COPYFILE_FICLONE);
  }
}

/** For a browser, the icon is one of the pages' files, and its manifest names the size. Elsewhere Cordova makes all sizes. */
async function addIcon(icon: string, folder: string, platform: BuildJob['platform']): Promise<Icon | undefined> {
  if (platform !== 'browser') {
    await copyFile(icon, path.join(folder, 'icon.png'));
    return { src: 'icon.png', size: undefined };
  }
  const size = pngSize(await readFile(icon));
  if (size === undefined) {
    return undefined;
  }
  await copyFile(icon, path.join(folder, 'www', 'app-icon.png'));
  return { src: 'app-icon.png', size };
}
