package appbuild.shell;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class AppVersionTest extends PluginTest {
  @Test
  public void tellsTheApp() throws Exception {
    assertEquals("日本 Plain", call("AppVersion", "getAppName"));
    assertEquals("com.example.plain", call("AppVersion", "getPackageName"));
    assertEquals("1.2.3", call("AppVersion", "getVersionNumber"));
    assertEquals(10203, call("AppVersion", "getVersionCode"));
    assertEquals("1.2.3", callForObject("RareloopAppVersion", "getAppVersion").getString("version"));
    assertEquals(10203, callForObject("RareloopAppVersion", "getAppVersion").getInt("build"));
    assertEquals("AppVersion doesn't have the action other.", fail("AppVersion", "other"));
  }
}
