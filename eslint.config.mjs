/**
 * Rules that `.oxlintrc.json` can't express: walls between folders and forbidden syntax in `src/`. No rule needs types.
 */
import parser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';

/** The rooms that run without VS Code. The references in their tsconfig.json files decide which rooms they may import. */
const ROOMS = [
  'android-package',
  'build-service',
  'config-xml',
  'errors',
  'http-server',
  'page-design',
  'service-client',
  'web-project',
];

/**
 * The folders of `src/extension/`, and the other folders that each may import. Each may also import the face of any room except
 * `build-service`.
 */
const mayImport = {
  workbench: [],
  auth: ['workbench'],
  'service-host': ['auth', 'workbench'],
  diagnostics: ['auth', 'workbench'],
  resources: ['auth', 'workbench'],
  'config-editor': ['workbench'],
  apps: ['auth', 'resources', 'workbench'],
  preflight: ['apps', 'auth', 'config-editor', 'resources', 'workbench'],
  'apps/builds': ['apps', 'auth', 'preflight', 'resources', 'workbench'],
  devices: ['apps', 'auth', 'preflight', 'resources', 'workbench'],
  agents: ['apps', 'apps/builds', 'auth', 'devices', 'preflight', 'resources', 'workbench'],
  commands: [
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

/** Possible depths of a file in its room, in folders. */
const DEPTHS = [0, 1, 2, 3];

/** Returns the start of a pattern for imports of the folders `names`, which are `up` folders above the file. */
const leaving = (up, names) => `^${up === 0 ? '\\./' : `(\\.\\./){${up}}`}(${names.join('|')})`;

/** Returns the pattern for imports that bypass a room's face, in a file `up` folders under `src/`. */
const facesFrom = (up) => ({
  regex: `${leaving(up, ROOMS)}/(?!index\\.ts$)`,
  message: 'Import the room’s index.ts, not its other files.',
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
    // A path to apps/builds begins like one to apps, so apps needs a lookahead.
    const names = others.map((other) => (other === 'apps' ? 'apps(?!/builds)' : other));
    return {
      files: [`src/extension/${room}/${'*/'.repeat(depth)}*.ts`],
      // apps/builds has its own walls.
      ignores: room === 'apps' ? ['src/extension/apps/builds/**'] : [],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              facesFrom(up + 1),
              {
                regex: `${leaving(up + 1, ['build-service'])}/`,
                message: 'The local service is a separate program.',
              },
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

/** Files that pass text to `vscode.window`. */
const ESCAPING_FILES = [
  'src/extension/workbench/{input,log,notifications,page,progress,rowsView,statusBar}.ts',
  // Sets the title of a view.
  'src/extension/resources/tree/resourceTree.ts',
];

/** Members of `vscode.window` that don't show text. */
const TEXTLESS =
  '/^(activeTextEditor|registerUriHandler|showTextDocument|state|tabGroups|visibleTextEditors|onDidChange(WindowState|VisibleTextEditors|TextEditorVisibleRanges))$/';

const VSCODE_WINDOW = "MemberExpression[object.name='vscode'][property.name='window']";

/** Code that shows text must call a function that escapes it. */
const unescapedTexts = [
  `MemberExpression[object.object.name='vscode'][object.property.name='window']:not([property.name=${TEXTLESS}])`,
  `:not(MemberExpression) > ${VSCODE_WINDOW}`,
  "MemberExpression[object.name='vscode'][computed=true]",
  "VariableDeclarator[init.name='vscode']",
  "ImportDeclaration[source.value='vscode'] > ImportSpecifier",
].map((selector) => ({ selector, message: 'Call a function of workbench/, which escapes the text.' }));

const LAZY_IMPORTS =
  '[source.value=/^([.]{1,2}[/])+(extension[/]later|undici|tls|archive[/]jarSignature|jarSignature|selfSigned|builds[/]cordova[/]installEngine)[.]ts$/]';

const STARTED_SERVERS = {
  selector: 'ImportDeclaration[source.value=/^(node:)?https?$/] > ImportSpecifier[imported.name=createServer]',
  message: 'Start a server with http-server/, which limits its hosts and connections and ends all of them.',
};

const everywhere = [
  STARTED_SERVERS,
  {
    selector: `CallExpression[callee.property.name='executeCommand']:matches(${OWN_COMMAND_IDS})`,
    message: 'Call the command’s function instead, so that the compiler and the walls check the call.',
  },
  {
    selector: `ImportExpression:not(${LAZY_IMPORTS})`,
    message: 'Import statically. Only the modules in LAZY_IMPORTS are in separate bundles.',
  },
  {
    // `workspace.isTrusted` reports whether the user trusts the folder.
    selector:
      "Identifier[name=/^(supportThemeIcons|supportHtml)$/], :not(MemberExpression[object.property.name='workspace']) > Identifier[name='isTrusted']",
    message: 'VS Code would render icons, markup, and commands in a text from a service.',
  },
];

const formattedTexts = [
  {
    selector: "Identifier[name='MarkdownString']",
    message: 'VS Code would render links in a text from a service. Only workbench/markdown.ts creates formatted texts.',
  },
];

/**
 * Files that write to disk. Those in downloads/ write into the user's folder: they never overwrite without asking and never write
 * through a link. `npm run apk` writes into the current folder, and replaces its earlier output. The others write into their own
 * temporary folders and into VS Code's storage.
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
  message: 'Only resources/downloads/ writes into the user’s folders, and never through a link.',
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
  {
    files: ['src/http-server/httpServer.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...everywhere.filter((each) => each !== STARTED_SERVERS), ...writes],
    },
  },
);
