/**
 * Rules that `.oxlintrc.json` can't express: walls between folders and forbidden syntax in `src/`. No rule needs types.
 */
import parser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';

/** The rooms that run without VS Code. Their tsconfig.json files say which of the others each may use. */
const ROOMS = [
  'android-package',
  'build-service',
  'config-xml',
  'errors',
  'page-design',
  'service-client',
  'web-project',
];

/** The rooms of `src/extension/`: each may import from the ones in its list, and from the faces of the rooms that it needs. */
const mayImport = {
  workbench: [],
  auth: ['workbench'],
  'service-host': ['auth', 'workbench'],
  diagnostics: ['auth', 'service-host', 'workbench'],
  resources: ['auth', 'workbench'],
  'config-editor': ['workbench'],
  apps: ['auth', 'resources', 'workbench'],
  preflight: ['apps', 'auth', 'config-editor', 'resources', 'workbench'],
  'apps/builds': ['apps', 'auth', 'preflight', 'resources', 'workbench'],
  devices: ['apps', 'auth', 'preflight', 'resources', 'workbench'],
  agents: ['apps', 'apps/builds', 'auth', 'devices', 'preflight', 'resources', 'workbench'],
  commands: [
    'agents',
    'apps',
    'apps/builds',
    'auth',
    'devices',
    'diagnostics',
    'preflight',
    'resources',
    'service-host',
    'workbench',
  ],
};

/** Folders within a room. A file `depth` folders down reaches another room by one more `../` for each. */
const DEPTHS = [0, 1, 2, 3];

/** The part of a path that leaves a room, `up` folders above the file, for another room of `folder`. */
const leaving = (up, names) => `^${up === 0 ? '\\./' : `(\\.\\./){${up}}`}(${names.join('|')})`;

/** Imports from the seven rooms, by the folders that lead up to `src/`. */
const facesFrom = (up) => ({
  regex: `${leaving(up, ROOMS)}/(?!index\\.ts$)`,
  message: 'A room shows others its index.ts alone.',
});

const ROOM_WALLS = ROOMS.flatMap((room) =>
  DEPTHS.map((depth) => ({
    files: [`src/${room}/${'*/'.repeat(depth)}*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'vscode', message: `${room}/ runs without VS Code.` }],
          patterns: [
            facesFrom(depth + 1),
            {
              regex: leaving(depth + 1, ['extension', '\\.\\.']),
              message: `${room}/ runs without the extension.`,
            },
          ],
        },
      ],
    },
  })),
);

const EXTENSION_WALLS = Object.entries(mayImport).flatMap(([room, allowed]) =>
  DEPTHS.map((depth) => {
    const up = depth + room.split('/').length;
    const others = Object.keys(mayImport).filter((other) => other !== room && !allowed.includes(other));
    // A path to apps/builds begins like one to apps, so that apps needs a look ahead.
    const names = others.map((other) => (other === 'apps' ? 'apps(?!/builds)' : other));
    return {
      files: [`src/extension/${room}/${'*/'.repeat(depth)}*.ts`],
      // The room within another one has walls of its own.
      ignores: room === 'apps' ? ['src/extension/apps/builds/**'] : [],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              facesFrom(up + 1),
              {
                regex: `${leaving(up, [...names, 'later\\.ts', '\\.\\./extension\\.ts'])}(/|$)`,
                message: `${room}/ may import only from: ${allowed.join(', ') || 'nothing in extension/'}.`,
              },
              ...(room !== 'apps'
                ? []
                : [{ regex: `^(\\.\\./){${depth}}(\\./)?builds/`, message: 'apps/ doesn’t know its builds/.' }]),
            ],
          },
        ],
      },
    };
  }),
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
  '[source.value=/^([.]{1,2}[/])+(extension[/]later|undici|tls|archive[/]jarSignature|jarSignature|selfSigned|builds[/]cordova[/]installEngine)[.]ts$/]';

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
  'src/apk.ts',
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
  ...ROOM_WALLS,
  ...EXTENSION_WALLS,
  {
    files: ['src/*.ts', 'src/extension/later.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [0, 1].map(facesFrom) }] },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...unescapedTexts, ...writes] },
  },
  {
    files: ['src/{android-package,build-service}/**/*.ts', ...WRITING_FILES],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...unescapedTexts] },
  },
  { files: ESCAPING_FILES, rules: { 'no-restricted-syntax': ['error', ...everywhere, ...formattedTexts, ...writes] } },
  {
    files: ['src/extension/workbench/markdown.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...unescapedTexts, ...writes] },
  },
);
