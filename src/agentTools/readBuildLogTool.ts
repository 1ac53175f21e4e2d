import * as vscode from 'vscode';
import { isGone } from '../apps/appErrors.ts';
import type { Redactor } from '../api/redaction.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import { cleanLine, withoutColours } from '../builds/logs/logLine.ts';
import { kindOf } from '../builds/logs/logSteps.ts';
import { NoBuildLogError } from '../builds/logs/logSource.ts';
import { AgentTool, type ToolAccount } from './agentTool.ts';
import { DATA_NOTE, fitting, lastFitting, pathOfLink } from './report.ts';
import { argumentsOf, numberOf, textArgument, textOrNumberOf } from './toolInput.ts';
import { appOf, buildOf } from './toolSubjects.ts';

/** Lines of one answer, and characters of their JSON. */
const MAX_LINES = 400;
const MAX_LINES_LENGTH = 20_000;
/** Characters of the errors, as JSON. */
const MAX_ERRORS_LENGTH = 4_000;
const MAX_LINE_LENGTH = 500;

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
    const { lines, errors, isComplete } = await readStoredLog(app, build, account, this.dependencies.redactor);
    const end = Math.min(before === undefined ? lines.length : before - 1, lines.length);
    const shown = lines.slice(Math.max(0, end - MAX_LINES), end).map((line) => this.asData(line, MAX_LINE_LENGTH));
    const fitted = lastFitting(shown, MAX_LINES_LENGTH, MAX_LINES);
    const first = end - fitted.length + 1;
    return {
      app: pathOfLink(app.url),
      platform: this.asData(build.platform, 50),
      state: build.state,
      lines: lines.length,
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      said_by_service: {
        first_errors: fitting(
          errors.map(({ line, text }) => ({ line, text: this.asData(text, MAX_LINE_LENGTH) })),
          MAX_ERRORS_LENGTH,
        ).entries,
        log: fitted.join('\n'),
      },
      ...(first > 1 && { next: `For the lines before, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }
}

/** Parts that are read of a log that goes on growing. */
const MAX_PARTS = 50;
/** Characters that are looked at: the end of a log. */
const MAX_LOG_LENGTH = 5_000_000;
/** Errors in an answer, from the first. */
const MAX_ERRORS = 20;

/** A log as far as it is there. */
export interface StoredLog {
  /** Without colours, and without characters that cannot be seen. */
  readonly lines: readonly string[];
  /** The first lines that say that something failed; lines count from one. */
  readonly errors: readonly { readonly line: number; readonly text: string }[];
  readonly isComplete: boolean | undefined;
}

/** Reads the log of a build as far as it is there. @throws NoBuildLogError; BuildServiceError */
export async function readStoredLog(
  { title }: Pick<App, 'title'>,
  { platform, logUrl }: PlatformBuild,
  { calls, signal }: Pick<ToolAccount, 'calls' | 'signal'>,
  redactor: Redactor,
): Promise<StoredLog> {
  if (logUrl === undefined) {
    throw new NoBuildLogError(title, platform);
  }
  let text = '';
  let isComplete: boolean | undefined;
  let offset = 0;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const part = await calls.log(logUrl, offset, { signal }).catch((error: unknown) => {
      throw isGone(error) ? new NoBuildLogError(title, platform, error) : error;
    });
    text = (text + part.text).slice(-MAX_LOG_LENGTH);
    isComplete = part.completed;
    if (isComplete === true || part.text === '' || part.nextOffset === undefined || part.nextOffset <= offset) {
      break;
    }
    offset = part.nextOffset;
  }
  const clean = text.split('\n').map((line) => withoutColours(cleanLine(line)));
  // The end of the last line is no line of its own.
  const shown = await redactor.hideSecretsInText(clean.join('\n').replace(/\n+$/, ''));
  const lines = shown === '' ? [] : shown.split('\n');
  return { lines, errors: errorsIn(lines), isComplete };
}

function errorsIn(lines: readonly string[]): StoredLog['errors'] {
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = kindOf(line);
    if (kind?.kind === 'error') {
      found.push({ line: index + 1, text: kind.text });
      if (found.length === MAX_ERRORS) {
        break;
      }
    }
  }
  return found;
}
