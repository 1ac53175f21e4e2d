import { chooseBuilder, runService } from './index.ts';

runService(chooseBuilder);
