import type * as vscode from 'vscode';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import * as z from 'zod/mini';
import { InvalidInputError, sentence } from '../../../../errors/index.ts';
import { isObject } from '../../../../service-client/index.ts';
import { MAX_CONFIGURATION_BYTES } from '../../../../web-project/index.ts';
import { PROBLEM_MATCHER, TASK_TYPE } from '../names.ts';

const DEFAULT_BUILD = { kind: 'build', isDefault: true };

/** Parses JSON with comments. Returns undefined if it's invalid or nested too deeply. */
function parseJsonTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    return errors.length > 0 ? undefined : tree;
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Makes this extension's task the default build. VS Code's configuration API would rewrite the whole list and lose its comments.
 *
 * @param text content of tasks.json. Empty if the file doesn't exist.
 * @param label label of the task if it must be added.
 * @returns the names of other tasks that were the default build, and the new text. Everything else in the file is unchanged,
 * including comments.
 * @throws InvalidInputError if the text can't be parsed or is too long.
 */
export function withDefaultBuild(
  text: string,
  label: string,
): { readonly others: readonly string[]; readonly text: string } {
  const entry = { type: TASK_TYPE, label, group: DEFAULT_BUILD, problemMatcher: [PROBLEM_MATCHER] };
  if (text.trim() === '') {
    return { others: [], text: `${JSON.stringify({ version: '2.0.0', tasks: [entry] }, undefined, 2)}\n` };
  }
  if (text.length > MAX_CONFIGURATION_BYTES) {
    throw new InvalidInputError(
      sentence('{0} is too long to change.', '.vscode/tasks.json'),
      sentence('Remove default builds that you don’t need from it, then try again.'),
    );
  }
  const tree = parseJsonTree(text);
  const root: unknown = tree && getNodeValue(tree);
  const tasks: unknown = isObject(root) ? (root.tasks ?? []) : undefined;
  if (tree === undefined || !Array.isArray(tasks)) {
    throw new InvalidInputError(
      sentence('{0} can’t be read because it isn’t the JSON that VS Code expects.', '.vscode/tasks.json'),
      sentence('Correct it, then try again.'),
    );
  }
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const insertSpaces = !indent.includes('\t');
  const options = {
    formattingOptions: {
      insertSpaces,
      tabSize: insertSpaces ? indent.length : 4,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  };
  const set = (before: string, path: JSONPath, value: unknown) =>
    applyEdits(before, modify(before, path, value, options));
  const own = tasks.findIndex((task) => isObject(task) && task.type === TASK_TYPE);
  const others = tasks.flatMap((task: unknown, index) =>
    isObject(task) && index !== own && isDefaultBuild(task.group) ? [{ name: getTaskName(task), index }] : [],
  );
  const demoted = applyEdits(
    text,
    others
      .map(({ index }) => findNodeAtLocation(tree, ['tasks', index, 'group']))
      .filter((group) => group !== undefined)
      .map(({ offset, length }) => ({ offset, length, content: '"build"' })),
  );
  const added =
    own >= 0
      ? set(demoted, ['tasks', own, 'group'], DEFAULT_BUILD)
      : tasks.length === 0
        ? set(demoted, ['tasks'], [entry])
        : applyEdits(demoted, modify(demoted, ['tasks', tasks.length], entry, { ...options, isArrayInsertion: true }));
  return { others: others.map(({ name }) => name), text: added };
}

function isDefaultBuild(group: unknown): boolean {
  return isObject(group) && group.kind === 'build' && group.isDefault !== undefined && group.isDefault !== false;
}

function getTaskName({ label, taskName, script, command, type }: Readonly<Record<string, unknown>>): string {
  return [label, taskName, script, command, type].find((each) => typeof each === 'string') ?? '?';
}

const FILLED = z.string().check(z.trim(), z.minLength(1));
/** Schema of this extension's task definitions. VS Code doesn't validate them against package.json. */
const DEFINITION = z.object({
  app: z.optional(FILLED),
  folder: z.optional(FILLED),
  platforms: z.optional(z.array(FILLED).check(z.minLength(1))),
});

/** An invalid property in an entry of tasks.json. */
interface TaskProblem {
  readonly kind: 'empty' | 'type';
  readonly property: string;
}

/** Reads the definition of a task. VS Code passes properties from tasks.json unchecked, including empty strings and wrong types. */
export function readDefinition(definition: vscode.TaskDefinition): z.infer<typeof DEFINITION> | TaskProblem {
  const { data, error } = DEFINITION.safeParse(definition);
  const [issue] = error?.issues ?? [];
  return data ?? { kind: issue?.code === 'too_small' ? 'empty' : 'type', property: String(issue?.path[0]) };
}
