import path from 'node:path';

import { sentence } from '../../api/errors/sentence.ts';
import { filesNamedIn } from '../../configXml/checks/files.ts';
import type { XmlDocument } from '../../configXml/xmlDocument.ts';
import { cancellable } from '../packing/cancellation.ts';
import type { DiskTree } from '../packing/diskTree.ts';
import { folderOf } from '../packing/paths.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { ruleAgainst } from './configFile.ts';
import type { ProjectFinding } from './projectFinding.ts';

/** Files that are looked for on the disk when they are not among those that are sent. */
const MAX_LOOKED_UP = 200;

/** Which files that config.xml names are not sent. */
export interface MissingFiles {
  /** As they are written. */
  readonly all: ReadonlySet<string>;
  /** What is said of those that are on the disk, by how they are written. */
  readonly reasons: ReadonlyMap<string, Pick<ProjectFinding, 'message' | 'next'>>;
}

export const NOTHING_MISSING: MissingFiles = { all: new Set(), reasons: new Map() };

/** What is on the disk, and what is sent of it. */
export interface LookedUpFiles {
  readonly tree: DiskTree;
  readonly plan: Pick<PackagePlan, 'leftOut' | 'layout'>;
  readonly sent: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

/**
 * The files that config.xml names and a service would not find.
 *
 * @param config path of config.xml
 * @throws CancelledError
 */
export async function missingFiles(
  document: XmlDocument,
  config: string,
  { tree, plan, sent, signal }: LookedUpFiles,
): Promise<MissingFiles> {
  const named = filesNamedIn(document, plan.layout.pages).map(({ path: written, candidates }) => ({
    written,
    candidates: candidates.map((candidate) => path.posix.normalize(folderOf(config) + candidate)),
  }));
  const missing = named.filter(({ candidates }) => !candidates.some((candidate) => sent.has(candidate)));
  const byLowerCase = new Map(missing.length === 0 ? [] : [...sent].map((each) => [each.toLowerCase(), each]));
  const reasons = new Map<string, Pick<ProjectFinding, 'message' | 'next'>>();
  for (const { written, candidates } of missing.slice(0, MAX_LOOKED_UP)) {
    const other = candidates.map((each) => byLowerCase.get(each.toLowerCase())).find((each) => each !== undefined);
    if (other !== undefined) {
      reasons.set(written, {
        message: sentence('The file {0} is called {1}: upper and lower case count in an app.', written, other),
        next: sentence('Write it as the file is called.'),
      });
      continue;
    }
    const inside = candidates.filter((candidate) => !candidate.startsWith('../'));
    const looks = inside.map((candidate) => tree.details(candidate).catch(() => undefined));
    const found = await cancellable(Promise.all(looks), signal);
    const onDisk = inside.find((_candidate, index) => found[index]?.kind === 'file');
    if (onDisk !== undefined) {
      reasons.set(written, leftOutReason(onDisk, plan));
    }
  }
  return { all: new Set(missing.map(({ written }) => written)), reasons };
}

function leftOutReason(file: string, plan: Pick<PackagePlan, 'leftOut'>): Pick<ProjectFinding, 'message' | 'next'> {
  const rule = ruleAgainst(file, plan);
  return {
    message:
      rule === undefined
        ? sentence('{0} is there, but is not among the files that are sent.', file)
        : sentence('{0} is there, but is left out by “{1}” in {2}.', file, rule.rule, rule.file),
    next: sentence('Take it in with the line !{0} in .appbuildignore.', file),
  };
}
