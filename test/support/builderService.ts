/** Runs the local service as a program with the builder in `TEST_BUILDER`, a {@link TestBuilder}, instead of its own. */
import { runService } from '../../src/build-service/index.ts';
import { demoBuilder } from './demoBuilder.ts';
import { createProgramBuilder } from './programBuilder.ts';

/** The demo builder, or a program with its arguments to run with {@link createProgramBuilder}. */
export type TestBuilder = 'demo' | readonly string[];

const builder = JSON.parse(process.env.TEST_BUILDER ?? '"demo"') as TestBuilder;

runService(() => Promise.resolve(builder === 'demo' ? demoBuilder : createProgramBuilder(builder)));
