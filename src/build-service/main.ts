import { chooseBuilder, runProgram } from './index.ts';

runProgram(chooseBuilder);
