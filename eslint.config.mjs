/**
 * Rules that `.oxlintrc.json` can't express: walls between folders and forbidden syntax in `src/`. No rule needs types.
 */
import parser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';

/**
 * Folders that each folder may import from. Arrows point one way: extension → commands, agentTools → devices → builds → projects → apps →
 * resources → auth → api. `workbench` serves every folder that knows VS Code and imports only `api` and `formats`. `localServiceHost` is
 * used by `extension` and `commands`; `configXml` by `projects` and everything above it; `formats` by both programs.
 */
const mayImport = {
  api: [],
  formats: [],
  localService: ['formats'],
  workbench: ['api', 'formats'],
  auth: ['api', 'workbench'],
  localServiceHost: ['api', 'auth', 'workbench'],
  resources: ['api', 'auth', 'workbench'],
  configXml: ['api', 'formats', 'workbench'],
  apps: ['api', 'auth', 'configXml', 'formats', 'resources', 'workbench'],
  projects: ['api', 'apps', 'auth', 'configXml', 'formats', 'resources', 'workbench'],
  builds: ['api', 'apps', 'auth', 'configXml', 'projects', 'resources', 'workbench'],
  devices: ['api', 'apps', 'auth', 'builds', 'configXml', 'formats', 'projects', 'resources', 'workbench'],
  diagnostics: ['api', 'auth', 'localServiceHost', 'workbench'],
  agentTools: ['api', 'apps', 'auth', 'builds', 'configXml', 'devices', 'projects', 'resources', 'workbench'],
  commands: [
    'agentTools',
    'api',
    'apps',
    'auth',
    'builds',
    'configXml',
    'devices',
    'diagnostics',
    'formats',
    'localServiceHost',
    'projects',
    'resources',
    'workbench',
  ],
};
const rooms = Object.keys(mayImport);
const withoutVscode = ['api', 'formats', 'localService'];

/** Depths of files within a folder. A file at depth `n` reaches another folder with `n + 1` times `../`. */
const DEPTHS = [0, 1, 2, 3];

const walls = Object.entries(mayImport).flatMap(([room, allowed]) =>
  DEPTHS.map((depth) => ({
    files: [`src/${room}/${'*/'.repeat(depth)}*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: withoutVscode.includes(room) ? [{ name: 'vscode', message: `${room}/ runs without VS Code.` }] : [],
          patterns: [
            {
              regex: `^(\\.\\./){${depth + 1}}(${rooms.filter((other) => other !== room && !allowed.includes(other)).join('|')}|extension\\.ts|later\\.ts|\\.\\.)(/|$)`,
              message: `${room}/ may import only from: ${allowed.join(', ') || 'nothing of ours'}.`,
            },
          ],
        },
      ],
    },
  })),
);

/** Matches literal commands that package.json declares. VS Code adds others, such as `${viewId}.focus`. */
const OWN_COMMAND_IDS = '[arguments.0.value=/^appBuild[.]/], [arguments.0.quasis.0.value.raw=/^appBuild[.]/]';

/** Files that pass texts to `vscode.window`. */
const ESCAPING_FILES = [
  'src/extension/workbench/{input,log,notifications,page,progress,rowsView,statusBar}.ts',
  // Sets the title of a view.
  'src/extension/resources/tree/resourceTree.ts',
];

/** Members of `vscode.window` that don't accept a text to display. */
const TEXTLESS =
  '/^(activeTextEditor|registerUriHandler|showTextDocument|state|tabGroups|visibleTextEditors|onDidChange(WindowState|VisibleTextEditors|TextEditorVisibleRanges))$/';

const VSCODE_WINDOW = "MemberExpression[object.name='vscode'][property.name='window']";

/** Code that opens a box, a list, a dialog, a notification, or a view must call the function that escapes its texts. */
const unescapedTexts = [
  `MemberExpression[object.object.name='vscode'][object.property.name='window']:not([property.name=${TEXTLESS}])`,
  `:not(MemberExpression) > ${VSCODE_WINDOW}`,
  "MemberExpression[object.name='vscode'][computed=true]",
  "VariableDeclarator[init.name='vscode']",
  "ImportDeclaration[source.value='vscode'] > ImportSpecifier",
].map((selector) => ({ selector, message: 'workbench/ opens what shows a text, and escapes it.' }));

const LAZY_IMPORTS =
  '[source.value=/^([.]{1,2}[/])+(later|undici|tls|jarSignature|builds[/]cordova[/]installEngine)[.]ts$/]';

const everywhere = [
  {
    selector: `CallExpression[callee.property.name='executeCommand']:matches(${OWN_COMMAND_IDS})`,
    message: 'Call the function behind a command of ours: the compiler and the walls see that call.',
  },
  {
    selector: `ImportExpression:not(${LAZY_IMPORTS})`,
    message:
      'The bundles are split at the lazy imports: what is rarely needed, and takes long to load. LAZY_IMPORTS names them.',
  },
  {
    // `workspace.isTrusted` reports whether the user trusts the folder.
    selector:
      "Identifier[name=/^(supportThemeIcons|supportHtml)$/], :not(MemberExpression[object.property.name='workspace']) > Identifier[name='isTrusted']",
    message: 'VS Code would render icons, markup and commands in a text of a service.',
  },
];

const formattedTexts = [
  {
    selector: "Identifier[name='MarkdownString']",
    message:
      'VS Code would render links in a text of a service. workbench/markdown.ts makes formatted texts of our own.',
  },
];

/**
 * Files that write to disk. Only those in downloads/ write into the user's folder: they never overwrite without asking and never write
 * through a link. The others write into their own temporary folders and into VS Code's storage.
 */
const WRITING_FILES = [
  'src/extension/resources/downloads/{diskFile,saveDownload,writeIntoFolder}.ts',
  'src/web-project/packing/packageFile.ts',
  'src/extension/devices/network/webFiles.ts',
];

const FS_MODULE = 'source.value=/^(node:)?fs([/]promises)?$/';
const WRITES =
  '/^(appendFile|copyFile|cp|createWriteStream|link|rename|symlink|truncate|write|writeFile|writev)(Sync)?$/';

const writes = [
  `ImportDeclaration[${FS_MODULE}] > ImportSpecifier[imported.name=${WRITES}]`,
  `ImportDeclaration[${FS_MODULE}] > :not(ImportSpecifier)[type=/^Import(Default|Namespace)Specifier$/]`,
  "CallExpression[callee.name='open'][arguments.1.value=/[wa+]/]",
  "MemberExpression[object.property.name='fs'][property.name=/^(copy|rename|writeFile)$/]",
  "VariableDeclarator[init.property.name='workspace'] Property[key.name='fs']",
  "VariableDeclarator[init.property.name='fs'][init.object.property.name='workspace']",
].map((selector) => ({
  selector,
  message: 'resources/downloads/ writes into the folders of people, and through no link.',
}));

export default defineConfig(
  { files: ['src/**/*.ts'], languageOptions: { parser } },
  // The web views of old phones run this file.
  {
    files: ['src/android-package/shell/*.js'],
    languageOptions: { ecmaVersion: 5, sourceType: 'script' },
  },
  {
    files: ['src/extension/commands/samples/device-check/www/*.js'],
    languageOptions: { ecmaVersion: 2015, sourceType: 'script' },
  },
  ...walls,
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...unescapedTexts, ...writes] },
  },
  {
    files: ['src/build-service/**/*.ts', ...WRITING_FILES],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...unescapedTexts] },
  },
  { files: ESCAPING_FILES, rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...writes] } },
  {
    files: ['src/extension/workbench/markdown.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...unescapedTexts, ...writes] },
  },
);
