/** The local service as a program, with the builder of {@link TestBuilder} that `TEST_BUILDER` names in place of its own. */
import { runProgram } from '../../src/localService/program.ts';
import { demoBuilder } from './demoBuilder.ts';
import { createProgramBuilder } from './programBuilder.ts';

/** The demo builder, or a program with its arguments that {@link createProgramBuilder} runs. */
export type TestBuilder = 'demo' | readonly string[];

const builder = JSON.parse(process.env.TEST_BUILDER ?? '"demo"') as TestBuilder;

runProgram(() => Promise.resolve(builder === 'demo' ? demoBuilder : createProgramBuilder(builder)));
