import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';

/** The argument of `appBuild.getResource` and `appBuild.openResource`. */
export interface ResourceArgument {
  /** A path or link at the service, such as `/api/v1/apps`. */
  readonly url: string;
}

/** The argument of `appBuild.buildApp`. */
export interface BuildArgument {
  /** Title of an app, or a path or link of it. */
  readonly app: string;
  /** All that the app is built for when absent. */
  readonly platforms?: readonly string[] | undefined;
}

const MAX_PLATFORMS = 50;

/**
 * True for an argument as a program writes it: an object of its own. Rows of the tree are instances of classes; a path, or
 * nothing, is what a person's keybinding and the palette give.
 */
export function isCallArgument(value: unknown): value is object {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(prototypeOf(value));
}

/** @throws InvalidInputError that names what is wrong. */
export function readResourceArgument(command: string, argument: object): ResourceArgument {
  const { url, ...others } = argument as Partial<Record<string, unknown>>;
  refuseOthers(command, others, 'url');
  if (typeof url !== 'string' || url.trim() === '') {
    throw new InvalidInputError(
      sentence('{0} needs a text as “{1}”.', command, 'url'),
      sentence('Give a path or link at the service, such as {0}.', '/api/v1/apps'),
    );
  }
  return { url };
}

/** @throws InvalidInputError that names what is wrong. */
export function readBuildArgument(command: string, argument: object): BuildArgument {
  const { app, platforms, ...others } = argument as Partial<Record<string, unknown>>;
  refuseOthers(command, others, 'app, platforms');
  if (typeof app !== 'string' || app.trim() === '') {
    throw new InvalidInputError(
      sentence('{0} needs a text as “{1}”.', command, 'app'),
      sentence('Give the title of an app, or its link.'),
    );
  }
  return { app, platforms: readPlatforms(platforms) };
}

/** A name that is misspelt would otherwise do something else than was asked for, such as build everything. */
function refuseOthers(command: string, others: object, known: string): void {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new InvalidInputError(
      sentence('{0} does not know “{1}”.', command, label(other)),
      sentence('It takes: {0}.', known),
    );
  }
}

function readPlatforms(value: unknown): readonly string[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  const names: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_PLATFORMS + 1) : [];
  const platforms = names.filter((name) => typeof name === 'string' && name.trim() !== '') as string[];
  if (platforms.length === 0 || platforms.length < names.length || platforms.length > MAX_PLATFORMS) {
    throw new InvalidInputError(sentence('“platforms” has to be a list of names, such as {0}.', '["android", "ios"]'));
  }
  return [...new Set(platforms)];
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}
