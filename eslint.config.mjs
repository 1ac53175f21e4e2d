import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

/**
 * The walls of the house: which room may import from which. Arrows point one way,
 * extension → commands → resources → auth → api; `workbench` serves every room that knows VS Code and uses none of them.
 */
const rooms = ['api', 'auth', 'resources', 'commands', 'workbench', 'localService', 'test'];
const mayImport = {
  api: [],
  localService: [],
  workbench: ['api'],
  auth: ['api', 'workbench'],
  resources: ['api', 'auth', 'workbench'],
  commands: ['api', 'auth', 'resources', 'workbench'],
};
const withoutVscode = ['api', 'localService'];

const walls = Object.entries(mayImport).map(([room, allowed]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: withoutVscode.includes(room) ? [{ name: 'vscode', message: `${room}/ runs without VS Code.` }] : [],
        patterns: [
          {
            regex: `^(\\.\\./)+(${rooms.filter((other) => other !== room && !allowed.includes(other)).join('|')}|extension\\.ts)(/|$)`,
            message: `${room}/ may import only from: ${allowed.join(', ') || 'nothing of ours'}.`,
          },
        ],
      },
    ],
  },
}));

export default defineConfig(
  { ignores: ['dist/', 'out/', '.vscode-test/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts'],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // mocha's `describe` and `it` return nothing that one could await
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
  ...walls,
);
