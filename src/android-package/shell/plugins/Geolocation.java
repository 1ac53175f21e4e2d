package appbuild.shell;

import android.Manifest;
import android.content.Context;
import android.content.pm.PackageManager;
import android.location.Location;
import android.location.LocationListener;
import android.location.LocationManager;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** Implements @capacitor/geolocation, and the permission request of cordova-plugin-geolocation, which otherwise uses the web API. */
final class Geolocation extends Plugin {
  private static final long TIMEOUT_MS = 10000;
  private static final long MIN_INTERVAL_MS = 5000;

  private final Handler handler = new Handler(Looper.getMainLooper());
  /** Running requests, keyed by call ID. */
  private final Map<String, Request> requests = new HashMap<>();

  @Override
  String[] services() {
    return new String[] {"Geolocation", "Capacitor.Geolocation"};
  }

  @Override
  Map<String, String[]> permissions() {
    Map<String, String[]> permissions = new HashMap<>();
    permissions.put("location", Questions.LOCATION);
    permissions.put("coarseLocation", new String[] {Manifest.permission.ACCESS_COARSE_LOCATION});
    return permissions;
  }

  @Override
  void call(final Call call) throws Exception {
    switch (call.action) {
      case "getPermission":
        boolean isFine = call.args.optBoolean(0);
        bridge.ask(
            call,
            isFine || Build.VERSION.SDK_INT < 31 ? Questions.LOCATION : new String[] {Manifest.permission.ACCESS_COARSE_LOCATION},
            1,
            new Bridge.Granted() {
              @Override
              public void run() {
                call.succeed(Build.VERSION.SDK_INT);
              }
            });
        return;
      case "getCurrentPosition":
      case "watchPosition":
        bridge.ask(
            call,
            Questions.LOCATION,
            1,
            error("0003", "Location permission request was denied."),
            new Bridge.Granted() {
              @Override
              public void run() throws JSONException {
                locate(call);
              }
            });
        return;
      case "clearWatch":
        String id = call.options().optString("id");
        Request request = requests.get(id);
        if (id.isEmpty()) {
          call.fail(error("0013", "WatchId needs to be provided."));
        } else if (request == null) {
          call.fail(error("0012", "WatchId not found."));
        } else {
          request.end();
          call.succeed(null);
        }
        return;
      default:
        throw unknown(call);
    }
  }

  private LocationManager manager() {
    return (LocationManager) activity.getSystemService(Context.LOCATION_SERVICE);
  }

  private void locate(Call call) throws JSONException {
    JSONObject options = call.options();
    boolean isWatch = call.action.equals("watchPosition");
    long timeout = options.optLong("timeout", TIMEOUT_MS);
    if (timeout <= 0) {
      call.fail(error("0011", "Timeout needs to be a positive value."));
      return;
    }
    boolean isFine = options.optBoolean("enableHighAccuracy");
    Location known = isWatch ? null : lastKnown(options.optLong("maximumAge"));
    if (known != null) {
      call.succeed(position(known));
      return;
    }
    boolean mayBeFine = activity.checkSelfPermission(Manifest.permission.ACCESS_FINE_LOCATION) == PackageManager.PERMISSION_GRANTED;
    Request request = new Request(call, isWatch);
    long interval = isWatch ? Math.max(options.optLong("interval", timeout), options.optLong("minimumUpdateInterval", MIN_INTERVAL_MS)) : 0;
    boolean isStarted = start(request, LocationManager.NETWORK_PROVIDER, interval);
    // GPS takes longer and uses more power, but phones without Google's services have nothing else.
    if (mayBeFine && (isFine || !isStarted)) {
      isStarted |= start(request, LocationManager.GPS_PROVIDER, interval);
    }
    if (!isStarted) {
      call.fail(error("0007", "Location services are not enabled."));
      return;
    }
    requests.put(call.id, request);
    if (!isWatch) {
      handler.postDelayed(request, timeout);
    }
  }

  private boolean start(Request request, String provider, long interval) {
    // Some phones lack a provider, and requesting it throws an error.
    if (!manager().getAllProviders().contains(provider) || !manager().isProviderEnabled(provider)) {
      return false;
    }
    manager().requestLocationUpdates(provider, interval, 0, request, Looper.getMainLooper());
    return true;
  }

  /** Returns the latest known location, or null if none is recent enough. @param maxAge maximum age, in ms */
  private Location lastKnown(long maxAge) {
    Location best = null;
    for (String provider : manager().getProviders(true)) {
      Location known = manager().getLastKnownLocation(provider);
      if (known != null && ageOf(known) < maxAge && (best == null || ageOf(known) < ageOf(best))) {
        best = known;
      }
    }
    return best;
  }

  private static long ageOf(Location location) {
    return (SystemClock.elapsedRealtimeNanos() - location.getElapsedRealtimeNanos()) / 1000000;
  }

  private static JSONObject position(Location location) throws JSONException {
    boolean hasVertical = Build.VERSION.SDK_INT >= 26 && location.hasVerticalAccuracy();
    Object bearing = location.hasBearing() ? location.getBearing() : JSONObject.NULL;
    JSONObject coords =
        new JSONObject()
            .put("latitude", location.getLatitude())
            .put("longitude", location.getLongitude())
            .put("accuracy", location.getAccuracy())
            .put("altitude", location.hasAltitude() ? location.getAltitude() : JSONObject.NULL)
            .put("altitudeAccuracy", hasVertical ? location.getVerticalAccuracyMeters() : JSONObject.NULL)
            .put("speed", location.hasSpeed() ? location.getSpeed() : JSONObject.NULL)
            .put("heading", bearing)
            .put("course", bearing);
    return new JSONObject().put("timestamp", location.getTime()).put("coords", coords);
  }

  private static JSONObject error(String code, String message) {
    return reason("OS-PLUG-GLOC-" + code, message);
  }

  /** A call that waits for locations. {@link #run} handles the timeout. */
  private final class Request implements LocationListener, Runnable {
    private final Call call;
    private final boolean isWatch;

    Request(Call call, boolean isWatch) {
      this.call = call;
      this.isWatch = isWatch;
    }

    void end() {
      handler.removeCallbacks(this);
      manager().removeUpdates(this);
      requests.remove(call.id);
    }

    @Override
    public void run() {
      end();
      call.fail(error("0010", "Could not obtain location in time. Try with a higher timeout."));
    }

    @Override
    public void onLocationChanged(Location location) {
      try {
        if (isWatch) {
          call.keep(position(location));
        } else {
          end();
          call.succeed(position(location));
        }
      } catch (JSONException notANumber) {
        call.fail(error("0002", "There was en error trying to obtain the location."));
      }
    }

    // Before Android 11, the interface has no default implementation of these methods.

    @Override
    public void onStatusChanged(String provider, int status, Bundle extras) {}

    @Override
    public void onProviderEnabled(String provider) {}

    @Override
    public void onProviderDisabled(String provider) {}
  }

  @Override
  void onReset() {
    for (Request request : requests.values().toArray(new Request[0])) {
      request.end();
    }
  }

  @Override
  void onDestroy() {
    onReset();
  }
}
