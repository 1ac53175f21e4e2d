import path from 'node:path';

import { BuildError } from './builder.ts';
import { NO_START_PAGE, pageOf } from './appIdentity.ts';
import { readConfig, type ConfigFile } from './packages/packageConfig.ts';
import { PackageError } from './packages/packageInfo.ts';
import { findConfigFile, findWebRoot, listFiles, type WebRoot } from './packages/webRoot.ts';

/** What builders build an app from. */
export interface AppFiles {
  /** `undefined`: the app has no config.xml. */
  readonly config: ConfigFile | undefined;
  /** The folder of config.xml, or that of the pages: absolute. */
  readonly configFolder: string;
  /** The folder of the pages, absolute. */
  readonly webRoot: string;
  /** The files of the web root but config.xml: relative to it, with slashes, sorted. */
  readonly webFiles: readonly string[];
}

/**
 * Reads what was uploaded of an app.
 *
 * @param sourceFolder holds an unpacked package
 * @throws BuildError for a config.xml that cannot be read, and when there is no page to begin with
 */
export async function readAppFiles(sourceFolder: string): Promise<AppFiles> {
  const config = await readAppConfig(sourceFolder);
  const found = (await findWebRoot(sourceFolder)) ?? (await findStartPage(sourceFolder, config));
  if (found === undefined) {
    throw new BuildError(NO_START_PAGE);
  }
  const { folder: webRoot, configFile } = found;
  const webFiles = (await listFiles(webRoot)).filter((file) => file !== 'config.xml');
  return { config, configFolder: configFile === undefined ? webRoot : path.dirname(configFile), webRoot, webFiles };
}

async function readAppConfig(sourceFolder: string): Promise<ConfigFile | undefined> {
  try {
    return await readConfig(sourceFolder);
  } catch (error) {
    throw error instanceof PackageError ? new BuildError(error.message) : error;
  }
}

/** The folder of the page that config.xml names, where there is no index.html. */
async function findStartPage(sourceFolder: string, config: ConfigFile | undefined): Promise<WebRoot | undefined> {
  const configFile = await findConfigFile(sourceFolder);
  if (config === undefined || configFile === undefined) {
    return undefined;
  }
  const files = await listFiles(path.dirname(configFile));
  const folder = ['www/', ''].find((prefix) => files.includes(prefix + pageOf(config.contentSrc)));
  return folder === undefined ? undefined : { folder: path.join(configFile, '..', folder), configFile };
}
