package appbuild.shell;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.os.Bundle;
import android.os.Parcel;
import android.webkit.WebMessage;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.robolectric.shadows.ShadowActivity;

public class BridgeTest extends PluginTest {
  /** Android's limit for the state of all activities together. */
  private static final int MAX_STATE_BYTES = 1 << 20;

  private Bridge bridge() {
    return (Bridge) activity.plugins;
  }

  @Test
  public void argumentsThatAreTooMuchEndTheCallAlone() throws Exception {
    int depth = 200_000;
    page().postMessage(new WebMessage("[\"deep\",\"Device\",\"getDeviceInfo\",[" + "[".repeat(depth) + "]".repeat(depth) + "]]"));
    assertEquals(1, answers("deep").getJSONArray(0).getInt(1));
    page().postMessage(new WebMessage("[\"broken\",\"Device\"]"));
    assertEquals(1, answers("broken").getJSONArray(0).getInt(1));
    page().postMessage(new WebMessage("nothing"));
    page().postMessage(new WebMessage("[".repeat(depth)));
    callForObject("Device", "getDeviceInfo");
  }

  @Test
  public void answersThatJsonCantHaveAreFailures() throws Exception {
    Call call = new Call(bridge(), ports()[0], "nan", "Device", "measure", new JSONArray());
    call.succeed(new JSONArray().put((Object) Double.NaN));
    JSONArray answer = answers("nan").getJSONArray(0);
    assertEquals("[\"nan\",1,\"The answer has a number that JSON can't have.\"]", answer.toString());
  }

  @Test
  public void callsThatTakeLongShareThreads() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(200);
    for (int index = 0; index < 200; index++) {
      Call call = new Call(bridge(), ports()[0], "slow" + index, "Device", "slow", new JSONArray());
      bridge().work(
          call,
          () -> {
            threads.add(Thread.currentThread());
            sent.await();
            ended.countDown();
          });
    }
    sent.countDown();
    ended.await();
    assertTrue(String.valueOf(threads.size()), threads.size() <= 64);
  }

  @Test
  public void whatACallRunsOutOfIsItsFailure() throws Exception {
    for (Error error : new Error[] {new OutOfMemoryError("full"), new StackOverflowError("deep")}) {
      Call call = new Call(bridge(), ports()[0], error.getMessage(), "Device", "slow", new JSONArray());
      bridge().post(
          call,
          () -> {
            throw error;
          });
      assertEquals(error.getMessage(), answers(error.getMessage()).getJSONArray(0).getString(2));
    }
  }

  @Test
  public void largeArgumentsArentKeptBehindAnotherApp() throws Exception {
    String id = send("SocialSharing", "shareWithOptions", new JSONObject().put("message", "x".repeat(2_000_000)));
    ShadowActivity.IntentForResult started = null;
    for (; started == null; started = shadowOf(activity).getNextStartedActivityForResult()) {
      assertEquals(0, answers(id).length());
    }
    Bundle state = new Bundle();
    controller.pause().stop().saveInstanceState(state).destroy();
    Parcel parcel = Parcel.obtain();
    state.writeToParcel(parcel, 0);
    assertTrue(String.valueOf(parcel.dataSize()), parcel.dataSize() < MAX_STATE_BYTES);
    open(state);
    Intent data = new Intent().putExtra(Intent.EXTRA_CHOSEN_COMPONENT, new ComponentName("com.example.chat", "Chat"));
    activity.onActivityResult(started.requestCode, Activity.RESULT_OK, data);
    JSONObject restored = answers("restored").getJSONArray(0).getJSONObject(2);
    assertEquals("com.example.chat", restored.getJSONObject("value").getString("app"));
  }

  /** If a page opens another site's file, which becomes a download, the page stays and keeps its plugins. */
  @Test
  public void pluginsStayUntilAnotherSiteShows() throws Exception {
    shadowOf(web).getWebViewClient().onPageStarted(web, "https://example.com/file.zip", null);
    callForObject("Device", "getDeviceInfo");
    shadowOf(web).getWebViewClient().doUpdateVisitedHistory(web, HOME + "#there", false);
    assertFalse(ports()[0].isClosed());
    shadowOf(web).getWebViewClient().doUpdateVisitedHistory(web, "https://example.com/", false);
    assertTrue(ports()[0].isClosed());
  }

  @Test
  public void eachSharedFileIsOneOfItsOwn() throws Exception {
    assertNotEquals(SharedFiles.unused(activity, "a.txt", ""), SharedFiles.unused(activity, "a.txt", ""));
  }
}
