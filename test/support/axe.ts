/** Looks for barriers in pages with axe-core. */
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
  /** What axe could not decide. */
  readonly incomplete: readonly Rule[];
  readonly passes: readonly Rule[];
}

/** What the rules belong to: WCAG 2.0 to 2.2 at the levels A and AA, and what is good practice beyond. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds in a page, one line an element, those that it could not decide included.
 *
 * @param rules ids of the only rules to apply; all rules of WCAG A and AA and of good practice when absent.
 * @throws Error when no rule applied: the page is not there.
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
  return [...linesOf(violations, 'fails'), ...linesOf(incomplete, 'undecided')];
}

function linesOf(rules: readonly Rule[], outcome: string): readonly string[] {
  return rules.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id} ${outcome}: ${help}: ${html} ${failureSummary}`),
  );
}
