import * as vscode from 'vscode';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import { checkFailedBuild } from '../projects/preflight/failedBuild.ts';
import type { Finding, FindingPlace } from '../projects/preflight/finding.ts';
import { AgentTool } from './agentTool.ts';
import { findingReport, verdictOf } from './checkFolderTool.ts';
import { LOG_IS_CUT, readStoredLog } from './readBuildLogTool.ts';
import { below, DATA_NOTE, fitting, lastFitting, oneLine, sentenceReport, pathOfLink } from './report.ts';
import { argumentsOf, textArgument, textOrNumberOf } from './toolInput.ts';
import { appOf, buildOf, type ToolAccount } from './toolSubjects.ts';

/** Lines of the log, and characters of their JSON. */
const MAX_LOG_LINES = 60;
const MAX_LOG_LENGTH = 8_000;
const MAX_ERRORS_LENGTH = 3_000;
const MAX_FINDINGS_LENGTH = 8_000;
const LINES_AROUND = 3;
const MAX_LINE_LENGTH = 300;

/** The tool `appBuild_explain_failure`: the message and the log of a failed build, beside a check of its folder. Reads only. */
export class ExplainFailureTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Looking for the reason of the failed build');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"app": "/api/v1/apps/1", "platform": "android"}');
    const [wanted, platform] = [textOrNumberOf(values, 'app'), textArgument(values, 'platform')];
    const account = await this.account(signal);
    const app = await appOf(wanted, account);
    const isFailed = ({ state }: PlatformBuild) => state === 'failed';
    const [first] = app.builds.filter(isFailed);
    // Several mostly fail for one reason.
    const build = buildOf(app, platform ?? first?.platform, isFailed, 'No build of this app has failed.');
    const others = app.builds.filter((each) => isFailed(each) && each !== build).map((each) => each.platform);
    const log = await this.#log(account, app, build);
    const folder = await this.#folder(account, app, build);
    return {
      app: pathOfLink(app.url),
      platform: this.asData(build.platform, 50),
      ...folder,
      said_by_service: {
        ...(build.error !== undefined && { error: this.asData(build.error, 1_000) }),
        ...log,
        ...(others.length > 0 && {
          other_platforms_that_failed: others.slice(0, 20).map((each) => this.asData(each, 50)),
        }),
      },
      note: DATA_NOTE,
    };
  }

  async #log(account: ToolAccount, app: App, build: PlatformBuild): Promise<object> {
    try {
      const { text } = await readStoredLog(app, build, account, this.dependencies.redactor);
      const { lines, errors, first: leftOut } = text;
      const end = lines.slice(-MAX_LOG_LINES).map((line) => this.asData(line, MAX_LINE_LENGTH));
      return {
        log_errors: fitting(
          errors.slice(0, 20).map((error) => ({
            line: error.line - leftOut + 1,
            text: this.asData(error.text, MAX_LINE_LENGTH),
          })),
          MAX_ERRORS_LENGTH,
        ).entries,
        log_lines: lines.length,
        ...(leftOut > 0 && { log_is_cut: LOG_IS_CUT }),
        log_end: lastFitting(end, MAX_LOG_LENGTH, MAX_LOG_LINES).join('\n'),
      };
    } catch (error) {
      if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
        throw error;
      }
      // The message of the failure and the folder explain much without it.
      return { log_end: null };
    }
  }

  /** The check of the app’s folder, as far as it explains the failure. */
  async #folder({ connection, apps, signal }: ToolAccount, app: App, build: PlatformBuild): Promise<object> {
    const linked = apps.folders.all(connection).find((each) => each.app.url === app.url);
    if (linked === undefined) {
      return {
        folder: null,
        next: 'No folder of this window is built as this app, so no file was checked. Ask the person to open its folder, or to run “App Build: Link Folder to App…”.',
      };
    }
    const { check, about, problem, isOutsideFolder } = await checkFailedBuild(
      linked,
      { connection, app, build },
      apps,
      signal,
    );
    const { path } = check.folder.uri;
    const known = problem && sentenceReport(problem, this.asData);
    const reportsOf = (findings: readonly Finding[]) =>
      fitting(
        findings.map((finding) => findingReport(finding, path, this.asData)),
        MAX_FINDINGS_LENGTH,
      ).entries;
    const place = about.find((finding) => finding.place?.range !== undefined)?.place;
    const others = check.findings.filter((finding) => finding.verdict !== 'fine' && !about.includes(finding));
    return {
      folder: oneLine(check.folder.name),
      ...(known !== undefined && { problem: known.text, data: known.data }),
      findings_about_it: reportsOf(about),
      ...(place !== undefined && { file: await this.#excerpt(place, path) }),
      other_findings: reportsOf(others),
      check_now: verdictOf(check.findings),
      next: nextStep(about, problem !== undefined, isOutsideFolder),
    };
  }

  async #excerpt({ uri, range }: FindingPlace, folder: string): Promise<object> {
    const document = await vscode.workspace.openTextDocument(uri);
    const line = Math.min(range?.start.line ?? 0, document.lineCount - 1);
    const first = Math.max(0, line - LINES_AROUND);
    const last = Math.min(document.lineCount - 1, line + LINES_AROUND);
    const lines = Array.from({ length: last - first + 1 }, (_, index) => document.lineAt(first + index).text);
    return {
      path: oneLine(below(folder, uri.path)),
      line: line + 1,
      lines: lines.map((text, index) => `${first + index + 1}: ${this.asData(text, MAX_LINE_LENGTH)}`),
    };
  }
}

function nextStep(about: readonly Finding[], isKnown: boolean, isOutsideFolder: boolean): string {
  if (about.length > 0) {
    return 'Mend what findings_about_it names, then call appBuild_build_app.';
  }
  if (isOutsideFolder) {
    return 'The files of the folder are not the reason. A signing key is unlocked or added by the person, in the Resources view of App Build; a platform that the service cannot build is left out.';
  }
  return isKnown
    ? 'That is not so in the folder as it is now: call appBuild_build_app to build it again.'
    : 'No check knows this message. Read it beside log_errors and log_end; appBuild_read_build_log has the whole log.';
}
