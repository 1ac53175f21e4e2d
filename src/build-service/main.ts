import { chooseBuilder } from './builds/chooseBuilder.ts';
import { runProgram } from './program.ts';

runProgram(chooseBuilder);
