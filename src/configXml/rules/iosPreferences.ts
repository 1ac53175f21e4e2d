/** Preferences that cordova-ios reads. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  type PreferenceRule,
  BOOLEAN,
  DECIMAL,
  IOS,
  oneOf,
  oneOfIgnoringCase,
  preferencesWith,
  TEXT,
  VERSION,
} from './rule.ts';
import { codeOf, formerReference, PREFERENCE } from './sources.ts';

const WEB_VIEW = codeOf('ios', 'CordovaLib/Classes/Private/Plugins/CDVWebViewEngine/CDVWebViewEngine.m');
const CONTROLLER = codeOf('ios', 'CordovaLib/Classes/Public/CDVViewController.m');

/** UIWebView, the view for web pages that Apple took away, read it. */
const WITHOUT_UI_WEB_VIEW = { ios: '6.0.0' } as const;

const preference = preferencesWith({ platforms: IOS, source: PREFERENCE });

export const IOS_PREFERENCES: readonly PreferenceRule[] = [
  preference('deployment-target', VERSION, sentence('The lowest version of iOS that the app runs on, such as 13.0.'), {
    platforms: ['ios', 'osx'],
  }),
  preference(
    'target-device',
    oneOf('universal', 'handset', 'tablet'),
    sentence('The devices that the app is for: iPhones (“handset”), iPads (“tablet”) or both.'),
    { defaultValue: 'universal' },
  ),
  preference('SwiftVersion', TEXT, sentence('The version of Swift that plugins are compiled with.'), {
    since: { ios: '5.0.0' },
  }),
  preference(
    'AllowInlineMediaPlayback',
    BOOLEAN,
    sentence('True plays videos within the page. They need the attribute “playsinline” too.'),
    { defaultValue: 'false' },
  ),
  preference(
    'MediaTypesRequiringUserActionForPlayback',
    oneOf('none', 'audio', 'video', 'all'),
    sentence('Which media do not start by themselves.'),
    { defaultValue: 'none', since: { ios: '6.0.0' }, source: WEB_VIEW },
  ),
  preference('MediaPlaybackRequiresUserAction', BOOLEAN, sentence('True keeps media from starting by themselves.'), {
    defaultValue: 'false',
    removed: WITHOUT_UI_WEB_VIEW,
    replacedBy: 'MediaTypesRequiringUserActionForPlayback',
  }),
  preference('AllowsAirPlayForMediaPlayback', BOOLEAN, sentence('Whether media may be played over AirPlay.'), {
    defaultValue: 'true',
    since: { ios: '6.0.0' },
    source: WEB_VIEW,
  }),
  preference('MediaPlaybackAllowsAirPlay', BOOLEAN, sentence('An earlier name of AllowsAirPlayForMediaPlayback.'), {
    defaultValue: 'true',
    replacedBy: 'AllowsAirPlayForMediaPlayback',
  }),
  preference(
    'MediaPermissionGrantType',
    oneOf('prompt', 'deny', 'grant', 'grantIfSameHostElsePrompt', 'grantIfSameHostElseDeny'),
    sentence('What happens when a page asks for the camera or the microphone.'),
    { defaultValue: 'grantIfSameHostElsePrompt', since: { ios: '8.0.0' }, source: WEB_VIEW },
  ),
  preference('AllowNewWindows', BOOLEAN, sentence('True lets links and scripts open a second view above the app.'), {
    defaultValue: 'false',
    since: { ios: '6.1.0' },
  }),
  preference(
    'AllowBackForwardNavigationGestures',
    BOOLEAN,
    sentence('True goes back and forward when a finger is swiped from the edge.'),
    { defaultValue: 'false', since: { ios: '6.0.0' }, source: WEB_VIEW },
  ),
  preference('Allow3DTouchLinkPreview', BOOLEAN, sentence('Whether a firm press on a link shows a preview.'), {
    defaultValue: 'true',
    since: { ios: '6.0.0' },
    source: WEB_VIEW,
  }),
  preference(
    'Suppresses3DTouchGesture',
    BOOLEAN,
    sentence('True shows no magnifying glass when a page is pressed firmly.'),
    { defaultValue: 'false' },
  ),
  preference(
    'SuppressesLongPressGesture',
    BOOLEAN,
    sentence('True shows no magnifying glass when a page is pressed for a while. Selecting text can suffer.'),
    { defaultValue: 'false' },
  ),
  preference(
    'SuppressesIncrementalRendering',
    BOOLEAN,
    sentence('True shows a page only when all of it has been loaded.'),
    { defaultValue: 'false' },
  ),
  preference(
    'CrashRecoveryBehavior',
    oneOf('refresh', 'reload'),
    sentence(
      'What happens when the view of the pages crashes: “refresh” goes on at the same page, “reload” begins anew.',
    ),
    { defaultValue: 'refresh', since: { ios: '8.0.0' } },
  ),
  preference(
    'LimitsNavigationsToAppBoundDomains',
    BOOLEAN,
    sentence('True keeps the app within the domains that its Info.plist names.'),
    { defaultValue: 'false', since: { ios: '7.0.0' }, source: WEB_VIEW },
  ),
  preference(
    'PreferredContentMode',
    oneOf('auto', 'recommended', 'mobile', 'desktop'),
    sentence('Whether websites take an iPad for a phone or for a computer.'),
    { defaultValue: 'auto', since: { ios: '6.1.0' } },
  ),
  preference('EnableViewportScale', BOOLEAN, sentence('True lets the viewport of a page forbid or limit zooming.'), {
    defaultValue: 'false',
  }),
  preference(
    'KeyboardDisplayRequiresUserAction',
    BOOLEAN,
    sentence('False lets scripts open the keyboard. Plugins for the view of the pages read it.'),
    { defaultValue: 'true' },
  ),
  preference('MinimumFontSize', DECIMAL, sentence('The smallest size of text, in points.'), {
    defaultValue: '0',
    since: { ios: '6.0.0' },
    source: WEB_VIEW,
  }),
  preference(
    'WKWebViewDecelerationSpeed',
    oneOfIgnoringCase('normal', 'fast'),
    sentence('How fast scrolling slows down.'),
    { defaultValue: 'normal', since: { ios: '6.0.0' }, source: WEB_VIEW },
  ),
  preference(
    'UIWebViewDecelerationSpeed',
    oneOfIgnoringCase('normal', 'fast'),
    sentence('How fast scrolling slows down.'),
    { defaultValue: 'normal', removed: WITHOUT_UI_WEB_VIEW, replacedBy: 'WKWebViewDecelerationSpeed' },
  ),
  preference('HideDesktopTitlebar', BOOLEAN, sentence('True hides the title bar when the app runs on a Mac.'), {
    defaultValue: 'false',
    since: { ios: '8.0.0' },
    source: CONTROLLER,
  }),
  preference(
    'CordovaDefaultWebViewEngine',
    TEXT,
    sentence('The class that shows the pages when the one of CordovaWebViewEngine cannot.'),
    { source: CONTROLLER },
  ),
  preference(
    'BackupWebStorage',
    oneOf('cloud', 'local', 'none'),
    sentence('Where the data of the pages is backed up to.'),
    { defaultValue: 'cloud', removed: { ios: '7.0.0' }, source: formerReference('9.x') },
  ),
  preference('GapBetweenPages', DECIMAL, sentence('The space between two pages when the content is shown in pages.'), {
    defaultValue: '0',
    removed: WITHOUT_UI_WEB_VIEW,
  }),
  preference('PageLength', DECIMAL, sentence('The size of a page when the content is shown in pages.'), {
    defaultValue: '0',
    removed: WITHOUT_UI_WEB_VIEW,
  }),
  preference(
    'PaginationBreakingMode',
    oneOfIgnoringCase('page', 'column'),
    sentence('Where the content breaks when it is shown in pages.'),
    { defaultValue: 'page', removed: WITHOUT_UI_WEB_VIEW },
  ),
  preference(
    'PaginationMode',
    oneOfIgnoringCase('unpaginated', 'leftToRight', 'topToBottom', 'bottomToTop', 'rightToLeft'),
    sentence('Whether the content is shown in pages, and how they follow each other.'),
    { defaultValue: 'unpaginated', removed: WITHOUT_UI_WEB_VIEW },
  ),
];
