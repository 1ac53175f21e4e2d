import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import { checkFailedBuild } from '../projects/preflight/failedBuild.ts';
import type { Finding, FindingPlace } from '../projects/preflight/finding.ts';
import { AgentTool } from './agentTool.ts';
import { findingReport, verdictOf } from './checkFolderTool.ts';
import { firstErrors, lastLines, LOG_IS_CUT } from './readBuildLogTool.ts';
import { below, DATA_NOTE, fitting, oneLine, pathOfLink, sentenceReport, shortList } from './report.ts';
import { text, textOrNumber, toolInput } from './toolInput.ts';
import { appOf, buildOf, type ToolAccount } from './toolSubjects.ts';

/** Lines before and after the place of a finding. */
const LINES_AROUND = 3;

const INPUT = toolInput({ app: textOrNumber(), platform: text() }, '{"app": "/api/v1/apps/1", "platform": "android"}');

/** The tool `appBuild_explain_failure`: the message and the log of a failed build, beside a check of its folder. Reads only. */
export class ExplainFailureTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Looking for the reason of the failed build');

  protected async run({ app: wanted, platform }: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
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
      platform: this.asData(build.platform),
      ...folder,
      said_by_service: {
        ...(build.error !== undefined && { error: this.asData(build.error, 1_000) }),
        ...log,
        ...(others.length > 0 && { other_platforms_that_failed: shortList(others, this.asData) }),
      },
      note: DATA_NOTE,
    };
  }

  async #log(account: ToolAccount, app: App, build: PlatformBuild): Promise<object> {
    try {
      const { log } = await this.readLog(account, app, build.platform);
      return {
        log_errors: firstErrors(log, this.asData),
        log_lines: log.lines.length,
        ...(log.first > 0 && { log_is_cut: LOG_IS_CUT }),
        log_end: lastLines(log.lines, this.asData, 0.25).join('\n'),
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
        next: 'No folder of this window is built as this app, so no file was checked. Ask the user to open its folder, or to run “App Build: Link Folder to App…”.',
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
    const reportsOf = (findings: readonly Finding[], share: number) =>
      fitting(findings, (finding) => findingReport(finding, path, this.asData), share).entries;
    const place = about.find((finding) => finding.place?.range !== undefined)?.place;
    const others = check.findings.filter((finding) => finding.verdict !== 'fine' && !about.includes(finding));
    return {
      folder: oneLine(check.folder.name),
      ...(known !== undefined && { problem: known.text, data: known.data }),
      findings_about_it: reportsOf(about, 0.2),
      ...(place !== undefined && { file: await this.#excerpt(place, path) }),
      other_findings: reportsOf(others, 0.15),
      check_now: verdictOf(check.findings),
      next: nextStep(about, problem !== undefined, isOutsideFolder),
    };
  }

  async #excerpt({ uri, range }: FindingPlace, folder: string): Promise<object> {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = Math.min(range?.start.line ?? 0, document.lineCount - 1);
    const first = Math.max(0, found - LINES_AROUND);
    const last = Math.min(document.lineCount - 1, found + LINES_AROUND);
    const lines = Array.from({ length: last - first + 1 }, (_, index) => document.lineAt(first + index).text);
    return {
      path: oneLine(below(folder, uri.path)),
      line: found + 1,
      lines: lines.map((line, index) => `${first + index + 1}: ${this.asData(line, 300)}`),
    };
  }
}

function nextStep(about: readonly Finding[], isKnown: boolean, isOutsideFolder: boolean): string {
  if (about.length > 0) {
    return 'Mend what findings_about_it names, then call appBuild_build_app.';
  }
  if (isOutsideFolder) {
    return 'The files of the folder are not the reason. A signing key is unlocked or added by the user, in the Resources view of App Build; a platform that the service cannot build is left out.';
  }
  return isKnown
    ? 'That is not so in the folder as it is now: call appBuild_build_app to build it again.'
    : 'No check knows this message. Read it beside log_errors and log_end; appBuild_read_build_log has the whole log.';
}
