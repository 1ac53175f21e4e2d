import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import type { LogText } from '../builds/logs/logText.ts';
import { AgentTool } from './agentTool.ts';
import { DATA_NOTE, fitting, pathOfLink, type AsData } from './report.ts';
import { text, textOrNumber, toolInput, wholeNumber } from './toolInput.ts';
import { appOf, buildOf } from './toolSubjects.ts';

const INPUT = toolInput(
  { app: textOrNumber(), platform: text(), before_line: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
  '{"app": "/api/v1/apps/1", "platform": "android"}',
);

/** The tool `appBuild_read_build_log`: the end of a log, and from there upwards. Reads only. */
export class ReadBuildLogTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Reading the build log');

  protected async run(input: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
    const account = await this.account(signal);
    const app = await appOf(input.app, account);
    const build = buildOf(app, input.platform, ({ logUrl }) => logUrl !== undefined, 'There is no build log.');
    const { log, isComplete } = await this.readLog(account, app, build.platform);
    const lines = log.lines.slice(0, input.before_line === undefined ? undefined : input.before_line - 1);
    const shown = lastLines(lines, this.asData, 0.65);
    const first = lines.length - shown.length + 1;
    return {
      app: pathOfLink(app.url),
      platform: this.asData(build.platform),
      state: build.state,
      lines: log.lines.length,
      ...(log.first > 0 && { is_cut: LOG_IS_CUT }),
      ...(isComplete === false && { is_growing: true }),
      first_line: first,
      said_by_service: { first_errors: firstErrors(log, this.asData), log: shown.join('\n') },
      ...(first > 1 && { next: `For the lines before, call again with "before_line": ${first}.` }),
      note: DATA_NOTE,
    };
  }
}

/** The note that lines count from the first one that is kept. */
export const LOG_IS_CUT = 'The log is longer: these are its last lines, counted from the first of them.';

/** The first lines that say that something failed, with their numbers from one. */
export function firstErrors({ errors, first }: LogText, asData: AsData) {
  return fitting(errors, ({ line, text: error }) => ({ line: line - first + 1, text: asData(error) }), 0.1).entries;
}

/** The last lines that fit. @param share of an answer */
export function lastLines(lines: readonly string[], asData: AsData, share: number): readonly string[] {
  return fitting(lines.toReversed(), (line) => asData(line), share).entries.toReversed();
}
