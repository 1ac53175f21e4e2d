import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

/**
 * The walls of the house: which room may import from which. Arrows point one way:
 * extension → commands → resources → auth → api. `workbench` serves every room that knows VS Code and uses none but `api`;
 * `localServiceHost` is used by `extension` and `commands`.
 */
const mayImport = {
  api: [],
  localService: [],
  workbench: ['api'],
  auth: ['api', 'workbench'],
  localServiceHost: ['api', 'auth', 'workbench'],
  resources: ['api', 'auth', 'workbench'],
  commands: ['api', 'auth', 'localServiceHost', 'resources', 'workbench'],
};
const rooms = Object.keys(mayImport);
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
            regex: `^(\\.{1,2}/)+(${rooms.filter((other) => other !== room && !allowed.includes(other)).join('|')}|extension\\.ts|later\\.ts|test)(/|$)`,
            message: `${room}/ may import only from: ${allowed.join(', ') || 'nothing of ours'}.`,
          },
        ],
      },
    ],
  },
}));

/** Commands that package.json declares, as a literal; VS Code makes a few more, such as `${viewId}.focus`. */
const OWN_COMMAND_IDS = '[arguments.0.value=/^appBuild[.]/], [arguments.0.quasis.0.value.raw=/^appBuild[.]/]';

const LAZY_IMPORTS = '[source.value=/^[.][/](later|undici)[.]ts$/]';

export default defineConfig(
  { ignores: ['dist/', 'out/', '.vscode-test/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['{src,test}/**/*.ts'],
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
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `CallExpression[callee.property.name='executeCommand']:matches(${OWN_COMMAND_IDS})`,
          message: 'Call the function behind a command of ours: the compiler and the walls see that call.',
        },
        {
          selector: `ImportExpression:not(${LAZY_IMPORTS})`,
          message: 'Two files are imported lazily, and the bundle is split at them: later.ts and undici.ts.',
        },
      ],
    },
  },
);
