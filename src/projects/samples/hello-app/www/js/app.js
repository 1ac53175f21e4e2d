'use strict';

// Cordova and its plugins can be used from here on. In a browser, which has no cordova.js, this never comes.
document.addEventListener('deviceready', () => {
  document.getElementById('waiting').hidden = true;
  document.getElementById('ready').hidden = false;
  document.getElementById('platform').textContent = window.cordova.platformId;
});
