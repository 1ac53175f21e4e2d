package appbuild.shell;

import android.window.OnBackInvokedCallback;
import android.window.OnBackInvokedDispatcher;

/**
 * Handles the back button and gesture on Android 13 and later, for which the manifest sets enableOnBackInvokedCallback. Android 16 doesn't
 * call onBackPressed in apps that target API 36. This is a separate class, because earlier versions of Android don't have its interface and
 * must not load it.
 */
final class Back implements OnBackInvokedCallback {
  static final int FIRST_SDK = 33;

  private final MainActivity activity;

  private Back(MainActivity activity) {
    this.activity = activity;
  }

  static void register(MainActivity activity) {
    activity
        .getOnBackInvokedDispatcher()
        .registerOnBackInvokedCallback(OnBackInvokedDispatcher.PRIORITY_DEFAULT, new Back(activity));
  }

  @Override
  public void onBackInvoked() {
    activity.askToGoBack();
  }
}
