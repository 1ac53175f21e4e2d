/** Runs the local service, with its own builders or a test’s. */
export { chooseBuilder } from './builds/chooseBuilder.ts';
export { runProgram } from './program.ts';
