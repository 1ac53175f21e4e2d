/** Preferences that cordova-android reads. */
import { PAGE_PERMISSIONS, PERMISSIONS_PREFERENCE } from '../../formats/pagePermissions.ts';
import { sentence } from '../../api/errors/sentence.ts';
import {
  ANDROID,
  BOOLEAN,
  INTEGER,
  NAME,
  oneOf,
  oneOfIgnoringCase,
  type PreferenceRule,
  preferencesWith,
  TEXT,
} from './rule.ts';
import { sourceOnGitHub, formerReference, PREFERENCE, releaseOf } from './sources.ts';

const GRADLE_PREFERENCES = sourceOnGitHub('android', 'lib/prepare.js');
const ACTIVITY = sourceOnGitHub('android', 'framework/src/org/apache/cordova/CordovaActivity.java');
const WEB_VIEW = sourceOnGitHub('android', 'framework/src/org/apache/cordova/CordovaWebViewImpl.java');
const WEB_VIEW_CLIENT = sourceOnGitHub('android', 'framework/src/org/apache/cordova/engine/SystemWebViewClient.java');

/** Versions of the system, such as 24. */
const API_LEVEL = { kind: 'integer', min: 1, max: 99 } as const;

const preference = preferencesWith({ platforms: ANDROID, source: PREFERENCE });

export const ANDROID_PREFERENCES: readonly PreferenceRule[] = [
  preference('android-minSdkVersion', API_LEVEL, sentence('The lowest API level of Android that the app runs on.')),
  preference(
    'android-targetSdkVersion',
    API_LEVEL,
    sentence('The API level of Android that the app is made for. Shops demand a recent one.'),
  ),
  preference('android-maxSdkVersion', API_LEVEL, sentence('The highest API level of Android that the app runs on.')),
  preference(
    'android-compileSdkVersion',
    API_LEVEL,
    sentence('The API level of Android that the app is compiled with.'),
  ),
  preference(
    'android-buildToolsVersion',
    NAME,
    sentence('The version of the build tools of Android. Changing it can break the build.'),
  ),
  preference(
    PERMISSIONS_PREFERENCE,
    { kind: 'choice', values: ['none', ...PAGE_PERMISSIONS], ignoresCase: true, isList: true },
    sentence(
      'Which of camera, microphone and location the app may ask for, with commas between them; none refuses all three. Without it, the app may use whatever its scripts and plugins ask for. For the built-in builder of the local service.',
    ),
    { source: 'https://developer.android.com/guide/topics/manifest/uses-permission-element' },
  ),
  preference('GradleVersion', NAME, sentence('The version of Gradle. Changing it can break the build.')),
  preference(
    'AndroidGradlePluginVersion',
    NAME,
    sentence('The version of the plugin of Gradle for Android. Changing it can break the build.'),
  ),
  preference(
    'GradlePluginGoogleServicesEnabled',
    BOOLEAN,
    sentence('True adds the plugin of Gradle for the services of Google.'),
    { defaultValue: 'false' },
  ),
  preference(
    'GradlePluginGoogleServicesVersion',
    NAME,
    sentence('The version of the plugin of Gradle for the services of Google.'),
  ),
  preference('GradlePluginKotlinEnabled', BOOLEAN, sentence('True builds files in Kotlin.'), {
    defaultValue: 'false',
  }),
  preference(
    'GradlePluginKotlinCodeStyle',
    oneOf('official', 'obsolete'),
    sentence('How code in Kotlin is formatted.'),
    { defaultValue: 'official' },
  ),
  preference('GradlePluginKotlinVersion', NAME, sentence('The version of Kotlin.')),
  preference('AndroidXEnabled', BOOLEAN, undefined, {
    removed: { android: '10.0.0' },
    source: releaseOf('android', '2020/06/29', '9.0.0'),
  }),
  preference('AndroidXAppCompatVersion', NAME, sentence('The version of the AppCompat library of AndroidX.')),
  preference('AndroidXWebKitVersion', NAME, sentence('The version of the WebKit library of AndroidX.')),
  preference('AndroidJavaSourceCompatibility', INTEGER, sentence('The version of Java that the code is written in.'), {
    source: GRADLE_PREFERENCES,
  }),
  preference(
    'AndroidJavaTargetCompatibility',
    INTEGER,
    sentence('The version of Java that the code is compiled for.'),
    { source: GRADLE_PREFERENCES },
  ),
  preference('AndroidKotlinJVMTarget', NAME, sentence('The version of Java that code in Kotlin is compiled for.'), {
    source: GRADLE_PREFERENCES,
  }),
  preference(
    'AndroidShowDeprecations',
    BOOLEAN,
    sentence('True writes warnings about outdated code into the log of the build.'),
    { defaultValue: 'false' },
  ),
  preference(
    'AndroidPackageType',
    oneOf('apk', 'bundle'),
    sentence(
      'What a build for a shop makes: “bundle” is what shops take, “apk” what devices install. It is a preference of the build service.',
    ),
    { source: 'https://developer.android.com/guide/app-bundle' },
  ),
  preference(
    'AndroidLaunchMode',
    oneOf('standard', 'singleTop', 'singleTask', 'singleInstance', 'singleInstancePerTask'),
    sentence('What happens when the app is opened while it runs.'),
    { defaultValue: 'singleTop' },
  ),
  preference('AndroidEdgeToEdge', BOOLEAN, sentence('True draws the app behind the bars of the system.'), {
    defaultValue: 'false',
  }),
  preference(
    'AndroidInsecureFileModeEnabled',
    BOOLEAN,
    sentence('True allows pages at file: URLs, which other scripts may then read too. It is unsafe.'),
    { defaultValue: 'false' },
  ),
  preference(
    'ResolveServiceWorkerRequests',
    BOOLEAN,
    sentence('Whether requests of service workers are answered from the files of the app.'),
    { defaultValue: 'true', source: WEB_VIEW_CLIENT },
  ),
  preference(
    'DefaultVolumeStream',
    oneOfIgnoringCase('default', 'media', 'call'),
    sentence('What the volume keys change while the app is open.'),
    { defaultValue: 'default' },
  ),
  preference(
    'FullscreenNotImmersive',
    BOOLEAN,
    sentence('True leaves the bars of the system in reach while the app is full screen.'),
    { defaultValue: 'false', source: ACTIVITY },
  ),
  preference('SetFullscreen', BOOLEAN, sentence('An earlier name of Fullscreen.'), {
    defaultValue: 'false',
    replacedBy: 'Fullscreen',
  }),
  preference('ShowTitle', BOOLEAN, sentence('True shows the name of the app at the top of the screen.'), {
    defaultValue: 'false',
  }),
  preference('KeepRunning', BOOLEAN, sentence('False stops scripts while the app is in the background.'), {
    defaultValue: 'true',
  }),
  preference('LoadUrlTimeoutValue', INTEGER, sentence('How long a page may take to load, in milliseconds.'), {
    defaultValue: '20000',
  }),
  preference(
    'LoadingDialog',
    TEXT,
    sentence('A title and a message, separated by a comma, that are shown while the first page loads.'),
  ),
  preference(
    'LoadingPageDialog',
    TEXT,
    sentence('A title and a message, separated by a comma, that are shown while a further page loads.'),
    { source: formerReference('3.1.0', 'guide/platforms/android/config') },
  ),
  preference(
    'LogLevel',
    oneOf('ERROR', 'WARN', 'INFO', 'DEBUG', 'VERBOSE'),
    sentence('Which messages the app writes into the log of the device.'),
    { defaultValue: 'DEBUG' },
  ),
  preference(
    'InAppBrowserStorageEnabled',
    BOOLEAN,
    sentence('Whether pages in the browser of cordova-plugin-inappbrowser may store data.'),
    { defaultValue: 'true', plugin: 'cordova-plugin-inappbrowser' },
  ),
  preference('webView', NAME, sentence('The class that shows the pages. Plugins set it themselves.'), {
    source: WEB_VIEW,
  }),
];
