import type * as vscode from 'vscode';

/** What a task of ours says. */
export interface BuildTask {
  readonly app: string | undefined;
  readonly project: string | undefined;
  readonly platforms: readonly string[] | undefined;
}

/** What is wrong with an entry in tasks.json. */
export type TaskProblem =
  | { readonly kind: 'empty'; readonly property: string }
  | { readonly kind: 'type'; readonly property: string };

/**
 * Reads the definition of a task. VS Code does not check it against package.json: an empty property of tasks.json arrives as
 * an empty text, and a wrong type as it is.
 */
export function readDefinition(definition: vscode.TaskDefinition): BuildTask | TaskProblem {
  const { app, folder, platforms } = definition as Readonly<Record<string, unknown>>;
  for (const [property, value] of Object.entries({ app, folder })) {
    if (value !== undefined && typeof value !== 'string') {
      return { kind: 'type', property };
    }
    if (value?.trim() === '') {
      return { kind: 'empty', property };
    }
  }
  if (platforms !== undefined) {
    if (!Array.isArray(platforms) || !platforms.every((each) => typeof each === 'string')) {
      return { kind: platforms === '' ? 'empty' : 'type', property: 'platforms' };
    }
    if (platforms.length === 0 || platforms.some((each) => each.trim() === '')) {
      return { kind: 'empty', property: 'platforms' };
    }
  }
  return {
    app: textOf(app),
    project: textOf(folder),
    platforms: platforms as readonly string[] | undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}
