'use strict';

// Cordova and its plugins are ready after this event. It never fires in a browser, which has no cordova.js.
document.addEventListener('deviceready', () => {
  document.getElementById('waiting').hidden = true;
  document.getElementById('ready').hidden = false;
  document.getElementById('platform').textContent = window.cordova.platformId;
});
