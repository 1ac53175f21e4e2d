import * as vscode from 'vscode';
import { isGone } from '../apps/appErrors.ts';
import type { Redactor } from '../api/redaction.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import { NoBuildLogError } from '../builds/logs/logSource.ts';
import { readLog } from '../builds/logs/followLog.ts';
import type { LogText } from '../builds/logs/logText.ts';
import { AgentTool } from './agentTool.ts';
import { DATA_NOTE, fitting, lastFitting, pathOfLink } from './report.ts';
import { argumentsOf, numberOf, textArgument, textOrNumberOf } from './toolInput.ts';
import { appOf, buildOf, type ToolAccount } from './toolSubjects.ts';

/** Lines of one answer, and characters of their JSON. */
const MAX_LINES = 400;
const MAX_LINES_LENGTH = 20_000;
/** Characters of the errors, as JSON. */
const MAX_ERRORS_LENGTH = 4_000;
const MAX_LINE_LENGTH = 500;
const MAX_ERRORS = 20;

/** Says that lines count from the first one that is kept. */
export const LOG_IS_CUT = 'The log is longer: these are its last lines, counted from the first of them.';

/** The tool `appBuild_read_build_log`: the end of a log, and from there upwards. Reads only. */
export class ReadBuildLogTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Reading the build log');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"app": "/api/v1/apps/1", "platform": "android"}');
    const [wanted, platform] = [textOrNumberOf(values, 'app'), textArgument(values, 'platform')];
    const before = numberOf(values, 'before_line', { min: 1, max: 10_000_000 });
    const account = await this.account(signal);
    const app = await appOf(wanted, account);
    const build = buildOf(app, platform, ({ logUrl }) => logUrl !== undefined, 'There is no build log.');
    const { text, isComplete } = await readStoredLog(app, build, account, this.dependencies.redactor);
    const { lines, errors, first: leftOut } = text;
    const end = Math.min(before === undefined ? lines.length : before - 1, lines.length);
    const shown = lines.slice(Math.max(0, end - MAX_LINES), end).map((line) => this.asData(line, MAX_LINE_LENGTH));
    const fitted = lastFitting(shown, MAX_LINES_LENGTH, MAX_LINES);
    const first = end - fitted.length + 1;
    return {
      app: pathOfLink(app.url),
      platform: this.asData(build.platform, 50),
      state: build.state,
      lines: lines.length,
      ...(leftOut > 0 && { is_cut: LOG_IS_CUT }),
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      said_by_service: {
        first_errors: fitting(
          errors.slice(0, MAX_ERRORS).map((error) => ({
            line: error.line - leftOut + 1,
            text: this.asData(error.text, MAX_LINE_LENGTH),
          })),
          MAX_ERRORS_LENGTH,
        ).entries,
        log: fitted.join('\n'),
      },
      ...(first > 1 && { next: `For the lines before, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }
}

/** Reads the log of a build as far as it is there. @throws NoBuildLogError; BuildServiceError */
export async function readStoredLog(
  { title }: Pick<App, 'title'>,
  { platform, logUrl }: PlatformBuild,
  { calls, signal }: Pick<ToolAccount, 'calls' | 'signal'>,
  redactor: Redactor,
): Promise<{ readonly text: LogText; readonly isComplete: boolean | undefined }> {
  if (logUrl === undefined) {
    throw new NoBuildLogError(title, platform);
  }
  const hideSecrets = (text: string) => redactor.hideSecretsInText(text);
  return readLog((offset) => calls.log(logUrl, offset, { signal }), hideSecrets).catch((error: unknown) => {
    throw isGone(error) ? new NoBuildLogError(title, platform, error) : error;
  });
}
