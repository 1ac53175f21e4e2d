/** The manifest and resources of an Android app, created from its values and icon. */
import type { AndroidApp } from './androidApp.ts';
import { android, androidAttribute, element, plainAttribute } from './resources/androidElements.ts';
import { createManifest } from './resources/androidManifest.ts';
import type { AppIcon } from './config/icon.ts';
import type { PackageContent } from './archive/packageContent.ts';
import {
  ANY_DENSITY,
  resourceIds,
  type AndroidAttribute,
  type ResourceElement,
  type AndroidResource,
  type ResourceValue,
} from './resources/resources.ts';

/** Framework themes without a title bar (`android.R.style`). */
const DARK_THEME = 0x0103022e;
const LIGHT_THEME = 0x01030241;

/** Names of entries in the package. */
const ICON_FILE = 'res/icon.png';
const ADAPTIVE_ICON_FILE = 'res/icon.xml';
const MONOCHROME_ICON_FILE = 'res/monochrome.png';
const FULL_BACKUP_FILE = 'res/full_backup.xml';
const EXTRACTION_RULES_FILE = 'res/extraction_rules.xml';

/** xxxhdpi is the highest density, so launchers never have to enlarge the icon. */
const ICON_DENSITY = { density: 640 };
/** Adaptive icons require Android 8. */
const FIRST_SDK_WITH_ADAPTIVE_ICONS = 26;
/** An adaptive icon shows 72 of its 108 units. With this inset, the whole picture is visible. */
const ICON_INSET = 1 / 6;
/**
 * WebView's folder in the app's data folder. Contains cookies, localStorage, and databases (Chromium,
 * `AwBrowserProcess.java`).
 */
const WEBVIEW_FOLDER = 'app_webview';

/** Creates the content of an app's package. @param files `classes.dex` and the assets */
export function createContent(app: AndroidApp, icon: AppIcon, files: PackageContent['files']): PackageContent {
  const resources = createResources(app, icon);
  const ids = resourceIds(resources);
  const id = (name: string): number => {
    const found = ids.get(name);
    if (found === undefined) {
      throw new TypeError(`The app doesn’t have a resource ${name}.`);
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

const EXCLUDED = element('exclude', [plainAttribute('domain', 'root'), plainAttribute('path', WEBVIEW_FOLDER)]);

function createResources(app: AndroidApp, icon: AppIcon): readonly AndroidResource[] {
  const items = themeItems(app);
  const picture = (name: string, file: string): AndroidResource => ({
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
    // The adaptive icon needs a separate name for the picture.
    picture('picture', ICON_FILE),
    ...(icon.monochrome === undefined ? [] : [picture('monochrome', MONOCHROME_ICON_FILE)]),
    // WebView derives `prefers-color-scheme` from the theme, so both a light and a dark theme exist. Both use the app's
    // colors.
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

/** Returns the window's appearance while the page loads. */
function themeItems({
  windowBackground,
  shell: { statusBar, darkStatusText },
}: AndroidApp): ReadonlyMap<AndroidAttribute, ResourceValue> {
  return new Map<AndroidAttribute, ResourceValue>([
    [androidAttribute('windowBackground'), { color: windowBackground }],
    [androidAttribute('windowSplashScreenBackground'), { color: windowBackground }],
    [androidAttribute('statusBarColor'), { color: statusBar }],
    [androidAttribute('windowLightStatusBar'), darkStatusText],
  ]);
}

function adaptiveIcon(background: number, picture: number, monochrome: number | undefined): ResourceElement {
  const layer = (name: string, reference: number): ResourceElement =>
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
