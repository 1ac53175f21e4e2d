/** `suiteProcess.ts SUITE ROUNDS`: measures one suite and sends its rows to the parent. */
import type { Measure } from './suite.ts';

const [name = '', rounds = ''] = process.argv.slice(2);
const { measure } = (await import(`./suites/${name}.ts`)) as { readonly measure: Measure };
process.send?.(await measure(Number(rounds)));
process.disconnect();
