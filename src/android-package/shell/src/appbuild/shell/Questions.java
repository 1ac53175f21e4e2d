package appbuild.shell;

import android.app.Activity;
import android.content.pm.PackageManager;
import java.util.ArrayDeque;

/** Asks the user for permissions. Android shows one prompt at a time, so the others wait. */
final class Questions {
  static final String CAMERA = "android.permission.CAMERA";
  static final String MICROPHONE = "android.permission.RECORD_AUDIO";
  static final String[] LOCATION = {
    "android.permission.ACCESS_COARSE_LOCATION", "android.permission.ACCESS_FINE_LOCATION",
  };

  /** Receives the user's answer. */
  interface Listener {
    void onAnswer(boolean isGranted);
  }

  private static final class Question {
    final String[] permissions;
    final int enough;
    final Listener listener;

    Question(String[] permissions, int enough, Listener listener) {
      this.permissions = permissions;
      this.enough = enough;
      this.listener = listener;
    }
  }

  private static final int REQUEST = 2;

  private final Activity activity;
  private final ArrayDeque<Question> waiting = new ArrayDeque<>();

  Questions(Activity activity) {
    this.activity = activity;
  }

  /**
   * Asks for permissions unless they're already granted. Android immediately denies permissions that the manifest doesn't declare.
   *
   * @param enough number of permissions that the user must grant
   */
  void ask(String[] permissions, int enough, Listener listener) {
    waiting.add(new Question(permissions, enough, listener));
    if (waiting.size() == 1) {
      askNext();
    }
  }

  private void askNext() {
    while (!waiting.isEmpty() && isGranted(waiting.peek())) {
      waiting.remove().listener.onAnswer(true);
    }
    if (!waiting.isEmpty()) {
      activity.requestPermissions(waiting.peek().permissions, REQUEST);
    }
  }

  /** Called by Activity.onRequestPermissionsResult. */
  void onResult(int request) {
    if (request == REQUEST && !waiting.isEmpty()) {
      Question question = waiting.remove();
      question.listener.onAnswer(isGranted(question));
      askNext();
    }
  }

  private boolean isGranted(Question question) {
    int granted = 0;
    for (String permission : question.permissions) {
      granted += activity.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED ? 1 : 0;
    }
    return granted >= question.enough;
  }
}
