/** Checks pages for accessibility problems with axe-core. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

interface Rule {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Results {
  readonly violations: readonly Rule[];
  /** Rules that axe could not decide. */
  readonly incomplete: readonly Rule[];
  readonly passes: readonly Rule[];
}

/** Rules to check: WCAG 2.0 to 2.2, levels A and AA, and best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the problems that axe-core finds in a page, one line per element, including undecided ones.
 * @param rules IDs of the rules to apply. Defaults to all WCAG A and AA rules and the best practices
 * @throws Error if no rule applied, which means that the page is missing
 */
export async function barriersIn(page: Page | Frame, rules?: readonly string[]): Promise<readonly string[]> {
  const runOnly = rules === undefined ? { type: 'tag', values: TAGS } : { type: 'rule', values: rules };
  if (!(await page.evaluate<boolean>(`'axe' in window`))) {
    await page.evaluate(`${await source};undefined`);
  }
  const options = { runOnly, resultTypes: ['violations', 'incomplete'], elementRef: false };
  const { violations, incomplete, passes } = await page.evaluate<Results>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  if (passes.length === 0) {
    throw new Error(`No rule applied at ${page.url()}.`);
  }
  return [...getLines(violations, 'fails'), ...getLines(incomplete, 'undecided')];
}

function getLines(rules: readonly Rule[], outcome: string): readonly string[] {
  return rules.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id} ${outcome}: ${help}: ${html} ${failureSummary}`),
  );
}
