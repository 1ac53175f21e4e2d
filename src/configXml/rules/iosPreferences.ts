/** Preferences that cordova-ios reads. */
import { sentence } from '../../api/errors/sentence.ts';
import {
  BOOLEAN,
  DECIMAL,
  IOS,
  NAME,
  oneOf,
  oneOfIgnoringCase,
  type PreferenceRule,
  preferencesWith,
  VERSION,
} from './rule.ts';
import { sourceOnGitHub, formerReference, PREFERENCE } from './sources.ts';

const WEB_VIEW = sourceOnGitHub('ios', 'CordovaLib/Classes/Private/Plugins/CDVWebViewEngine/CDVWebViewEngine.m');
const CONTROLLER = sourceOnGitHub('ios', 'CordovaLib/Classes/Public/CDVViewController.m');

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
  preference('SwiftVersion', NAME, sentence('The version of Swift that plugins are compiled with.')),
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
    { defaultValue: 'none', source: WEB_VIEW },
  ),
  preference('AllowsAirPlayForMediaPlayback', BOOLEAN, sentence('Whether media may be played over AirPlay.'), {
    defaultValue: 'true',
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
    { defaultValue: 'grantIfSameHostElsePrompt', source: WEB_VIEW },
  ),
  preference('AllowNewWindows', BOOLEAN, sentence('True lets links and scripts open a second view above the app.'), {
    defaultValue: 'false',
  }),
  preference(
    'AllowBackForwardNavigationGestures',
    BOOLEAN,
    sentence('True goes back and forward when a finger is swiped from the edge.'),
    { defaultValue: 'false', source: WEB_VIEW },
  ),
  preference('Allow3DTouchLinkPreview', BOOLEAN, sentence('Whether a firm press on a link shows a preview.'), {
    defaultValue: 'true',
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
    { defaultValue: 'refresh' },
  ),
  preference(
    'LimitsNavigationsToAppBoundDomains',
    BOOLEAN,
    sentence('True keeps the app within the domains that its Info.plist names.'),
    { defaultValue: 'false', source: WEB_VIEW },
  ),
  preference(
    'PreferredContentMode',
    oneOf('auto', 'recommended', 'mobile', 'desktop'),
    sentence('Whether websites take an iPad for a phone or for a computer.'),
    { defaultValue: 'auto' },
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
    source: WEB_VIEW,
  }),
  preference(
    'WKWebViewDecelerationSpeed',
    oneOfIgnoringCase('normal', 'fast'),
    sentence('How fast scrolling slows down.'),
    { defaultValue: 'normal', source: WEB_VIEW },
  ),
  preference('HideDesktopTitlebar', BOOLEAN, sentence('True hides the title bar when the app runs on a Mac.'), {
    defaultValue: 'false',
    source: CONTROLLER,
  }),
  preference(
    'CordovaDefaultWebViewEngine',
    NAME,
    sentence('The class that shows the pages when the one of CordovaWebViewEngine cannot.'),
    { source: CONTROLLER },
  ),
  preference('BackupWebStorage', oneOf('cloud', 'local', 'none'), undefined, {
    removed: { ios: '7.0.0' },
    source: formerReference('9.x'),
  }),
  preference('MediaPlaybackRequiresUserAction', BOOLEAN, undefined, {
    removed: WITHOUT_UI_WEB_VIEW,
    replacedBy: 'MediaTypesRequiringUserActionForPlayback',
  }),
  preference('UIWebViewDecelerationSpeed', oneOfIgnoringCase('normal', 'fast'), undefined, {
    removed: WITHOUT_UI_WEB_VIEW,
    replacedBy: 'WKWebViewDecelerationSpeed',
  }),
  preference('GapBetweenPages', DECIMAL, undefined, { removed: WITHOUT_UI_WEB_VIEW }),
  preference('PageLength', DECIMAL, undefined, { removed: WITHOUT_UI_WEB_VIEW }),
  preference('PaginationBreakingMode', oneOfIgnoringCase('page', 'column'), undefined, {
    removed: WITHOUT_UI_WEB_VIEW,
  }),
  preference(
    'PaginationMode',
    oneOfIgnoringCase('unpaginated', 'leftToRight', 'topToBottom', 'bottomToTop', 'rightToLeft'),
    undefined,
    { removed: WITHOUT_UI_WEB_VIEW },
  ),
];
