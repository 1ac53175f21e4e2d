import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { isUnderWay, type App, type PlatformBuild } from '../apps/model/app.ts';
import type { LogText } from '../builds/logs/logText.ts';
import { watchRunning } from '../builds/startBuild.ts';
import { checkFailedBuild } from '../projects/preflight/failedBuild.ts';
import type { Finding } from '../projects/preflight/finding.ts';
import { AgentTool } from './agentTool.ts';
import { findingReport, verdictOf } from './checkFolderTool.ts';
import { buildsReport, DATA_NOTE, fitting, oneLine, pathOfLink, sentenceReport, type AsData } from './report.ts';
import { flag, text, textOrNumber, toolInput, wholeNumber } from './toolInput.ts';
import { appOf, buildOf, refuseUnknown, type ToolAccount } from './toolSubjects.ts';

const INPUT = toolInput(
  {
    app: textOrNumber(),
    platform: text(),
    seconds: wholeNumber(1, 60),
    log: flag(),
    before_line: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  '{"app": "/api/v1/apps/1", "seconds": 30}',
);

type BuildInput = z.infer<typeof INPUT>;

/** How the builds of an app stand after the wait. */
interface Progress {
  readonly builds: readonly PlatformBuild[];
  readonly isOver: boolean;
  /** Why the last question had no answer. */
  readonly trouble?: unknown;
}

const LOG_IS_CUT = 'The log is longer: these are its last lines, counted from the first of them.';

/**
 * The tool `appBuild_read_build`: waits until the builds of an app have ended, or for so long, and explains one that has failed by
 * its log and a check of its folder; or reads a log upwards from its end. Changes nothing.
 */
export class ReadBuildTool extends AgentTool<BuildInput> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Waiting for the build');

  protected async run(input: BuildInput, signal: AbortSignal): Promise<object> {
    const account = await this.account(signal);
    const app = await appOf(input.app, account);
    if (input.log || input.before_line !== undefined) {
      return this.#logReport(account, app, input);
    }
    const { platform } = input;
    if (platform !== undefined) {
      refuseUnknown(
        [platform],
        app.builds.map((each) => each.platform),
      );
    }
    const { builds, isOver, trouble } = await this.#wait(account, app, input.seconds);
    // Several mostly fail for one reason.
    const failed = builds.find((each) => each.state === 'failed' && (platform ?? each.platform) === each.platform);
    const explained = isOver && failed !== undefined ? failed : undefined;
    return {
      app: pathOfLink(app.url),
      is_over: isOver,
      next: isOver ? nextStep(builds) : 'It is still being built. Call appBuild_read_build again.',
      ...(explained !== undefined && (await this.#folderReport(account, app, explained))),
      said_by_service: {
        builds: buildsReport(builds, this.asData),
        ...(explained !== undefined && (await this.#failureReport(account, app, explained))),
      },
      ...(trouble !== undefined && { last_question_failed: this.asData(this.failureText(trouble)) }),
      note: DATA_NOTE,
    };
  }

  /** Waits for the end. The watcher of builds asks the service, as often as for a user. */
  async #wait({ apps, signal }: ToolAccount, app: App, seconds = 30): Promise<Progress> {
    const { watcher } = apps;
    if (!watcher.isWatching(app.url) && !watchRunning(apps, app)) {
      return { builds: app.builds, isOver: true };
    }
    try {
      const timeout = AbortSignal.timeout(seconds * 1000);
      const end = await watcher.whenEnded(app.url, AbortSignal.any([signal, timeout]));
      if (end.kind === 'ended') {
        return { builds: end.progress.builds, isOver: true };
      }
    } catch (error) {
      if (!(error instanceof CancelledError) || signal.aborted) {
        throw error;
      }
      const { builds = app.builds, trouble } = watcher.of(app.url) ?? {};
      return { builds, isOver: false, trouble };
    }
    // Reading the app tells why the watch ended, or how the builds stand.
    const { builds } = await appOf(app.url, await this.account(signal));
    return { builds, isOver: !builds.some(({ state }) => isUnderWay(state)) };
  }

  async #logReport(account: ToolAccount, app: App, { platform, before_line: before }: BuildInput): Promise<object> {
    const build = buildOf(app, platform, ({ logUrl }) => logUrl !== undefined, 'No build has a log.');
    const { log, isComplete } = await this.readLog(account, app, build.platform);
    const lines = log.lines.slice(0, before === undefined ? undefined : before - 1);
    const shown = lastLines(lines, this.asData, 0.65);
    const first = lines.length - shown.length + 1;
    return {
      app: pathOfLink(app.url),
      platform: this.asData(build.platform),
      state: build.state,
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      ...linesOf(log),
      said_by_service: { log_errors: firstErrors(log, this.asData), log: shown.join('\n') },
      ...(first > 1 && { next: `For the lines before, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }

  /** The service's side of a failure. */
  async #failureReport(account: ToolAccount, app: App, { platform, error }: PlatformBuild): Promise<object> {
    return {
      platform: this.asData(platform),
      ...(error !== undefined && { error: this.asData(error, 1_000) }),
      ...(await this.readLog(account, app, platform).then(
        ({ log }) => ({
          log_errors: firstErrors(log, this.asData),
          ...linesOf(log),
          log_end: lastLines(log.lines, this.asData, 0.25).join('\n'),
        }),
        (failure: unknown) => {
          if (!(failure instanceof BuildServiceError) || failure instanceof CancelledError) {
            throw failure;
          }
          // The message of the failure and the folder explain much without it.
          return { log_end: null };
        },
      )),
    };
  }

  /** The check of the app’s folder, as far as it explains the failure. */
  async #folderReport({ connection, apps, signal }: ToolAccount, app: App, build: PlatformBuild): Promise<object> {
    const linked = apps.folders.all(connection).find((each) => each.app.url === app.url);
    if (linked === undefined) {
      return {
        folder: null,
        next: 'No folder of this window is built as this app, so no file was checked. Ask the user to open its folder, or to run “App Build: Link Folder to App…”.',
      };
    }
    const subject = { connection, app, build };
    const { check, about, problem, isOutsideFolder } = await checkFailedBuild(linked, subject, apps, signal);
    const { path } = check.folder.uri;
    const known = problem && sentenceReport(problem, this.asData);
    const reportsOf = (findings: readonly Finding[], share: number) =>
      fitting(findings, (finding) => findingReport(finding, path, this.asData), share).entries;
    const others = check.findings.filter((finding) => finding.verdict !== 'fine' && !about.includes(finding));
    return {
      folder: oneLine(check.folder.name),
      ...(known !== undefined && { problem: known.text, data: known.data }),
      findings_about_it: reportsOf(about, 0.2),
      other_findings: reportsOf(others, 0.15),
      check_now: verdictOf(check.findings),
      next: nextStepAfterFailure(about, problem !== undefined, isOutsideFolder),
    };
  }
}

function linesOf({ lines, first }: LogText): object {
  return { lines: lines.length, ...(first > 0 && { is_cut: LOG_IS_CUT }) };
}

/** The first lines that report that something failed, with their numbers from one. */
function firstErrors({ errors, first }: LogText, asData: AsData) {
  return fitting(errors, ({ line, text: error }) => ({ line: line - first + 1, text: asData(error) }), 0.1).entries;
}

/** The last lines that fit. @param share of an answer */
function lastLines(lines: readonly string[], asData: AsData, share: number): readonly string[] {
  return fitting(lines.toReversed(), (line) => asData(line), share).entries.toReversed();
}

/** The next step of an agent, once builds have ended. */
function nextStep(builds: readonly PlatformBuild[]): string {
  return builds.some(({ state }) => state === 'complete')
    ? 'Call appBuild_download_build with this app and a platform that is complete, if the user wants the file.'
    : 'Call appBuild_build_app to build it.';
}

function nextStepAfterFailure(about: readonly Finding[], isKnown: boolean, isOutsideFolder: boolean): string {
  if (about.length > 0) {
    return 'Mend what findings_about_it names, then call appBuild_build_app.';
  }
  if (isOutsideFolder) {
    return 'The files of the folder are not the reason. A signing key is unlocked or added by the user, in the App Build view; a platform that the service cannot build is left out.';
  }
  return isKnown
    ? 'That is not so in the folder as it is now: call appBuild_build_app to build it again.'
    : 'No check knows this message. Read it beside log_errors and log_end; with "log": true this tool reads the whole log.';
}
