import * as vscode from 'vscode';
import { AgentTool } from './agentTool.ts';
import { appOf, buildOf } from './appInput.ts';
import { DATA_NOTE, fitting, lastFitting, pathOf } from './report.ts';
import { readStoredLog } from './storedLog.ts';
import { argumentsOf, numberOf, textOf, textOrNumberOf } from './toolInput.ts';

/** Lines of one answer, and characters of their JSON. */
const MAX_LINES = 400;
const MAX_LINES_LENGTH = 20_000;
/** Characters of the errors, as JSON. */
const MAX_ERRORS_LENGTH = 4_000;
/** Characters of a line. */
const MAX_LINE_LENGTH = 500;

/** The tool `appBuild_read_build_log`: the end of a log, and from there upwards. Reads only. */
export class ReadBuildLogTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Reading the build log');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"app": "/api/v1/apps/1", "platform": "android"}');
    const [wanted, platform] = [textOrNumberOf(values, 'app'), textOf(values, 'platform')];
    const before = numberOf(values, 'before_line', { min: 1, max: 10_000_000 });
    const account = await this.account(signal);
    const app = await appOf(wanted, account);
    const build = buildOf(app, platform, ({ logUrl }) => logUrl !== undefined, 'There is no build log.');
    const { lines, errors, isComplete } = await readStoredLog(app, build, account, this.dependencies.redactor);
    const end = Math.min(before === undefined ? lines.length : before - 1, lines.length);
    const shown = lines.slice(Math.max(0, end - MAX_LINES), end).map((line) => this.said(line, MAX_LINE_LENGTH));
    const told = lastFitting(shown, MAX_LINES_LENGTH, MAX_LINES);
    const first = end - told.length + 1;
    return {
      app: pathOf(app.url),
      platform: this.said(build.platform, 50),
      state: build.state,
      lines: lines.length,
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      said_by_service: {
        first_errors: fitting(
          errors.map(({ line, text }) => ({ line, text: this.said(text, MAX_LINE_LENGTH) })),
          MAX_ERRORS_LENGTH,
        ).told,
        log: told.join('\n'),
      },
      ...(first > 1 && { next: `For the lines before, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }
}
