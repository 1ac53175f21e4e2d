/** The manifest and the resources of an Android app, which follow from its values and its icon. */
import type { AndroidApp } from './androidApp.ts';
import { android, androidAttribute, element, plain } from './androidElements.ts';
import { createManifest } from './androidManifest.ts';
import type { AppIcon } from './icon.ts';
import type { PackageContent } from './packageContent.ts';
import {
  ANY_DENSITY,
  resourceIds,
  type AndroidAttribute,
  type Element,
  type Resource,
  type Value,
} from './resources.ts';

/** Themes of the framework without a title bar (`android.R.style`). */
const DARK_THEME = 0x0103022e;
const LIGHT_THEME = 0x01030241;

/** Names of entries of the package. */
const ICON_FILE = 'res/icon.png';
const ADAPTIVE_ICON_FILE = 'res/icon.xml';
const MONOCHROME_ICON_FILE = 'res/monochrome.png';
const FULL_BACKUP_FILE = 'res/full_backup.xml';
const EXTRACTION_RULES_FILE = 'res/extraction_rules.xml';

/** xxxhdpi, for the densest screens: launchers make the icon smaller, never larger. */
const ICON_DENSITY = { density: 640 };
/** Android 8 */
const FIRST_SDK_WITH_ADAPTIVE_ICONS = 26;
/** The visible part of an adaptive icon is 72 of its 108 units: the whole picture lies within. */
const ICON_INSET = 1 / 6;
/** WebView's folder in that of the app, with cookies, localStorage, and databases (Chromium, `AwBrowserProcess.java`). */
const WEBVIEW_FOLDER = 'app_webview';

/** Creates the content of an app. @param files `classes.dex`, and the assets */
export function createContent(app: AndroidApp, icon: AppIcon, files: PackageContent['files']): PackageContent {
  const resources = createResources(app, icon);
  const ids = resourceIds(resources);
  const id = (name: string): number => {
    const found = ids.get(name);
    if (found === undefined) {
      throw new TypeError(`The app has no resource ${name}.`);
    }
    return found;
  };
  return {
    packageName: app.packageName,
    manifest: createManifest(app, {
      icon: id('mipmap/icon'),
      theme: id('style/AppTheme'),
      fullBackupContent: id('xml/full_backup'),
      dataExtractionRules: id('xml/extraction_rules'),
    }),
    resources,
    documents: new Map([
      [ADAPTIVE_ICON_FILE, adaptiveIcon(id('color/icon'), id('mipmap/picture'), ids.get('mipmap/monochrome'))],
      [FULL_BACKUP_FILE, element('full-backup-content', [], [EXCLUDED])],
      [
        EXTRACTION_RULES_FILE,
        element(
          'data-extraction-rules',
          [],
          ['cloud-backup', 'device-transfer'].map((name) => element(name, [], [EXCLUDED])),
        ),
      ],
    ]),
    pictures: new Map([
      [ICON_FILE, icon.picture],
      ...(icon.monochrome === undefined ? [] : ([[MONOCHROME_ICON_FILE, icon.monochrome]] as const)),
    ]),
    files,
  };
}

const EXCLUDED = element('exclude', [plain('domain', 'root'), plain('path', WEBVIEW_FOLDER)]);

function createResources(app: AndroidApp, icon: AppIcon): readonly Resource[] {
  const items = themeItems(app);
  const picture = (name: string, file: string): Resource => ({
    type: 'mipmap',
    name,
    values: [[ICON_DENSITY, { file }]],
  });
  return [
    {
      type: 'mipmap',
      name: 'icon',
      values: [
        [ICON_DENSITY, { file: ICON_FILE }],
        [{ density: ANY_DENSITY, sdk: FIRST_SDK_WITH_ADAPTIVE_ICONS }, { file: ADAPTIVE_ICON_FILE }],
      ],
    },
    // The adaptive icon can't show the picture under its own name.
    picture('picture', ICON_FILE),
    ...(icon.monochrome === undefined ? [] : [picture('monochrome', MONOCHROME_ICON_FILE)]),
    // WebView tells pages `prefers-color-scheme` by whether the theme is a light one, so there is one of each kind. Their colors are
    // the same: the app's own.
    {
      type: 'style',
      name: 'AppTheme',
      values: [
        [{}, { parent: LIGHT_THEME, items }],
        [{ isNight: true }, { parent: DARK_THEME, items }],
      ],
    },
    { type: 'color', name: 'icon', values: [[{}, { color: icon.background }]] },
    { type: 'xml', name: 'full_backup', values: [[{}, { file: FULL_BACKUP_FILE }]] },
    { type: 'xml', name: 'extraction_rules', values: [[{}, { file: EXTRACTION_RULES_FILE }]] },
  ];
}

/** The window's look until the page shows. */
function themeItems({
  windowBackground,
  shell: { statusBar, darkStatusText },
}: AndroidApp): ReadonlyMap<AndroidAttribute, Value> {
  return new Map<AndroidAttribute, Value>([
    [androidAttribute('windowBackground'), { color: windowBackground }],
    [androidAttribute('windowSplashScreenBackground'), { color: windowBackground }],
    [androidAttribute('statusBarColor'), { color: statusBar }],
    [androidAttribute('windowLightStatusBar'), darkStatusText],
  ]);
}

function adaptiveIcon(background: number, picture: number, monochrome: number | undefined): Element {
  const layer = (name: string, reference: number): Element =>
    element(
      name,
      [],
      [element('inset', [android('drawable', { reference }), android('inset', { fraction: ICON_INSET })])],
    );
  return element(
    'adaptive-icon',
    [],
    [
      element('background', [android('drawable', { reference: background })]),
      layer('foreground', picture),
      ...(monochrome === undefined ? [] : [layer('monochrome', monochrome)]),
    ],
  );
}
