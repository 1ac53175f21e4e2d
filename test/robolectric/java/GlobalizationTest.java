package appbuild.shell;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class GlobalizationTest extends PluginTest {
  /** 2012-09-25 16:21:07 in New York. */
  private static final long DATE = 1348604467000L;

  private final TimeZone zone = TimeZone.getDefault();
  private final Locale locale = Locale.getDefault();

  @Before
  public void setZone() {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
  }

  @After
  public void resetZone() {
    TimeZone.setDefault(zone);
    Locale.setDefault(locale);
  }

  private static JSONObject with(String name, Object value, String... options) throws Exception {
    JSONObject given = new JSONObject();
    for (int index = 0; index < options.length; index += 2) {
      given.put(options[index], options[index + 1]);
    }
    return new JSONObject().put(name, value).put("options", options.length == 0 ? JSONObject.NULL : given);
  }

  private Object value(String action, JSONObject given) throws Exception {
    Object value = callForObject("Globalization", action, given).get("value");
    // Newer versions of Android use another space before AM and PM.
    return value instanceof String ? ((String) value).replace('\u202f', ' ') : value;
  }

  private int failure(String action, JSONObject given) throws Exception {
    return ((JSONObject) fail("Globalization", action, given)).getInt("code");
  }

  @Test
  public void languages() throws Exception {
    assertEquals("en-US", callForObject("Globalization", "getPreferredLanguage").get("value"));
    assertEquals("en-US", callForObject("Globalization", "getLocaleName").get("value"));
    Locale.setDefault(Locale.GERMANY);
    assertEquals("de-DE", callForObject("Globalization", "getLocaleName").get("value"));
    assertEquals("1.234,5", value("numberToString", with("number", 1234.5)));
    assertEquals("Globalization doesn't have the action other.", fail("Globalization", "other"));
  }

  @Test
  public void dates() throws Exception {
    assertEquals("9/25/12", value("dateToString", with("date", DATE, "selector", "date")));
    assertEquals("4:21 PM", value("dateToString", with("date", DATE, "selector", "time")));
    assertEquals("9/25/12 4:21 PM", value("dateToString", with("date", DATE)));
    assertEquals("Sep 25, 2012", value("dateToString", with("date", DATE, "selector", "date", "formatLength", "medium")));
    assertEquals("September 25, 2012", value("dateToString", with("date", DATE, "selector", "date", "formatLength", "long")));
    assertEquals("Tuesday, September 25, 2012", value("dateToString", with("date", DATE, "selector", "date", "formatLength", "full")));
    JSONObject read = callForObject("Globalization", "stringToDate", with("dateString", "9/25/12", "selector", "date"));
    assertEquals("2012 8 25 0 0 0 0", parts(read));
    String full = (String) callForObject("Globalization", "dateToString", with("date", DATE, "formatLength", "full")).get("value");
    assertEquals("2012 8 25 16 21 7 0", parts(callForObject("Globalization", "stringToDate", with("dateString", full, "formatLength", "full"))));
    assertEquals(2, failure("stringToDate", with("dateString", "tomorrow")));
    assertEquals(1, failure("dateToString", with("date", "x")));
    assertEquals(3, failure("getDatePattern", with("", "", "formatLength", "huge")));
    JSONObject pattern = callForObject("Globalization", "getDatePattern", with("", "", "selector", "date"));
    assertEquals("M/d/yy", pattern.getString("pattern"));
    assertEquals("America/New_York", pattern.getString("iana_timezone"));
    assertEquals(-18000, pattern.getInt("utc_offset"));
    assertEquals(3600, pattern.getInt("dst_offset"));
  }

  private static String parts(JSONObject date) throws Exception {
    StringBuilder parts = new StringBuilder();
    for (String name : new String[] {"year", "month", "day", "hour", "minute", "second", "millisecond"}) {
      parts.append(date.getInt(name)).append(' ');
    }
    return parts.toString().trim();
  }

  @Test
  public void namesAndCalendars() throws Exception {
    JSONArray months = (JSONArray) value("getDateNames", with("", ""));
    assertEquals(12, months.length());
    assertEquals("January", months.getString(0));
    assertEquals("Dec", ((JSONArray) value("getDateNames", with("", "", "type", "narrow"))).getString(11));
    JSONArray days = (JSONArray) value("getDateNames", with("", "", "type", "wide", "item", "days"));
    assertEquals(7, days.length());
    assertEquals("Sunday", days.getString(0));
    assertEquals("Sat", ((JSONArray) value("getDateNames", with("", "", "type", "narrow", "item", "days"))).getString(6));
    assertEquals(1, callForObject("Globalization", "getFirstDayOfWeek").get("value"));
    assertEquals(true, callForObject("Globalization", "isDayLightSavingsTime", with("date", DATE)).get("dst"));
    assertEquals(false, callForObject("Globalization", "isDayLightSavingsTime", with("date", 0)).get("dst"));
    assertEquals(0, failure("isDayLightSavingsTime", new JSONObject()));
  }

  @Test
  public void numbers() throws Exception {
    assertEquals("3.142", value("numberToString", with("number", 3.1415926)));
    assertEquals("50%", value("numberToString", with("number", 0.5, "type", "percent")));
    assertEquals("$1,234.50", value("numberToString", with("number", 1234.5, "type", "currency")));
    assertEquals(1234.5, ((Number) value("stringToNumber", with("numberString", "1,234.5"))).doubleValue(), 0);
    assertEquals(0.5, ((Number) value("stringToNumber", with("numberString", "50%", "type", "percent"))).doubleValue(), 0);
    assertEquals(2, failure("stringToNumber", with("numberString", "many")));
    assertEquals(1, failure("numberToString", with("number", "x")));
    JSONObject pattern = callForObject("Globalization", "getNumberPattern", with("", ""));
    assertEquals("#,##0.###", pattern.getString("pattern"));
    assertEquals(".", pattern.getString("symbol"));
    assertEquals("", pattern.getString("positive"));
    assertEquals("-", pattern.getString("negative"));
    assertEquals(".", pattern.getString("decimal"));
    assertEquals(",", pattern.getString("grouping"));
    assertEquals("%", callForObject("Globalization", "getNumberPattern", with("", "", "type", "percent")).getString("symbol"));
    JSONObject currency = callForObject("Globalization", "getCurrencyPattern", with("currencyCode", "USD"));
    assertEquals("$#,##0.00", currency.getString("pattern").split(";")[0]);
    assertEquals("USD", currency.getString("code"));
    assertEquals(2, currency.getInt("fraction"));
    assertEquals(1, failure("getCurrencyPattern", with("currencyCode", "nothing")));
  }
}
