package appbuild.shell;

import android.window.OnBackInvokedCallback;
import android.window.OnBackInvokedDispatcher;

/**
 * Gets the back button and gesture from Android 13 on, where the manifest sets enableOnBackInvokedCallback: for apps that target
 * API 36, Android 16 doesn't call onBackPressed. It's a class of its own because older Androids lack the interface: they never load it.
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
