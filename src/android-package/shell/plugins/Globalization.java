package appbuild.shell;

import java.text.DateFormat;
import java.text.DateFormatSymbols;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements cordova-plugin-globalization. */
final class Globalization extends Plugin {
  private static final String CURRENCY_SIGN = "\u00a4";

  @Override
  String[] services() {
    return new String[] {"Globalization"};
  }

  /** Answers a call. A failure is a GlobalizationError, as the plugin defines it. */
  @Override
  void call(Call call) throws Exception {
    JSONObject given = call.options();
    JSONObject options = given.optJSONObject("options");
    try {
      call.succeed(answer(call, given, options == null ? new JSONObject() : options));
    } catch (NoSuchMethodException unknown) {
      throw unknown;
    } catch (Exception error) {
      call.fail(reason(codeOf(call.action), String.valueOf(error.getMessage())));
    }
  }

  private static int codeOf(String action) {
    if (action.endsWith("ToString") || action.equals("getCurrencyPattern")) {
      return 1;
    }
    return action.startsWith("stringTo") ? 2 : action.endsWith("Pattern") ? 3 : 0;
  }

  private JSONObject answer(Call call, JSONObject given, JSONObject options) throws Exception {
    JSONObject answer = new JSONObject();
    switch (call.action) {
      case "getPreferredLanguage":
      case "getLocaleName":
        return answer.put("value", Locale.getDefault().toLanguageTag());
      case "dateToString":
        return answer.put("value", format(options).format(new Date(given.getLong("date"))));
      case "stringToDate":
        return toDate(format(options).parse(given.getString("dateString")));
      case "getDatePattern":
        return datePattern(options);
      case "getDateNames":
        return answer.put("value", names(options));
      case "isDayLightSavingsTime":
        return answer.put("dst", TimeZone.getDefault().inDaylightTime(new Date(given.getLong("date"))));
      case "getFirstDayOfWeek":
        return answer.put("value", Calendar.getInstance().getFirstDayOfWeek());
      case "numberToString":
        return answer.put("value", number(options).format(given.getDouble("number")));
      case "stringToNumber":
        return answer.put("value", number(options).parse(given.getString("numberString")));
      case "getNumberPattern":
        return numberPattern(options);
      case "getCurrencyPattern":
        return currencyPattern(Currency.getInstance(given.getString("currencyCode")));
      default:
        throw unknown(call);
    }
  }

  /** Returns a date format. Short formats follow the user's settings on the phone. */
  private SimpleDateFormat format(JSONObject options) {
    String selector = options.optString("selector", "date and time");
    boolean isShort = options.optString("formatLength", "short").equals("short");
    // Indexes match DateFormat's constants, such as DateFormat.FULL.
    int style = Arrays.asList("full", "long", "medium", "short").indexOf(options.optString("formatLength", "short"));
    DateFormat date = isShort ? android.text.format.DateFormat.getDateFormat(activity) : DateFormat.getDateInstance(style);
    DateFormat time = isShort ? android.text.format.DateFormat.getTimeFormat(activity) : DateFormat.getTimeInstance(style);
    if (selector.equals("date")) {
      return (SimpleDateFormat) date;
    }
    String pattern = ((SimpleDateFormat) time).toPattern();
    return new SimpleDateFormat(selector.equals("time") ? pattern : ((SimpleDateFormat) date).toPattern() + " " + pattern);
  }

  private static JSONObject toDate(Date date) throws JSONException {
    Calendar calendar = Calendar.getInstance();
    calendar.setTime(date);
    return new JSONObject()
        .put("year", calendar.get(Calendar.YEAR))
        .put("month", calendar.get(Calendar.MONTH))
        .put("day", calendar.get(Calendar.DAY_OF_MONTH))
        .put("hour", calendar.get(Calendar.HOUR_OF_DAY))
        .put("minute", calendar.get(Calendar.MINUTE))
        .put("second", calendar.get(Calendar.SECOND))
        .put("millisecond", calendar.get(Calendar.MILLISECOND));
  }

  private JSONObject datePattern(JSONObject options) throws JSONException {
    TimeZone zone = TimeZone.getDefault();
    boolean isSummer = zone.inDaylightTime(new Date());
    return new JSONObject()
        .put("pattern", format(options).toPattern())
        .put("timezone", zone.getDisplayName(isSummer, TimeZone.SHORT))
        .put("iana_timezone", zone.getID())
        .put("utc_offset", zone.getRawOffset() / 1000)
        .put("dst_offset", zone.getDSTSavings() / 1000);
  }

  private static JSONArray names(JSONObject options) {
    DateFormatSymbols symbols = DateFormatSymbols.getInstance();
    boolean isNarrow = options.optString("type").equals("narrow");
    boolean isDays = options.optString("item").equals("days");
    String[] names =
        isDays ? isNarrow ? symbols.getShortWeekdays() : symbols.getWeekdays() : isNarrow ? symbols.getShortMonths() : symbols.getMonths();
    JSONArray known = new JSONArray();
    for (String name : names) {
      // Java's arrays have an empty name before Sunday, and after December for a thirteenth month.
      if (!name.isEmpty()) {
        known.put(name);
      }
    }
    return known;
  }

  private static DecimalFormat number(JSONObject options) {
    switch (options.optString("type", "decimal")) {
      case "percent":
        return (DecimalFormat) NumberFormat.getPercentInstance();
      case "currency":
        return (DecimalFormat) NumberFormat.getCurrencyInstance();
      default:
        return (DecimalFormat) NumberFormat.getInstance();
    }
  }

  private static JSONObject numberPattern(JSONObject options) throws JSONException {
    DecimalFormat format = number(options);
    String type = options.optString("type", "decimal");
    char sign = type.equals("percent") ? format.getDecimalFormatSymbols().getPercent() : format.getDecimalFormatSymbols().getDecimalSeparator();
    String symbol = type.equals("currency") ? format.getDecimalFormatSymbols().getCurrencySymbol() : String.valueOf(sign);
    return separators(format)
        .put("pattern", format.toPattern().replace(CURRENCY_SIGN, symbol))
        .put("symbol", symbol)
        .put("fraction", format.getMinimumFractionDigits())
        .put("positive", format.getPositivePrefix())
        .put("negative", format.getNegativePrefix());
  }

  private static JSONObject currencyPattern(Currency currency) throws JSONException {
    DecimalFormat format = (DecimalFormat) NumberFormat.getCurrencyInstance();
    format.setCurrency(currency);
    return separators(format)
        .put("pattern", format.toPattern().replace(CURRENCY_SIGN, currency.getSymbol()))
        .put("code", currency.getCurrencyCode())
        .put("fraction", currency.getDefaultFractionDigits());
  }

  private static JSONObject separators(DecimalFormat format) throws JSONException {
    return new JSONObject()
        .put("rounding", 0)
        .put("decimal", String.valueOf(format.getDecimalFormatSymbols().getDecimalSeparator()))
        .put("grouping", String.valueOf(format.getDecimalFormatSymbols().getGroupingSeparator()));
  }
}
