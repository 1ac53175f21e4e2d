import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { BuildServiceError, CancelledError } from '../../errors/index.ts';
import { isUnderWay, type App, type PlatformBuild } from '../apps/model/app.ts';
import type { LogText } from '../apps/builds/logs/logText.ts';
import { watchRunning } from '../apps/builds/startBuild.ts';
import { checkFailedBuild } from '../preflight/failedBuild.ts';
import { AgentTool } from './agentTool.ts';
import { findingReport, getOverallVerdict } from './checkFolderTool.ts';
import { buildsReport, DATA_NOTE, takeFitting, oneLine, getLinkPath, sentenceReport, type ToData } from './report.ts';
import { flag, text, textOrNumber, toolInput, wholeNumber } from './toolInput.ts';
import { findApp, findBuild, refuseUnknown, type ToolAccount } from './toolSubjects.ts';
import type { Finding } from '../preflight/finding.ts';

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

type ReadBuildInput = z.infer<typeof INPUT>;

/** State of an app's builds after the wait. */
interface WaitedProgress {
  readonly builds: readonly PlatformBuild[];
  readonly isOver: boolean;
  /** Error of the last request, if it failed. */
  readonly trouble?: unknown;
}

const LOG_IS_CUT = 'The log is longer. These are its last lines, and line numbers count from the first of them.';

/**
 * The read-only tool `appBuild_read_build`. Waits for an app's builds, up to a time limit. Explains a failed build with its log and a check
 * of its folder. Can also read a log backward from its end.
 */
export class ReadBuildTool extends AgentTool<ReadBuildInput> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Waiting for the build');

  protected async run(input: ReadBuildInput, signal: AbortSignal): Promise<object> {
    const account = await this.account(signal);
    const app = await findApp(input.app, account);
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
    const { builds, isOver, trouble } = await this.#wait(account, app, input);
    // When several builds fail, the reason is usually the same, so only one is explained.
    const failed = builds.find((each) => each.state === 'failed' && (platform ?? each.platform) === each.platform);
    const explained = isOver && failed !== undefined ? failed : undefined;
    return {
      app: getLinkPath(app.url),
      is_over: isOver,
      next: isOver ? nextStep(builds) : 'The build is still running. Call appBuild_read_build again.',
      ...(explained !== undefined && (await this.#folderReport(account, app, explained))),
      said_by_service: {
        builds: buildsReport(builds, this.asData),
        ...(explained !== undefined && (await this.#failureReport(account, app, explained))),
      },
      ...(trouble !== undefined && { last_question_failed: this.asData(this.failureText(trouble)) }),
      note: DATA_NOTE,
    };
  }

  /** Waits until the builds end. Polls through the build watcher, at the same interval as for a user. */
  async #wait(
    { apps, signal }: ToolAccount,
    app: App,
    { platform, seconds = 30 }: ReadBuildInput,
  ): Promise<WaitedProgress> {
    const { watcher } = apps;
    if (!watcher.isWatching(app.url) && !watchRunning(apps, app)) {
      // Builds for other platforms may be much older.
      const watched = watcher.get(app.url)?.builds.map((build) => build.platform);
      const isAbout = (each: string): boolean => each === platform || watched?.includes(each) !== false;
      return { builds: app.builds.filter((build) => isAbout(build.platform)), isOver: true };
    }
    try {
      const timeout = AbortSignal.timeout(seconds * 1000);
      const end = await watcher.waitForEnd(app.url, AbortSignal.any([signal, timeout]));
      if (end.kind === 'ended') {
        return { builds: end.progress.builds, isOver: true };
      }
    } catch (error) {
      if (!(error instanceof CancelledError) || signal.aborted) {
        throw error;
      }
      const { builds = app.builds, trouble } = watcher.get(app.url) ?? {};
      return { builds, isOver: false, trouble };
    }
    // Reads the app again, which either throws the error that ended the watch or returns the state of the builds.
    const { builds } = await findApp(app.url, await this.account(signal));
    return { builds, isOver: !builds.some(({ state }) => isUnderWay(state)) };
  }

  async #logReport(account: ToolAccount, app: App, { platform, before_line: before }: ReadBuildInput): Promise<object> {
    const build = findBuild(app, platform, ({ logUrl }) => logUrl !== undefined, 'No build has a log.');
    const { log, isComplete } = await this.readLog(account, app, build.platform);
    const lines = log.lines.slice(0, before === undefined ? undefined : before - 1);
    const shown = lastLines(lines, this.asData, 0.65);
    const first = lines.length - shown.length + 1;
    return {
      app: getLinkPath(app.url),
      platform: this.asData(build.platform),
      state: build.state,
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      ...getLines(log),
      said_by_service: { log_errors: firstErrors(log, this.asData), log: shown.join('\n') },
      ...(first > 1 && { next: `For earlier lines, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }

  /** Reports the service's error and the end of the log. */
  async #failureReport(account: ToolAccount, app: App, { platform, error }: PlatformBuild): Promise<object> {
    return {
      platform: this.asData(platform),
      ...(error !== undefined && { error: this.asData(error, 1_000) }),
      ...(await this.readLog(account, app, platform).then(
        ({ log }) => ({
          log_errors: firstErrors(log, this.asData),
          ...getLines(log),
          log_end: lastLines(log.lines, this.asData, 0.25).join('\n'),
        }),
        (failure: unknown) => {
          if (!(failure instanceof BuildServiceError) || failure instanceof CancelledError) {
            throw failure;
          }
          // The error message and the folder check are useful even without the log.
          return { log_end: null };
        },
      )),
    };
  }

  /** Reports those findings of the folder check that could explain the failure. */
  async #folderReport({ connection, apps, signal }: ToolAccount, app: App, build: PlatformBuild): Promise<object> {
    const linked = apps.folders.all(connection).find((each) => each.app.url === app.url);
    if (linked === undefined) {
      return {
        folder: null,
        next: 'No open folder is linked to this app, so no files were checked. Ask the user to open its folder, or to run “App Build: Link Folder to App…”.',
      };
    }
    const subject = { connection, app, build };
    const { check, about, problem, isOutsideFolder } = await checkFailedBuild(linked, subject, apps, signal);
    const { path } = check.folder.uri;
    const known = problem && sentenceReport(problem, this.asData);
    const createReports = (findings: readonly Finding[], share: number) =>
      takeFitting(findings, (finding) => findingReport(finding, path, this.asData), share).entries;
    const others = check.findings.filter((finding) => finding.verdict !== 'fine' && !about.includes(finding));
    return {
      folder: oneLine(check.folder.name),
      ...(known !== undefined && { problem: known.text, data: known.data }),
      findings_about_it: createReports(about, 0.2),
      other_findings: createReports(others, 0.15),
      check_now: getOverallVerdict(check.findings),
      next: nextStepAfterFailure(about, problem !== undefined, isOutsideFolder),
    };
  }
}

function getLines({ lines, first }: LogText): object {
  return { lines: lines.length, ...(first > 0 && { is_cut: LOG_IS_CUT }) };
}

/** Returns the first lines that report an error, with one-based line numbers. */
function firstErrors({ errors, first }: LogText, asData: ToData) {
  return takeFitting(errors, ({ line, text: error }) => ({ line: line - first + 1, text: asData(error) }), 0.1).entries;
}

/** Returns the last lines that fit into a share of a result. */
function lastLines(lines: readonly string[], asData: ToData, share: number): readonly string[] {
  return takeFitting(lines.toReversed(), (line) => asData(line), share).entries.toReversed();
}

/** Returns the agent's next step after the builds have ended. */
function nextStep(builds: readonly PlatformBuild[]): string {
  return builds.some(({ state }) => state === 'complete')
    ? 'If the user wants the package, call appBuild_download_build with this app and a completed platform.'
    : 'Call appBuild_build_app to build it.';
}

function nextStepAfterFailure(about: readonly Finding[], isKnown: boolean, isOutsideFolder: boolean): string {
  if (about.length > 0) {
    return 'Fix the problems in findings_about_it, then call appBuild_build_app.';
  }
  if (isOutsideFolder) {
    return "The files of the folder aren't the reason. If it's a signing key, ask the user to unlock or add one in the App Build view. If the service can't build the platform, leave it out.";
  }
  return isKnown
    ? 'The folder no longer has this problem. Call appBuild_build_app to build it again.'
    : 'No check explains this message. Read it with log_errors and log_end. Call again with "log": true for the whole log.';
}
