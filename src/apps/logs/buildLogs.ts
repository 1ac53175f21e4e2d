import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { App } from '../model/app.ts';
import type { LogPart } from '../model/build.ts';

/** The scheme of build logs in editors. */
export const LOG_SCHEME = 'app-build-log';

/** Build logs as read-only documents that grow while the build runs. */
export class BuildLogs extends Disposable {
  /** Opens the log of an app's build for a platform. @param folder whose files the log may name. */
  open(_app: App, _platform: string, _folder: vscode.Uri | undefined): Promise<vscode.TextEditor> {
    return Promise.reject(new Error('Not written yet.'));
  }
}

/**
 * The parts of a log as they come, until it is complete or the signal aborts: what the document shows, and what the terminal
 * of a task prints.
 */
export async function* followLog(
  _read: (offset: number | undefined) => Promise<LogPart>,
  _signal: AbortSignal,
): AsyncGenerator<string> {
  await Promise.reject(new Error('Not written yet.'));
  yield '';
}
