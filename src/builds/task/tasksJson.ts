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
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { isObject } from '../../api/hypermedia/json.ts';
import { MAX_CONFIGURATION_BYTES } from '../../projects/limits.ts';
import { PROBLEM_MATCHER, TASK_TYPE } from '../names.ts';

const DEFAULT_BUILD = { kind: 'build', isDefault: true };

/** Undefined for what is no JSON, and for what is nested too deep. */
function treeOfJson(text: string): Node | undefined {
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
 * Makes a task of ours the default build. The configuration API of VS Code writes the whole list anew, and with that loses the
 * comments in it.
 *
 * @param text of tasks.json; empty when there is none.
 * @param label of the task, where there is none of ours yet.
 * @returns names of the tasks of others that were the default build, and the text with a task of ours in their place. What else is in the
 *   file stays as it is, comments included.
 * @throws InvalidInputError when the text cannot be read.
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
      sentence('{0} is too long to be changed.', '.vscode/tasks.json'),
      sentence('Remove the default builds that are not needed from it, then try again.'),
    );
  }
  const tree = treeOfJson(text);
  const root: unknown = tree && getNodeValue(tree);
  const tasks: unknown = isObject(root) ? (root.tasks ?? []) : undefined;
  if (tree === undefined || !Array.isArray(tasks)) {
    throw new InvalidInputError(
      sentence('{0} cannot be read: it is not the JSON that VS Code expects.', '.vscode/tasks.json'),
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
    isObject(task) && index !== own && isDefaultBuild(task.group) ? [{ name: nameOfTask(task), index }] : [],
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

function nameOfTask({ label, taskName, script, command, type }: Readonly<Record<string, unknown>>): string {
  return [label, taskName, script, command, type].find((each) => typeof each === 'string') ?? '?';
}

const FILLED = z.string().check(z.trim(), z.minLength(1));
/** The definition of a task of ours. VS Code does not check it against package.json. */
const DEFINITION = z.object({
  app: z.optional(FILLED),
  folder: z.optional(FILLED),
  platforms: z.optional(z.array(FILLED).check(z.minLength(1))),
});

/** A mistake in an entry of tasks.json. */
interface TaskProblem {
  readonly kind: 'empty' | 'type';
  readonly property: string;
}

/** Reads the definition of a task. An empty property of tasks.json arrives as an empty text, and a wrong type as it is. */
export function readDefinition(definition: vscode.TaskDefinition): z.infer<typeof DEFINITION> | TaskProblem {
  const { data, error } = DEFINITION.safeParse(definition);
  const [issue] = error?.issues ?? [];
  return data ?? { kind: issue?.code === 'too_small' ? 'empty' : 'type', property: String(issue?.path[0]) };
}
